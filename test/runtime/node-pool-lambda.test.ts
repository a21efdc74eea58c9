import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Conflict } from "../../functions/ports/errors.ts";
import type { PoolStepInput } from "../../functions/contract/node-pool-rollout.ts";
import type { PoolTask } from "../../functions/contract/task.ts";
import { poolLambda } from "../../functions/runtime/lambda.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { captureOutput } from "../support/run/output.ts";
import { captureFlushedMetrics } from "./flush-metrics.ts";

const composition = vi.hoisted(() => ({ ports: null as unknown }));
vi.mock("../../functions/runtime/compose-ports.ts", () => ({ portsFromEnvironment: async () => composition.ports }));

const step: PoolStepInput = {
  cluster: "production",
  pool: { name: "workers", uid: "pool-1" },
  previousExecution: "",
  adopting: false,
  execution: "e-1",
};

let ports: FakePorts;
let lines: readonly string[];
beforeEach(() => {
  ports = fakePorts({});
  composition.ports = ports;
  lines = captureOutput();
});

describe("invalid input is rejected with every invalid field", () => {
  test.for([
    { input: null, message: "input: null is not an object" },
    { input: { ...step, adopting: undefined }, message: "adopting: is missing; use true or false" },
    { input: { ...step, adopting: "false" }, message: 'adopting: "false" is not true or false' },
    { input: { ...step, pool: undefined }, message: "pool: is missing; use an object" },
    { input: { ...step, pool: { name: "workers" } }, message: "pool.uid: is missing; use a non-empty string" },
    { input: { ...step, pool: { uid: "pool-1" } }, message: "pool.name: is missing; use a non-empty string" },
    { input: { ...step, previousExecution: undefined }, message: "previousExecution: is missing; use a string" },
    { input: { ...step, previousExecution: null }, message: "previousExecution: null is not a string" },
    { input: { ...step, execution: "" }, message: 'execution: "" is not a non-empty string' },
    {
      input: {},
      message: [
        "cluster: is missing; use a non-empty string",
        "pool: is missing; use an object",
        "previousExecution: is missing; use a string",
        "adopting: is missing; use true or false",
        "execution: is missing; use a non-empty string",
      ].join("; "),
    },
  ])("$message", async ({ input, message }) => {
    const task = vi.fn<PoolTask<"ClaimPool">>();
    await expect(poolLambda({ task })(input as never)).rejects.toMatchObject({ name: "InputInvalid", message });
    expect(task).not.toHaveBeenCalled();
  });

  test("additional fields, which a newer machine may send, are accepted and passed to the task", async () => {
    const task = vi.fn<PoolTask<"ContinuePoolAsNew">>(async () => ({ kind: "continued", reason: "" }));
    const more = { ...step, rounds: 3 };
    expect(await poolLambda({ task })(more)).toEqual({ kind: "continued", reason: "" });
    expect(task.mock.calls[0]?.slice(0, 2)).toEqual([ports, more]);
  });
});

test("a task gets a signal that is aborted before the function times out", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeout.mockRestore());
  const task = vi.fn<PoolTask<"ContinuePoolAsNew">>(async () => ({ kind: "continued", reason: "" }));
  await poolLambda({ task })(step, { getRemainingTimeInMillis: () => 60_000 });
  expect(timeout.mock.calls).toEqual([[51_000]]);
  expect(task.mock.calls[0]?.[2]?.signal).toBe(timeout.mock.results[0]?.value);
});

test("a completed task is logged with its pool and execution", async () => {
  await poolLambda<"ContinuePoolAsNew">({ task: async () => ({ kind: "continued", reason: "on" }) })(step);
  const completed = lines.filter((line) => line.includes("task completed")).map((line) => JSON.parse(line) as object);
  const { cluster, pool, execution } = step;
  expect(completed).toMatchObject([{ cluster, pool, execution, outcome: { kind: "continued" } }]);
});

test("an error is counted by its name and rethrown with the name that the machine retries on", async () => {
  const recorded = captureFlushedMetrics(composition, ports);
  const failing = poolLambda<"ClaimPool">({ claimPool: () => Promise.reject(new Conflict("changed")) });
  await expect(failing(step)).rejects.toMatchObject({ name: "Conflict" });
  expect(recorded).toEqual([{ name: "pawl_errors_total", value: 1, labels: { error: "Conflict" } }]);
});

test.for(["completed", "held", "halted"] as const)(
  "the end of a rollout, %s, is not counted as an update",
  async (kind) => {
    const recorded = captureFlushedMetrics(composition, ports);
    await poolLambda<"ReleasePool">({ task: async () => ({ kind, reason: "" }) })({
      ...step,
      verdict: kind,
      reason: "",
    });
    expect(recorded).toEqual([]);
  },
);
