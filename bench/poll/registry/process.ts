import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { counter } from "./counts.ts";
import { registryServer, type Stock } from "./serve.ts";

// The registry runs in a process of its own: its work counts for no contender. Messages ask for the counts.

const counts = counter();
const server = registryServer(JSON.parse(process.argv[2] ?? "") as Stock, counts).listen(0, "127.0.0.1");
await once(server, "listening");
process.on("message", () => process.send?.(counts.take()));
process.on("disconnect", () => process.exit());
process.send?.(`127.0.0.1:${(server.address() as AddressInfo).port}`);
