import { expect } from "vitest";
import type { Ports } from "../../functions/contract/ports.ts";
import type { StepInput, StepResult, TaskInput, TaskName } from "../../functions/contract/workload-update.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { checkRollback } from "../../functions/handlers/check-rollback.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { digest, restartTarget } from "../support/digest-workloads.ts";
import { updateInput } from "../support/workloads.ts";
import { readMachine } from "../machines/asl-files.ts";

/** The input of every Task in execution e-1, which updates the workload of test/support to 1.1.0. */
export const step: StepInput = { ...updateInput, execution: "e-1" };

/** The input of every Task in execution e-1, which restarts the workload for the second digest of its tag. */
export const restartStep: StepInput = {
  ...step,
  target: restartTarget,
  strategy: "restart",
  digests: `app:${digest(2)}`,
};

/** Runs RollBack and, if it reverts, CheckRollback until it ends: the fake pods are ready at once, and stay so. */
export async function revert(
  ports: Ports & Partial<Pick<FakePorts, "pass">>,
  input: TaskInput<"RollBack">,
): Promise<StepResult<string>> {
  const result = await rollBack(ports, input);
  if (result.kind !== "reverting") return result;
  const check = { ...input, executionStartedAt: ports.now().toISOString() };
  const first = await checkRollback(ports, check);
  if (first.kind !== "progressing" || ports.pass === undefined) return first;
  ports.pass(60);
  return checkRollback(ports, check);
}

/** Creates ports with one workload, or none. */
export function around(initial: Workload | null, options: FakeOptions = {}): FakePorts {
  return fakePorts({ workloads: initial === null ? [] : [initial], ...options });
}

/** Returns the workload with another uid, as if it was recreated. */
export function withNewUid(initial: Workload): Workload {
  return { ...initial, ref: { ...initial.ref, uid: "u-9" } };
}

/** Throws on every port call that writes. */
export function writesNothing(moment: string): void {
  if (/^before (?:change|emitEvent|publish|deleteStuckPods|evictPod|start)/.test(moment))
    throw new Error(`${moment}: a write`);
}

/** Expects every field that the ResultSelector names: a missing one fails the execution and no Catch applies. */
export function expectSelectable(task: TaskName, result: object): void {
  const selector = readMachine("workload-update").States[task]?.["ResultSelector"] as Readonly<Record<string, string>>;
  const fields = Object.values(selector).map((path) => path.replace("$.Payload.", ""));
  expect(Object.keys(result)).toEqual(expect.arrayContaining(fields));
}
