import { noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import type { ConcurrencySettings } from "../../../functions/domain/gates/limits/limit-settings.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { inFlight, target, workload, type WorkloadParts } from "../../support/workloads.ts";

const source = "registry.example/shop/app:1.0.0";
const tags = { "shop/app": ["1.0.0", "1.1.0"], "shop/lib": ["1.0.0", "1.1.0"] };

/** Returns a workload that runs 1.0.0 of an image which it shares with others. */
export function shared(name: string, parts: WorkloadParts = {}, namespace = "shop"): Workload {
  const { ref } = workload();
  return workload({ source, image: source, ...parts, ref: { ...ref, namespace, name, uid: `uid-of-${name}` } });
}

export const many = (count: number) =>
  Array.from({ length: count }, (_, index) => shared(`w-${String(index).padStart(3, "0")}`));

/** Returns ports with these limits. */
export function portsOf(
  workloads: readonly Workload[],
  settings: ConcurrencySettings = {},
  atMoment: AtMoment = () => {},
  others: Parameters<typeof fakePorts>[0] = {},
) {
  const ports = { ...fakePorts({ ...others, workloads, tags, atMoment }), limits: { ...noLimitSettings, ...settings } };
  const started = () => ports.executions.started.map(({ input }) => input.workload.name);
  const gateOf = async (name: string) => {
    const { ref } = workloads.find((one) => one.ref.name === name) as Workload;
    return (await ports.cluster.read(ref))?.gates?.find((gate) => gate.name === "limits");
  };
  /** Lets the executions claim their workloads, as they do first. */
  const claim = async (parts: WorkloadParts = {}) => {
    for (const { name, input } of ports.executions.running()) {
      const found = (await ports.cluster.read(input.workload)) as Workload;
      if (found.inFlight === null)
        ports.cluster.put({
          ...found,
          image: target,
          inFlight: { ...inFlight, execution: name },
          ...parts,
        } as Workload);
    }
  };
  return { ports, started, gateOf, claim };
}
