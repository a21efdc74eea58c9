import { expect, test } from "vitest";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { noon, updatingWorkload } from "../../support/workloads.ts";
import { around, expectSelectable, step } from "../steps.ts";

test("starts one continuation, even if it is repeated", async () => {
  const ports = around(updatingWorkload());
  const results = [await continueAsNew(ports, step), await continueAsNew(ports, step)];
  const { execution: _execution, ...input } = step;
  expect(ports.executions.started).toEqual([{ name: expect.any(String), input: { ...input, adopting: true } }]);
  expect(results[1]).toEqual(results[0]);
  expectSelectable("ContinueAsNew", results[0] ?? {});
});

test("the next execution takes over the claim, and the previous one has lost it", async () => {
  const ports = around(updatingWorkload());
  await continueAsNew(ports, step);
  const [next] = ports.executions.started;
  expect(next?.name).not.toBe(step.execution);
  await adoptUpdate(ports, { ...step, execution: next?.name ?? "" });
  const checkStep = { ...step, executionStartedAt: noon.toISOString() };
  expect(await checkReadiness(ports, { ...checkStep, execution: next?.name ?? "" })).toMatchObject({ kind: "ready" });
  expect(await checkReadiness(ports, checkStep)).toMatchObject({ kind: "superseded" });
});

test("consecutive continuations have different names", async () => {
  const ports = around(updatingWorkload());
  await continueAsNew(ports, step);
  await continueAsNew(ports, { ...step, execution: ports.executions.started[0]?.name ?? "" });
  expect(new Set(ports.executions.started.map(({ name }) => name)).size).toBe(2);
});
