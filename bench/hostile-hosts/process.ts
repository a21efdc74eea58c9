import { createServer } from "node:http";
import { listen } from "../../infra/local/listen.ts";
import { type Behaviour, type BehaviourName, behaviours } from "./behaviours.ts";

// Hostile registries run in a process of their own, so that their CPU time counts for nobody else.

const names = JSON.parse(process.argv[2] ?? "[]") as readonly BehaviourName[];
const hosts = await Promise.all(names.map(startHost));
process.on("disconnect", () => process.exit());
process.send?.(hosts);

async function startHost(name: BehaviourName): Promise<string> {
  const behave: Behaviour = behaviours[name];
  const server = createServer((request, response) => {
    request.resume();
    behave(request, response, host);
  });
  const { host } = await listen(server);
  return host;
}
