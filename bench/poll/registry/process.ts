import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createRequestCounter } from "./counts.ts";
import { createRegistryServer, type RegistryContent } from "./serve.ts";

// The registry runs in its own process, so that its CPU time counts for no contender. Every message requests the counts.

const counts = createRequestCounter();
const server = createRegistryServer(JSON.parse(process.argv[2] ?? "") as RegistryContent, counts).listen(
  0,
  "127.0.0.1",
);
await once(server, "listening");
process.on("message", () => process.send?.(counts.takeCounts()));
process.on("disconnect", () => process.exit());
process.send?.(`127.0.0.1:${(server.address() as AddressInfo).port}`);
