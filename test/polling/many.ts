import type { Workload } from "../../functions/domain/workload.ts";
import type { PollRest } from "../../functions/ports/polls.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import type { AtMoment } from "../support/fake-cluster.ts";
import { resting } from "./shop.ts";

/** So many workloads, two of each repository, spread over these registries in turn. */
export function many(count: number, hosts: readonly string[] = ["registry.example"]): readonly Workload[] {
  return Array.from({ length: count }, (_, index) => {
    const repository = Math.floor(index / 2);
    return resting(`w-${index}`, `${hosts[repository % hosts.length]}/shop/r-${repository}:1.0.0`);
  });
}

export interface ManyPorts extends FakePorts {
  /** Names of the workloads that an update was started for, in that order. */
  started(): readonly string[];
}

/** Ports on which every repository has something newer; `ask` is awaited before each listing. */
export function manyPorts(
  workloads: readonly Workload[],
  ask: (host: string, repository: string) => Promise<void> | void = () => undefined,
  atMoment: AtMoment = () => undefined,
): ManyPorts {
  const ports = fakePorts({ workloads, atMoment });
  const listed: string[] = [];
  const registry: FakePorts["registry"] = {
    ...ports.registry,
    async listTags({ registry: host, repository }) {
      listed.push(`${host}/${repository}`);
      await ask(host, repository);
      return ["1.0.0", "1.1.0"];
    },
  };
  const started = () => ports.executions.started.map(({ input }) => input.workload.name);
  return { ...ports, registry, listed, started };
}

export function namesOf(workloads: readonly Workload[]): readonly string[] {
  return workloads.map(({ ref }) => ref.name).toSorted();
}

/** The rest that was handed on last. Throws where nothing was. */
export function lastOf({ handedOn }: FakePorts): PollRest {
  const last = handedOn.at(-1);
  if (last === undefined) throw new Error("nothing was handed on");
  return last;
}
