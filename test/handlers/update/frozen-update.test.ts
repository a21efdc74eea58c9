import { expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { canaryInFlight, canaryWorkload, completeRollout, noon, updatingWorkload } from "../../support/workloads.ts";
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
