import { describe, expect, test } from "vitest";
import { handler, recordCheck } from "../../../functions/handlers/record-check.ts";
import type { Check, RecordCheckInput } from "../../../functions/ports/check-recorder.ts";
import { Forbidden, Throttled, Unreachable } from "../../../functions/ports/errors.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { workload, updateTarget } from "../../support/workloads.ts";
import { idleWorkload } from "../../workflows/poll/fixtures.ts";
import { handlerError } from "../handler-error.ts";
import { problemsOf } from "../../support/problems.ts";

const check: Check = {
  workload: workload().ref,
  resourceVersion: "7",
  recordVersion: "r-7",
  decision: { kind: "problem", problems: problemsOf("schedule: what?") },
};
const hold = { kind: "hold", reason: "same-digest", detail: "as before", target: null };
const update: Check = { ...check, decision: { kind: "update", target: updateTarget } };

function inputOf(...checks: readonly unknown[]): RecordCheckInput {
  return { cluster: "production", checks: checks as readonly Check[] };
}

test.for([
  { when: "a problem", request: check, kind: "written", expected: ["Update Held"] },
  { when: "an update", request: update, kind: "written", expected: ["Update Available"] },
  { when: "a decision about an older state", request: { ...check, resourceVersion: "6" }, kind: "changed" },
  { when: "a decision about an older AutoUpdate", request: { ...check, recordVersion: "r-6" }, kind: "changed" },
  { when: "a decision before its AutoUpdate existed", request: { ...check, recordVersion: null }, kind: "changed" },
  { when: "an update on an older state", request: { ...update, resourceVersion: "6" }, kind: "changed" },
  { when: "a deleted object", request: { ...check, workload: { ...check.workload, uid: "u-9" } }, kind: "changed" },
])("$when: $kind", async ({ request, kind, expected = [] }) => {
  const ports = fakePorts({ workloads: [workload()] });
  expect(await recordCheck(ports, inputOf(request))).toMatchObject({
    results: [{ kind, reason: expect.stringContaining("Deployment shop/app") as string }],
  });
  expect(ports.published.map(({ type }) => type)).toEqual(expected);
});

test("a recorded decision is not recorded again", async () => {
  const known = workload({ lastReported: { held: null, problem: "schedule: what?" } });
  const ports = fakePorts({ workloads: [known] });
  expect(await recordCheck(ports, inputOf(check))).toMatchObject({ results: [{ kind: "nothing-new" }] });
  expect(ports.cluster.get()).toEqual(known);
});

describe("in a batch", () => {
  const names = ["a", "b", "c"];
  const workloads = names.map((name) => idleWorkload(name));
  const checks = workloads.map(({ ref }) => ({ ...check, workload: ref }));

  function portsThatFail(error: Error, uid: string) {
    const ports = fakePorts({ workloads });
    const change: typeof ports.cluster.change = async (one, ...rest) => {
      if (one.ref.uid === uid) throw error;
      return ports.cluster.change(one, ...rest);
    };
    return { ports, failing: { ...ports, cluster: { ...ports.cluster, change } } };
  }

  test.for([
    { error: new Forbidden("patch: 403"), expected: { error: "Forbidden", message: "patch: 403" } },
    { error: new Unreachable("no answer"), expected: { error: "Unreachable", message: "no answer" } },
    { error: new Throttled("patch: 429", 0), expected: { error: "Throttled", message: "patch: 429" } },
    { error: new TypeError("x".repeat(5000)), expected: { error: "TypeError", message: `${"x".repeat(999)}…` } },
  ])("a check that fails with $expected.error affects no other", async ({ error, expected }) => {
    const { ports, failing } = portsThatFail(error, "uid-of-b");
    const { results } = await recordCheck(failing, inputOf(...checks));
    expect(results).toMatchObject([{ kind: "written" }, { kind: "failed", ...expected }, { kind: "written" }]);
    expect(ports.published.map((event) => event.workload.name)).toEqual(["a", "c"]);
  });

  test("a check that is invalid affects no other", async () => {
    const ports = fakePorts({ workloads });
    const [a, b, c] = checks;
    const { results } = await recordCheck(ports, inputOf(a, { ...b, decision: { kind: "adopt" } }, c));
    expect(results).toMatchObject([
      { kind: "written" },
      { kind: "failed", error: "InputInvalid" },
      { kind: "written" },
    ]);
  });

  test("one that the API server throttles is repeated after the delay that it asks for", async () => {
    const { failing } = portsThatFail(new Error("unused"), "none");
    let throttled = 0;
    const change: typeof failing.cluster.change = async (one, ...rest) => {
      if (one.ref.uid === "uid-of-b" && throttled++ < 2) throw new Throttled("429", 0.01);
      return failing.cluster.change(one, ...rest);
    };
    const { results } = await recordCheck({ ...failing, cluster: { ...failing.cluster, change } }, inputOf(...checks));
    expect(results).toMatchObject(names.map(() => ({ kind: "written" })));
    expect(throttled).toBe(3);
  });

  test("those that were not started at the deadline are left to the next poll", async () => {
    const ports = fakePorts({ workloads });
    const { results } = await recordCheck(ports, inputOf(...checks), { signal: AbortSignal.abort() });
    expect(results).toMatchObject(names.map(() => ({ kind: "failed", error: "Unreachable" })));
    expect(ports.published).toEqual([]);
  });
});

describe("rejects invalid input", () => {
  test.for([
    {
      request: { ...check, resourceVersion: undefined },
      message: "resourceVersion: is missing; use a non-empty string",
    },
    {
      request: { ...check, decision: { ...hold, digests: { deployed: "app:sha256:aa" } } },
      message: 'decision.digests.deployed: "app:sha256:aa" is not an object',
    },
    {
      request: { ...check, decision: { ...hold, config: { deployed: { "configmap/app": 1 } } } },
      message: 'decision.config.deployed["configmap/app"]: 1 is not a string',
    },
    { request: { ...check, decision: "update" }, message: 'decision: "update" is not an object' },
    {
      request: { ...check, decision: { kind: "adopt" } },
      message: 'decision.kind: "adopt" is not one of hold, problem, update, request',
    },
    {
      request: { ...update, decision: { kind: "update", target: { kind: "image" } } },
      message: "decision.target.image: is missing; use a non-empty string",
    },
    {
      request: { ...check, decision: { kind: "problem", problems: "no" } },
      message: 'decision.problems: "no" is not a list',
    },
  ])("$message", async ({ request, message }) => {
    const { results } = await recordCheck(fakePorts({}), inputOf(request));
    expect(results).toMatchObject([
      { kind: "failed", error: "InputInvalid", message: expect.stringContaining(message) as string },
    ]);
  });

  test.for([
    { input: { cluster: "production", checks: [] }, message: "checks: has 0 entries, at least 1 needed" },
    { input: inputOf(...Array.from({ length: 101 }, () => check)), message: "checks: has 101 entries, at most 100" },
    { input: { cluster: "production", ...check }, message: "checks: is missing; use a list" },
  ])("$message", async ({ input, message }) => {
    const error = await handlerError(handler, input);
    expect(error).toMatchObject({ name: "InputInvalid", message: expect.stringContaining(message) as string });
  });
});
