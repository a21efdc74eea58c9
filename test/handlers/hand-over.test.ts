import { expect, test } from "vitest";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { handOver } from "../../functions/handlers/hand-over.ts";
import { noon, updating } from "../support/workloads.ts";
import { around, expectSelectable, step } from "./steps.ts";

test("starts one execution that goes on, however often it is repeated", async () => {
  const ports = around(updating());
  const answers = [await handOver(ports, step), await handOver(ports, step)];
  const { execution: _execution, ...input } = step;
  expect(ports.executions.started).toEqual([{ name: expect.any(String), input: { ...input, recovering: true } }]);
  expect(answers[1]).toEqual(answers[0]);
  expectSelectable("HandOver", answers[0] ?? {});
});

test("the next execution takes the claim, and the one before has lost it", async () => {
  const ports = around(updating());
  await handOver(ports, step);
  const [next] = ports.executions.started;
  expect(next?.name).not.toBe(step.execution);
  await adoptUpdate(ports, { ...step, execution: next?.name ?? "" });
  const look = { ...step, executionStartedAt: noon.toISOString() };
  expect(await checkReadiness(ports, { ...look, execution: next?.name ?? "" })).toMatchObject({ kind: "ready" });
  expect(await checkReadiness(ports, look)).toMatchObject({ kind: "superseded" });
});

test("executions handed over one after another have different names", async () => {
  const ports = around(updating());
  await handOver(ports, step);
  await handOver(ports, { ...step, execution: ports.executions.started[0]?.name ?? "" });
  expect(new Set(ports.executions.started.map(({ name }) => name)).size).toBe(2);
});
