import { writeSync } from "node:fs";

// Preloaded with --import: the command takes this Node for one that is too old, and tells each start on stderr.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
writeSync(2, "started\n");
