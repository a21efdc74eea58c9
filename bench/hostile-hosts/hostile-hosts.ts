import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type BehaviourName, behaviours } from "./behaviours.ts";
import type { Job } from "./job.ts";

export interface HostileHosts {
  readonly hosts: Job["hostile"];
  close(): void;
}

const hostsPerBehaviour = 8;

/** Each behaviour eight times: 64 hosts. */
export const allHostileHosts = Object.keys(behaviours).flatMap((name) =>
  Array<BehaviourName>(hostsPerBehaviour).fill(name as BehaviourName),
);

const program = fileURLToPath(new URL("process.ts", import.meta.url));

/** Starts one hostile registry for each name, all in one process of their own. */
export async function startHostileHosts(names: readonly BehaviourName[]): Promise<HostileHosts> {
  const child = fork(program, [JSON.stringify(names)]);
  const [hosts] = (await once(child, "message")) as [readonly string[]];
  return {
    hosts: names.map((behaviour, index) => ({ behaviour, host: hosts[index] ?? "" })),
    close: () => child.disconnect(),
  };
}
