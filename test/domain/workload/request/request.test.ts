import { describe, expect, test } from "vitest";
import {
  formatRequest,
  isRefused,
  parseRequest,
  type PersonRequest,
} from "../../../../functions/domain/workload/request/person-request.ts";
import {
  answerRequest,
  decideRequest,
  refusePromotion,
  requestRefusal,
} from "../../../../functions/domain/workload/request/request.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  canaryWorkload,
  claw,
  noon,
  rollingBack,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";

const asked = (verb: string, argument: string | null = null): PersonRequest => ({ verb, argument, token: "t-1" });

describe("the lines after a request", () => {
  const written: PersonRequest = { ...asked("push", "1.2.0"), by: "anna", reason: " incident\n7 " };
  const text = formatRequest(written, "uid-1");

  test("say who asks and why, on one line each", () => {
    expect(text).toBe("push 1.2.0 t-1\nuser anna\nrecord uid-1\nmessage incident 7");
    expect(parseRequest(text, [], "uid-1")).toEqual({ ...written, reason: "incident 7" });
  });

  test("name nobody in a copy of the object, and no reason is none", () => {
    expect(parseRequest(text, [], "uid-2")).toEqual({ ...asked("push", "1.2.0"), reason: "incident 7" });
    expect(parseRequest("push 1.2.0 t-1\nuser anna", [], "uid-1")).toEqual(asked("push", "1.2.0"));
    const long = `push 1.2.0 t-1\nuser ${"x".repeat(257)}\nrecord uid-1`;
    expect(parseRequest(long, [], "uid-1")).toEqual(asked("push", "1.2.0"));
    expect(formatRequest({ ...asked("reset"), by: "anna" })).toBe("reset t-1");
  });

  test("bound what they say", () => {
    expect(formatRequest({ ...asked("reset"), reason: "x".repeat(500) })).toHaveLength(
      "reset t-1\nmessage ".length + 256,
    );
  });

  test("keep a request from being read twice as the first line does", () => {
    expect(parseRequest(text, ["t-1"], "uid-1")).toBeNull();
  });
});

describe("parsing", () => {
  test.for<[string | undefined, string | undefined, PersonRequest | null]>([
    ["reset t-1", undefined, asked("reset")],
    ["  push   1.2.0\tt-1 ", undefined, asked("push", "1.2.0")],
    ["reset t-1", "t-0", asked("reset")],
    ["reset t-1", "t-1", null],
    ["push 1.2.0 t-1", "t-1", null],
    ["push 1.2.0 t-0", "t-1", { verb: "repeated", argument: null, token: "t-0" }],
    ["", undefined, null],
    [undefined, undefined, null],
    // Without a token, or with more words, it is answered as unknown, once.
    ["reset", undefined, { verb: "", argument: null, token: "reset" }],
    ["reset", "reset", null],
    ["push 1.2.0 now t-1", undefined, asked("")],
    [`push ${"1".repeat(129)} t-1`, undefined, asked("")],
    [`push 1.2.0 ${" ".repeat(1010)}t-1`, undefined, asked("push", "1.2.0")],
    [`push 1.2.0 ${" ".repeat(1100)}t-1`, undefined, { verb: "", argument: null, token: "1.2.0" }],
    [`push ${"1 ".repeat(100_000)}`, undefined, { verb: "", argument: null, token: "1" }],
  ])("%j after %j", ([text, handled, expected]) => {
    expect(parseRequest(text, handled === undefined ? [] : [handled, "t-0"])).toEqual(expected);
  });

  test("a token is cut, and still tells the request from the next", () => {
    const [first, second] = ["a", "b"].map((end) => parseRequest(`reset ${end}${"x".repeat(200)}`, []));
    expect(first?.token).toHaveLength(128);
    expect(first?.token).not.toBe(second?.token);
    expect(parseRequest(`reset a${"x".repeat(200)}`, [first?.token ?? ""])).toBeNull();
  });
});

const failed = { updateRecord: { failedVersions: ["1.1.0", "1.2.0"], currentVersion: "1.0.0" } };
const tripped = { updateRecord: { ...failed.updateRecord, circuitOpen: true, rollbackCount: 1 } };

const laterFailed = "1.2.0 failed too, and only a newer version is tried; use retry without a version to allow all";

describe("answers", () => {
  test.for<{ request: PersonRequest; to: Workload; result: string; record?: object }>([
    {
      request: asked("promote"),
      to: workload(),
      result: "refused: no canary is in flight; use pawl push to start an update",
    },
    {
      request: asked("promote", "full"),
      to: workload(),
      result: "refused: no canary is in flight; use pawl push to start an update",
    },
    {
      request: asked("abort"),
      to: workload(),
      result: "refused: no update is in flight; use pawl rollback to restore an earlier release",
    },
    {
      request: asked("promote"),
      to: updatingWorkload(),
      result: "refused: no canary is in flight; use pawl push to start an update",
    },
    {
      request: asked("abort"),
      to: updatingWorkload({ inFlight: rollingBack }),
      result: "refused: it is being rolled back already; use pawl status to watch it",
    },
    {
      request: asked("reset"),
      to: workload(tripped),
      result: "circuit closed, 1 failed attempt no longer counted",
      record: { circuitOpen: false, rollbackCount: 0 },
    },
    {
      request: asked("reset", "failed"),
      to: workload(tripped),
      result: "circuit closed, 1 failed attempt no longer counted, forgot that 1.1.0, 1.2.0 failed",
      record: { circuitOpen: false, rollbackCount: 0, failedVersions: [] },
    },
    {
      request: asked("reset"),
      to: workload(failed),
      result: "refused: there is nothing to reset; use pawl retry to try failed versions again",
    },
    {
      request: asked("reset", "all"),
      to: workload(tripped),
      result: expect.stringMatching(/^refused: reset all is not a request; use promote/) as string,
    },
    {
      request: asked("retry"),
      to: workload(failed),
      result: "every newer version is tried again",
      record: { failedVersions: [] },
    },
    {
      request: asked("retry", "1.1.0"),
      to: workload({ ...failed, policy: { onFailure: "tryOlder" } }),
      result: "1.1.0 is tried again",
      record: { failedVersions: ["1.2.0"] },
    },
    {
      request: asked("retry", "1.1.0"),
      to: workload(failed),
      result: `1.1.0 is not tried yet: ${laterFailed}`,
      record: { failedVersions: ["1.2.0"] },
    },
    {
      request: asked("retry", "1.1.5"),
      to: workload(failed),
      result: `1.1.5 had not failed, but ${laterFailed}`,
      record: { failedVersions: ["1.1.0", "1.2.0"] },
    },
    {
      request: asked("retry", "1.3.0"),
      to: workload(failed),
      result: "1.3.0 had not failed; newer versions are tried again",
      record: { failedVersions: ["1.1.0", "1.2.0"] },
    },
    ...[{ versionConstraint: "~1.1" }, { versionConstraint: "one" }, { tagPattern: "^1.1" }, { tagPattern: "(" }].map(
      (policy) => ({
        request: asked("retry", "1.1.0"),
        to: workload({ ...failed, policy }),
        result: "1.1.0 is tried again",
        record: { failedVersions: ["1.2.0"] },
      }),
    ),
    {
      request: asked("retry", "1.2.0"),
      to: workload(failed),
      result: "1.2.0 is tried again",
      record: { failedVersions: ["1.1.0"] },
    },
    {
      request: asked("retry"),
      to: { ...claw(), source: null },
      result: expect.stringContaining("refused: no version is tracked") as string,
    },
    {
      request: asked("push", "1.1.0"),
      to: updatingWorkload(),
      result: expect.stringMatching(/^refused: an update to .* is in flight; use pawl status to watch it$/) as string,
    },
    {
      request: asked("repeated"),
      to: workload(tripped),
      result: "refused: it was handled before; write it with another token",
    },
    { request: asked("delete"), to: workload(), result: expect.stringMatching(/^refused: not a request; /) as string },
  ])("$request.verb $request.argument: $result", ({ request, to, result, record }) => {
    const { answer, updateRecord } = answerRequest(to, request);
    expect(answer).toEqual({ token: "t-1", verb: request.verb, result });
    expect(updateRecord).toEqual(record);
    expect(requestRefusal(to, request) !== null).toBe(isRefused(answer ?? { token: "", verb: "", result: "" }));
  });

  test("retry lifts the hold on an image that a person set", () => {
    const held = workload({ image: "registry.example.com/shop/app:1.0.0", updateRecord: { currentVersion: "1.1.0" } });
    expect(answerRequest(held, asked("retry")).updateRecord).toEqual({ failedVersions: [], currentVersion: "1.0.0" });
  });

  test("retry during an update does not take its target for the current version", () => {
    const updating = updatingWorkload({ updateRecord: { currentVersion: "1.0.0", failedVersions: ["0.9.0"] } });
    expect(answerRequest(updating, asked("retry")).updateRecord).toEqual({ failedVersions: [] });
  });
});

describe("decisions", () => {
  test("a push is an update to a version that was requested", () => {
    const decided = decideRequest({ ...workload(tripped), request: asked("push", "1.1.0") });
    expect(decided).toMatchObject({ kind: "update", target: updateTarget, isRequested: true });
  });

  const step = { step: 2, steps: 4, plan: "1, pause", size: "25%", since: noon, until: null };
  const notPaused = "the canary is not paused at step 2/4 (25%); use pawl promote --full to update all replicas now";
  test.for<{
    request: PersonRequest;
    waitsFor: NonNullable<Workload["canaryProgress"]>["waitsFor"];
    refusal: string | null;
  }>([
    { request: asked("promote"), waitsFor: "Promotion", refusal: null },
    { request: asked("promote"), waitsFor: "Time", refusal: null },
    { request: asked("promote"), waitsFor: "NextStep", refusal: null },
    {
      request: asked("promote"),
      waitsFor: "Analysis",
      refusal: notPaused,
    },
    { request: asked("promote", "full"), waitsFor: "Analysis", refusal: null },
    { request: asked("abort"), waitsFor: "Analysis", refusal: null },
  ])("the execution of a canary that waits for $waitsFor decides: $request", ({ request, waitsFor, refusal }) => {
    const canary = canaryWorkload({ request, canaryProgress: { ...step, waitsFor } });
    const answer = { token: "t-1", verb: "promote", result: `refused: ${refusal}` };
    expect(decideRequest(canary)).toBeNull();
    expect(requestRefusal(canary, request)).toBe(refusal);
    expect(refusePromotion(canary)).toEqual(refusal === null ? null : { answer });
  });

  test("a canary without recorded steps is not paused either", () => {
    const refusal = "the canary is not paused; use pawl promote --full to update all replicas now";
    expect(requestRefusal(canaryWorkload(), asked("promote"))).toBe(refusal);
    expect(refusePromotion(canaryWorkload())).toBeNull();
  });

  test("a request that no canary understands is refused by the poll", () => {
    const request = asked("promote", "1.2.0");
    expect(decideRequest(canaryWorkload({ request }))).toEqual({ kind: "request", ...request });
    expect(requestRefusal(canaryWorkload(), request)).toMatch(/^promote 1.2.0 is not a request/);
    expect(requestRefusal(canaryWorkload(), asked("abort", "full"))).toMatch(/^abort full is not a request/);
  });
});
