import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Conflict } from "../../functions/adapters/errors.ts";
import type { PoolStepInput } from "../../functions/pool-contract.ts";
import { poolLambda, type PoolTask } from "../../functions/task.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { keptOutput } from "../support/output.ts";
import { flushed } from "./flushed.ts";

const wiring = vi.hoisted(() => ({ ports: null as unknown }));
vi.mock("../../functions/wiring.ts", () => ({ portsFromEnvironment: async () => wiring.ports }));

const step: PoolStepInput = {
  cluster: "production",
  pool: { name: "workers", uid: "pool-1" },
  after: "",
  recovering: false,
  execution: "e-1",
};

let ports: FakePorts;
let lines: readonly string[];
beforeEach(() => {
  ports = fakePorts({});
  wiring.ports = ports;
  lines = keptOutput();
});

describe("input that cannot be worked on is refused, field by field", () => {
  test.for([
    { input: null, says: "input must be an object" },
    { input: { ...step, recovering: undefined }, says: "recovering must be true or false" },
    { input: { ...step, recovering: "false" }, says: "recovering must be true or false" },
    { input: { ...step, pool: undefined }, says: "pool must be an object" },
    { input: { ...step, pool: { name: "workers" } }, says: "pool.uid must be a text that is not empty" },
    { input: { ...step, pool: { uid: "pool-1" } }, says: "pool.name must be a text that is not empty" },
    { input: { ...step, after: undefined }, says: "after must be a text" },
    { input: { ...step, after: null }, says: "after must be a text" },
    { input: { ...step, execution: "" }, says: "execution must be a text that is not empty" },
    {
      input: {},
      says: [
        "cluster must be a text that is not empty",
        "pool must be an object",
        "after must be a text",
        "recovering must be true or false",
        "execution must be a text that is not empty",
      ].join("; "),
    },
  ])("$says", async ({ input, says }) => {
    const task = vi.fn<PoolTask<"ClaimPool">>();
    await expect(poolLambda(task)(input as never)).rejects.toMatchObject({ name: "InputInvalid", message: says });
    expect(task).not.toHaveBeenCalled();
  });

  test("fields that a newer machine may send are none of them, and go to the task", async () => {
    const task = vi.fn<PoolTask<"HandOverPool">>(async () => ({ kind: "handed-over", reason: "" }));
    const more = { ...step, ticks: 3 };
    expect(await poolLambda(task)(more)).toEqual({ kind: "handed-over", reason: "" });
    expect(task.mock.calls[0]?.slice(0, 2)).toEqual([ports, more]);
  });
});

test("a task is told when its time is up, so that it stops before it is cut off", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeout.mockRestore());
  const task = vi.fn<PoolTask<"HandOverPool">>(async () => ({ kind: "handed-over", reason: "" }));
  await poolLambda(task)(step, { getRemainingTimeInMillis: () => 60_000 });
  expect(timeout.mock.calls).toEqual([[51_000]]);
  expect(task.mock.calls[0]?.[2]?.outOfTime).toBe(timeout.mock.results[0]?.value);
});

test("what is done stands in the log with the pool and the execution that it was done for", async () => {
  await poolLambda<"HandOverPool">(async () => ({ kind: "handed-over", reason: "on" }))(step);
  const done = lines.filter((line) => line.includes('"done"')).map((line) => JSON.parse(line) as object);
  const { cluster, pool, execution } = step;
  expect(done).toMatchObject([{ cluster, pool, execution, outcome: { kind: "handed-over" } }]);
});

test("a failure is measured by its name, handed over, and thrown on by the name that the machine retries on", async () => {
  const seen = flushed(wiring, ports);
  const failing = poolLambda<"ClaimPool">(() => Promise.reject(new Conflict("changed")));
  await expect(failing(step)).rejects.toMatchObject({ name: "Conflict" });
  expect(seen).toEqual([{ name: "pawl_errors_total", value: 1, labels: { error: "Conflict" } }]);
});

test.for(["settled", "held", "halted"] as const)("an end of a rollout, %s, is no end of an update", async (kind) => {
  const seen = flushed(wiring, ports);
  await poolLambda<"ReleasePool">(async () => ({ kind, reason: "" }))({ ...step, verdict: kind, reason: "" });
  expect(seen).toEqual([]);
});
