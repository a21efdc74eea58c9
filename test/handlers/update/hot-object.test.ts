import { describe, expect, test } from "vitest";
import type { TaskName } from "../../../functions/contract/workload-update.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { workloadUpdateMachine } from "../../../infra/local/runtime/workload-update.ts";
import type { FakePorts } from "../../support/fake-ports.ts";
import { canaryWorkload, completeRollout, noon, updatingWorkload, workload } from "../../support/workloads.ts";
import { around, step } from "../steps.ts";

const isCanary = { policy: { canary: { unit: "replicas", amount: 1 } } } as const;
const failing = { rollout: { ...completeRollout, readyReplicas: 1 } };
const steps: readonly {
  readonly task: TaskName;
  readonly initial: Workload;
  readonly input?: object;
  readonly kind: string;
}[] = [
  { task: "ApplyUpdate", initial: workload(), kind: "applied" },
  { task: "StartCanary", initial: workload(isCanary), input: { strategy: "canary" }, kind: "started" },
  {
    task: "AdoptUpdate",
    initial: updatingWorkload(),
    input: { execution: "e-2", adopting: true },
    kind: "adopted",
  },
  { task: "CheckReadiness", initial: updatingWorkload(), kind: "ready" },
  { task: "ApplyUpdate", initial: canaryWorkload(), input: { strategy: "canary" }, kind: "applied" },
  { task: "RecordSuccess", initial: updatingWorkload(), kind: "recorded" },
  { task: "RollBack", initial: updatingWorkload(failing), input: { verdict: "expired" }, kind: "reverting" },
];

/** Returns ports of a cluster whose controller writes the status of the workload just before each of the first `writes` of Pawl. */
function hot(initial: Workload, writes: number): { readonly ports: FakePorts; readonly written: () => number } {
  let written = 0;
  const ports = around(initial, {
    atMoment(moment) {
      if (moment !== "before change" || written === writes) return;
      written += 1;
      const current = ports.cluster.get();
      const rollout = current.rollout && { ...current.rollout, readyReplicas: current.rollout.readyReplicas + written };
      ports.cluster.put({ ...current, rollout });
    },
  });
  return { ports, written: () => written };
}

function run(ports: FakePorts, task: TaskName, input: object): Promise<unknown> {
  const payload = { ...step, executionStartedAt: noon.toISOString(), reason: "not ready", ...input };
  const context = { machine: "m", state: task, execution: step.execution, executionArn: "arn" };
  return workloadUpdateMachine(() => ports).tasks[task]?.(payload, context) as Promise<unknown>;
}

describe("an object that its controller writes all the time", () => {
  test.for(steps)("$task reads it again and decides again: $kind", async ({ task, initial, input = {}, kind }) => {
    const { ports } = hot(initial, 4);
    expect(await run(ports, task, input)).toMatchObject({ kind });
  });

  test("a step leaves it to the state machine after five tries", async () => {
    const { ports, written } = hot(workload(), 100);
    await expect(run(ports, "ApplyUpdate", {})).rejects.toMatchObject({ name: "Conflict" });
    expect(written()).toBe(5);
    expect(ports.cluster.get().inFlight).toBeNull();
  });

  test("a step that finds a manual change meanwhile writes nothing more", async () => {
    const ports = around(workload(), {
      atMoment(moment) {
        if (moment === "before change")
          ports.cluster.put({ ...ports.cluster.get(), image: "registry.example/shop/app:9.0.0" });
      },
    });
    expect(await run(ports, "ApplyUpdate", {})).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get()).toMatchObject({ image: "registry.example/shop/app:9.0.0", inFlight: null });
  });
});
