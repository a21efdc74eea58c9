import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { idleWorkload } from "./fixtures.ts";

/** Returns `count` workloads, two of each repository, spread evenly over the registries. */
export function createWorkloads(count: number, hosts: readonly string[] = ["registry.example"]): readonly Workload[] {
  return Array.from({ length: count }, (_, index) => {
    const repository = Math.floor(index / 2);
    return idleWorkload(`w-${index}`, `${hosts[repository % hosts.length]}/shop/r-${repository}:1.0.0`);
  });
}

export interface ManyPorts extends FakePorts {
  /** Names of the workloads that an update was started for, in order. */
  started(): readonly string[];
}

/** Returns ports on which every repository has a newer tag. `beforeList` is awaited before each listing. */
export function createManyPorts(
  workloads: readonly Workload[],
  beforeList: (host: string, repository: string) => Promise<void> | void = () => undefined,
  atMoment: AtMoment = () => undefined,
): ManyPorts {
  const ports = fakePorts({ workloads, atMoment });
  const listed: string[] = [];
  const registry: FakePorts["registry"] = {
    ...ports.registry,
    async listTags({ registry: host, repository }) {
      listed.push(`${host}/${repository}`);
      await beforeList(host, repository);
      return ["1.0.0", "1.1.0"];
    },
  };
  const started = () => ports.executions.started.map(({ input }) => input.workload.name);
  return { ...ports, registry, listed, started };
}

export function namesOf(workloads: readonly Workload[]): readonly string[] {
  return workloads.map(({ ref }) => ref.name).toSorted();
}
