import { writeSync } from "node:fs";

// Preloaded with --import: the command sees an unsupported version of Node, and each start is written to stderr.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
writeSync(2, "started\n");
