import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Conflict, Unreachable } from "../../functions/ports/errors.ts";
import type { RecordCheckInput } from "../../functions/ports/check-recorder.ts";
import { nonEmptyString } from "../../functions/contract/validate.ts";
import { openObject } from "../../functions/domain/text/schema.ts";
import { createHandler, lambda } from "../../functions/runtime/lambda.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { captureOutput } from "../support/run/output.ts";
import { updateTarget, workload } from "../support/workloads.ts";
import { captureFlushedMetrics } from "./flush-metrics.ts";

const composition = vi.hoisted(() => ({ ports: null as unknown }));
vi.mock("../../functions/runtime/compose-ports.ts", () => ({ portsFromEnvironment: async () => composition.ports }));

const { ref } = workload();
const step = {
  cluster: "production",
  workload: ref,
  target: updateTarget,
  execution: "e-1",
  strategy: "rolling",
  digests: "",
  adopting: false,
};

let ports: FakePorts;
let lines: readonly string[];
beforeEach(() => {
  ports = fakePorts({});
  composition.ports = ports;
  lines = captureOutput();
});

const updates = (result: string) => [{ name: "claw_autoupdate_updates_total", value: 1, labels: { result } }];

describe("the result of a step", () => {
  test.for([
    { kind: "recorded", metrics: updates("success") },
    { kind: "rolled-back", metrics: updates("rollback") },
    { kind: "circuit-tripped", metrics: updates("rollback") },
    { kind: "refused", metrics: [] },
    { kind: "superseded", metrics: [] },
  ] as const)("$kind is counted as $metrics", async ({ kind, metrics }) => {
    const recorded = captureFlushedMetrics(composition, ports);
    const result = { kind, reason: "" } as never;
    expect(await lambda<"RollBack">({ rollBack: async () => result })(step as never)).toBe(result);
    expect(recorded).toEqual(metrics);
  });

  test("is not counted if the function is not a step", async () => {
    const recorded = captureFlushedMetrics(composition, ports);
    const handler = createHandler(openObject({}), { task: async () => ({ kind: "recorded" }) });
    await handler({ cluster: "production" });
    expect(recorded).toEqual([]);
  });
});

test("an error is counted by its name and rethrown, and the metrics are flushed", async () => {
  const recorded = captureFlushedMetrics(composition, ports);
  const failing = lambda<"RecordSuccess">({ recordSuccess: () => Promise.reject(new Unreachable("no answer")) });
  await expect(failing(step as never)).rejects.toBeInstanceOf(Unreachable);
  expect(recorded).toEqual([{ name: "pawl_errors_total", value: 1, labels: { error: "Unreachable" } }]);
});

test("a step is tried again if an object has changed, and counted once", async () => {
  const recorded = captureFlushedMetrics(composition, ports);
  const result = { kind: "recorded", reason: "" } as never;
  const task = vi.fn<() => Promise<never>>().mockRejectedValueOnce(new Conflict("changed")).mockResolvedValue(result);
  expect(await lambda<"RecordSuccess">({ task })(step as never)).toBe(result);
  expect(task).toHaveBeenCalledTimes(2);
  expect(recorded).toEqual(updates("success"));
});

test("metrics that cannot be written fail no step, and are logged", async () => {
  const flush = () => {
    throw new RangeError("too many dimensions");
  };
  composition.ports = { ...ports, metrics: { ...ports.metrics, flush } };
  const result = { kind: "recorded", reason: "" } as never;
  expect(await lambda<"RecordSuccess">({ recordSuccess: async () => result })(step as never)).toBe(result);
  expect(lines.join("\n")).toContain("too many dimensions");
});

describe("invalid input is rejected with every invalid field", () => {
  test.for([
    { input: null, message: "input: null is not an object" },
    { input: "production", message: 'input: "production" is not an object' },
    { input: [], message: "input: [] is not an object" },
    { input: { ...step, cluster: "" }, message: 'cluster: "" is not a non-empty string' },
    { input: { ...step, workload: undefined }, message: "workload: is missing; use an object" },
    { input: { ...step, workload: { ...ref, uid: 7 } }, message: "workload.uid: 7 is not a non-empty string" },
    { input: { ...step, adopting: "no" }, message: 'adopting: "no" is not true or false' },
    {
      input: { ...step, target: undefined, execution: null },
      message: "target: is missing; use an object; execution: null is not a non-empty string",
    },
  ])("$message", async ({ input, message }) => {
    const task = vi.fn();
    await expect(lambda({ task })(input as never)).rejects.toMatchObject({ name: "InputInvalid", message });
    expect(task).not.toHaveBeenCalled();
  });

  test("additional fields, which a newer machine may send, are accepted", async () => {
    const more = { ...step, canaryPercent: 10 } as never;
    await expect(
      lambda<"ContinueAsNew">({ continueAsNew: async () => ({ kind: "continued", reason: "" }) })(more),
    ).resolves.toMatchObject({
      kind: "continued",
    });
  });

  test("each function has its own rules", async () => {
    const handler = createHandler<RecordCheckInput, null>(
      openObject({ cluster: nonEmptyString, resourceVersion: nonEmptyString }),
      { recordCheck: async () => null },
    );
    await expect(handler({ cluster: "c" } as never)).rejects.toThrow(
      "resourceVersion: is missing; use a non-empty string",
    );
  });
});

describe("the deadline", () => {
  test("leaves time to record what was done", async () => {
    const seconds = (remaining: number) => ({ getRemainingTimeInMillis: () => remaining * 1000 });
    const signals: AbortSignal[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    const task = createHandler(openObject({}), {
      task: async (_ports, _input, { signal }) => void signals.push(signal),
    });
    for (const remaining of [300, 60]) await task({ cluster: "production" }, seconds(remaining));
    expect(timeout.mock.calls).toEqual([[255_000], [51_000]]);
    expect(signals).toEqual(timeout.mock.results.map(({ value }) => value as AbortSignal));
  });

  test("never passes without a Lambda context", async () => {
    const task = createHandler(openObject({}), { task: async (_ports, _input, { signal }) => signal.aborted });
    expect(await task({ cluster: "production" })).toBe(false);
  });
});

test("a warning of a task is logged with its context", async () => {
  const task = createHandler(openObject({}), {
    task: async (_ports, _input, { warn }) => warn("workload evaluation failed", { reason: "no answer" }),
  });
  await task({ cluster: "production" });
  const warnings = lines
    .filter((line) => line.includes("workload evaluation failed"))
    .map((line) => JSON.parse(line) as object);
  expect(warnings).toMatchObject([{ level: "WARN", cluster: "production", reason: "no answer" }]);
});
