import { expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { rollBack as rollBackUpdate } from "../../../functions/handlers/roll-back.ts";
import type { Policy } from "../../../functions/domain/workload/workload.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import {
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  image,
  noon,
  updatingWorkload,
} from "../../support/workloads.ts";
import { around, expectSelectable, step } from "../steps.ts";

const rollBack = '- { reason: incident 7, from: "2026-11-20T12:00:01Z", rollBack: true }';
const holds = '- { reason: incident 7, from: "2026-11-20T12:00:01Z" }';
const incomplete = { ...completeRollout, updatedReplicas: 1 };
const input = { ...step, executionStartedAt: "2026-11-20T12:00:00Z" };
const in5s = () => new Date(noon.getTime() + 5000);

test.for([
  { when: "a freeze rolls it back", freeze: rollBack, kind: "withdraw" },
  { when: "a freeze only holds", freeze: holds, kind: "progressing" },
  { when: "there is no freeze", freeze: null, kind: "progressing" },
  { when: "freezes are not known", freeze: "- {", kind: "progressing" },
  { when: "it is complete", freeze: rollBack, rollout: completeRollout, kind: "ready" },
])("an update is $kind if $when", async ({ freeze, rollout = incomplete, kind }) => {
  const ports = around(updatingWorkload({ rollout }), { freeze: () => freeze, now: in5s() });
  const result = await checkReadiness(ports, input);
  expect(result.kind).toBe(kind);
  expectSelectable("CheckReadiness", result);
});

const closed = [{ schedule: "0 0 1 1 *", durationSeconds: 60 }];
const young = { minimumReleaseAgeSeconds: 86_400 };
const unapproved = { approval: { required: 1, by: ["user:anna"] } };

test.for<{ gate: string; policy?: Partial<Policy>; freeze?: string; circuitOpen?: boolean }>([
  { gate: "suspended", policy: { paused: true } },
  { gate: "schedule", policy: { schedule: "0 0 1 1 *", scheduleToleranceSeconds: 60 } },
  { gate: "windows", policy: { windows: closed } },
  { gate: "freeze", freeze: holds },
  { gate: "freeze that is not known", freeze: "- {" },
  { gate: "minimumAge", policy: young },
  { gate: "approval", policy: unapproved },
  { gate: "signature", policy: { isVerifyRequired: true } },
  { gate: "circuit", circuitOpen: true },
])("a rollback does not wait for the gate $gate", async ({ policy = {}, freeze = null, circuitOpen = false }) => {
  const updating = updatingWorkload({ rollout: incomplete, policy });
  const failing = { ...updating, updateRecord: { ...updating.updateRecord, circuitOpen } };
  const approvalProblem = () => "no policy";
  const ports = around(failing, { freeze: () => freeze, now: in5s(), approvalProblem });
  const verdict = { ...input, verdict: "expired" as const, reason: "not ready after 600 s" };
  expect(await rollBackUpdate(ports, verdict)).toEqual({ kind: "reverting", reason: verdict.reason });
  expect(ports.cluster.get().image).toBe(image);
});

test("a canary is withdrawn if a freeze rolls it back", async () => {
  const canary = { ...completeRollout, updatedReplicas: 0, readyReplicas: 0 };
  const options = { freeze: () => rollBack, now: in5s() };
  const ofCanary = { ...input, strategy: "canary" as const, execution: canaryInFlight.execution ?? "" };
  const starting = await checkCanary(around(canaryWorkload({ canary }), options), ofCanary);
  expect(starting).toMatchObject({ kind: "withdraw", reason: expect.stringContaining("incident 7") });
  const analyzed = await analyzeCanary(around(canaryWorkload(), options), ofCanary);
  expect(analyzed).toMatchObject({ kind: "withdraw", reason: expect.stringContaining("incident 7") });
  const promoted = await analyzeCanary(around(canaryWorkload({ verdict: "promote" }), options), ofCanary);
  expect(promoted.kind).toBe("pass");
});
