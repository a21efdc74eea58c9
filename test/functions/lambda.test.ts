import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Unreachable } from "../../functions/adapters/errors.ts";
import type { RecordCheckInput } from "../../functions/ports/checks.ts";
import { fields, text } from "../../functions/input.ts";
import { lambda, lambdaOf } from "../../functions/task.ts";
import { fakePorts, type FakePorts } from "../support/fake-ports.ts";
import { keptOutput } from "../support/output.ts";
import { image, workload } from "../support/workloads.ts";
import { flushed } from "./flushed.ts";

const wiring = vi.hoisted(() => ({ ports: null as unknown }));
vi.mock("../../functions/wiring.ts", () => ({ portsFromEnvironment: async () => wiring.ports }));

const { ref } = workload();
const step = { cluster: "production", workload: ref, image, execution: "e-1", strategy: "rolling", recovering: false };

let ports: FakePorts;
let lines: readonly string[];
beforeEach(() => {
  ports = fakePorts({});
  wiring.ports = ports;
  lines = keptOutput();
});

const updates = (result: string) => [{ name: "claw_autoupdate_updates_total", value: 1, labels: { result } }];

describe("an answer of a step", () => {
  test.for([
    { kind: "recorded", measured: updates("success") },
    { kind: "rolled-back", measured: updates("rollback") },
    { kind: "tripped", measured: updates("rollback") },
    { kind: "not-applied", measured: [] },
    { kind: "superseded", measured: [] },
  ] as const)("$kind is measured as $measured", async ({ kind, measured }) => {
    const seen = flushed(wiring, ports);
    const answer = { kind, reason: "" } as never;
    expect(await lambda<"RollBack">(async () => answer)(step as never)).toBe(answer);
    expect(seen).toEqual(measured);
  });

  test("is no end of an update where it is no step's", async () => {
    const seen = flushed(wiring, ports);
    const anything = lambdaOf(fields({}), async () => ({ kind: "recorded" }));
    await anything({ cluster: "production" });
    expect(seen).toEqual([]);
  });
});

test("a failure is measured by its name, handed over, and thrown on", async () => {
  const seen = flushed(wiring, ports);
  const failing = lambda<"RecordSuccess">(() => Promise.reject(new Unreachable("no answer")));
  await expect(failing(step as never)).rejects.toBeInstanceOf(Unreachable);
  expect(seen).toEqual([{ name: "pawl_errors_total", value: 1, labels: { error: "Unreachable" } }]);
});

describe("input that cannot be worked on is refused, field by field", () => {
  test.for([
    { input: null, says: "input must be an object" },
    { input: "production", says: "input must be an object" },
    { input: [], says: "input must be an object" },
    { input: { ...step, cluster: "" }, says: "cluster must be a text that is not empty" },
    { input: { ...step, workload: undefined }, says: "workload must be an object" },
    { input: { ...step, workload: { ...ref, uid: 7 } }, says: "workload.uid must be a text that is not empty" },
    { input: { ...step, recovering: "no" }, says: "recovering must be true or false" },
    {
      input: { ...step, image: undefined, execution: null },
      says: "image must be a text that is not empty; execution must be a text that is not empty",
    },
  ])("$says", async ({ input, says }) => {
    const task = vi.fn();
    await expect(lambda(task)(input as never)).rejects.toMatchObject({ name: "InputInvalid", message: says });
    expect(task).not.toHaveBeenCalled();
  });

  test("fields that a newer machine may send are none of them", async () => {
    const more = { ...step, canaryPercent: 10 } as never;
    await expect(lambda<"HandOver">(async () => ({ kind: "handed-over", reason: "" }))(more)).resolves.toMatchObject({
      kind: "handed-over",
    });
  });

  test("a task has rules of its own", async () => {
    const own = lambdaOf<RecordCheckInput, null>(fields({ cluster: text, resourceVersion: text }), async () => null);
    await expect(own({ cluster: "c" } as never)).rejects.toThrow("resourceVersion must be a text");
  });
});

describe("time", () => {
  test("is up while there is still some left to put down what was done", async () => {
    const seconds = (remaining: number) => ({ getRemainingTimeInMillis: () => remaining * 1000 });
    const signals: AbortSignal[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    const task = lambdaOf(fields({}), async (_ports, _input, { outOfTime }) => void signals.push(outOfTime));
    for (const remaining of [300, 60]) await task({ cluster: "production" }, seconds(remaining));
    expect(timeout.mock.calls).toEqual([[255_000], [51_000]]);
    expect(signals).toEqual(timeout.mock.results.map(({ value }) => value as AbortSignal));
  });

  test("is never up where nobody says how much there is", async () => {
    const task = lambdaOf(fields({}), async (_ports, _input, { outOfTime }) => outOfTime.aborted);
    expect(await task({ cluster: "production" })).toBe(false);
  });
});

test("what a task warns of stands in the log, with what it was about", async () => {
  const task = lambdaOf(fields({}), async (_ports, _input, { warn }) => warn("not decided", { reason: "no answer" }));
  await task({ cluster: "production" });
  const warnings = lines.filter((line) => line.includes("not decided")).map((line) => JSON.parse(line) as object);
  expect(warnings).toMatchObject([{ level: "WARN", cluster: "production", reason: "no answer" }]);
});
