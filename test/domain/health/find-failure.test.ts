import { expect, test } from "vitest";
import { findFailure } from "../../../functions/domain/health/find-failure.ts";
import { afterSeconds, pods } from "../../support/observed-pods.ts";

const limits = { podDeadlineSeconds: 600, maxRestarts: 3, startedAt: afterSeconds(0), toleratedPods: 0 };
const seenReady = { readyUntil: afterSeconds(0), pods: [] };
const starting = { isReady: false, readyChangedAt: afterSeconds(0) };
const unready = (seconds: number) => ({
  readyUntil: afterSeconds(0),
  pods: [{ name: "web-0", uid: "p-0", exitsBefore: 0, unreadySeconds: seconds }],
});

test.for([
  { of: "a ready pod", seen: {}, kind: undefined },
  { of: "three exits", seen: { exits: 3 }, kind: undefined },
  { of: "four exits of a ready pod", seen: { exits: 4 }, kind: "exits" },
  { of: "one exit, if none is allowed", seen: { exits: 1 }, parts: { maxRestarts: 0 }, kind: "exits" },
  { of: "four exits whose cause is not the version", seen: { exits: 4, isExcused: true }, kind: undefined },
  { of: "forty exits before it is ready", seen: { ...starting, exits: 40 }, at: 600, kind: undefined },
  { of: "forty exits at its deadline", seen: { ...starting, exits: 40 }, at: 601, kind: "late" },
  { of: "a failing probe at its deadline", seen: starting, at: 601, kind: "late" },
  { of: "a pull that fails at its deadline", seen: { ...starting, isExcused: true }, at: 601, kind: undefined },
  {
    of: "a pod that is created late",
    seen: { ...starting, readyChangedAt: afterSeconds(300) },
    at: 900,
    kind: undefined,
  },
  { of: "a pod without conditions", seen: { ...starting, readyChangedAt: null }, at: 601, kind: "late" },
  {
    of: "a pod that is older than the update",
    seen: starting,
    parts: { startedAt: afterSeconds(300) },
    at: 700,
    kind: undefined,
  },
  { of: "600 s of flapping", seen: { isReady: false }, health: unready(600), kind: undefined },
  { of: "601 s of flapping", seen: { isReady: false }, health: unready(601), kind: "unready" },
  { of: "601 s of flapping, ready now", seen: {}, health: unready(601), kind: undefined },
  { of: "a tolerated pod", seen: starting, parts: { toleratedPods: 1 }, at: 601, kind: undefined },
  {
    of: "a tolerated pod that exits",
    seen: { ...starting, exits: 1 },
    parts: { toleratedPods: 1 },
    at: 601,
    kind: "late",
  },
])("$of: $kind", ({ seen, health = seenReady, parts = {}, at = 60, kind }) => {
  expect(findFailure(pods(seen), health, { ...limits, ...parts }, afterSeconds(at))?.kind).toBe(kind);
});

test("the evidence are the pods that failed", () => {
  const seen = pods({}, { name: "web-1", uid: "p-1", exits: 5 });
  expect(findFailure(seen, seenReady, limits, afterSeconds(60))).toMatchObject({
    reason: "exited 5 times after it was ready, which max-restarts 3 excludes",
    evidence: [{ pod: "web-1", cause: { reason: "Exit" } }],
  });
});
