import { expect } from "vitest";
import type { StepInput, TaskName } from "../../functions/contract.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { digest, second } from "../support/followed.ts";
import { updateInput } from "../support/workloads.ts";
import { readMachine } from "../machines/asl-files.ts";

/** What every Task is given by execution e-1, which brings the workload of test/support to 1.1.0. */
export const step: StepInput = { ...updateInput, execution: "e-1" };

/** What execution e-1 is given that restarts it for the second digest behind its tag. */
export const restartStep: StepInput = { ...step, image: second, strategy: "restart", digests: `app:${digest(2)}` };

/** Ports around one workload; null where it is gone. */
export function around(seen: Workload | null, options: FakeOptions = {}): FakePorts {
  return fakePorts({ workloads: seen === null ? [] : [seen], ...options });
}

/** A workload of the same name that was made anew. */
export function recreated(seen: Workload): Workload {
  return { ...seen, ref: { ...seen.ref, uid: "u-9" } };
}

/** A port call that changes anything is an error. */
export function writesNothing(moment: string): void {
  if (/^before (?:change|announce|publish|freeStuckPods|start)/.test(moment)) throw new Error(`${moment}: a write`);
}

/** The machine selects these fields of the answer: one that is missing would fail the execution, past every Catch. */
export function expectSelectable(task: TaskName, answer: object): void {
  const selector = readMachine("workload-update").States[task]?.["ResultSelector"] as Readonly<Record<string, string>>;
  const fields = Object.values(selector).map((path) => path.replace("$.Payload.", ""));
  expect(Object.keys(answer)).toEqual(expect.arrayContaining(fields));
}
