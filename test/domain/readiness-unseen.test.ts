import { expect, test } from "vitest";
import { assessReadiness, nextCheckSeconds } from "../../functions/domain/readiness.ts";
import { after, inFlight, policy, settled } from "../support/workloads.ts";

test.for([
  { when: "its controller has not seen the last change", observedGeneration: 1, verdict: "progressing" },
  { when: "its controller has, and a replica is not ready", observedGeneration: 2, verdict: "expired" },
])("long after the deadline, when $when: $verdict", ({ observedGeneration, verdict }) => {
  const rollout = { ...settled, readyReplicas: 2, observedGeneration };
  expect(assessReadiness(rollout, inFlight, policy, after(90)).kind).toBe(verdict);
});

test.for([601, 3600, 86_400])("%i s after the start, past the deadline, it looks again in 15 s", (elapsed) => {
  expect(nextCheckSeconds(elapsed, policy)).toBe(15);
});
