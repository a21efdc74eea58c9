import { describe, expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import type { ObservedPod } from "../../../functions/domain/health/observed-pod.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { afterSeconds, observedPod } from "../../support/observed-pods.ts";
import {
  canaryWorkload,
  completeRollout,
  image,
  inFlight,
  noon,
  policy,
  updatingWorkload,
} from "../../support/workloads.ts";
import { around, step } from "../steps.ts";

const check = { ...step, executionStartedAt: noon.toISOString() };
const moving = { ...completeRollout, template: "t-1", readyReplicas: 2 };
const paused = { kind: "pause", seconds: 3600, end: "continue" } as const;
const size = {
  kind: "replicas",
  size: { unit: "replicas", amount: 1 },
  analysis: null,
  durationSeconds: null,
} as const;
const inPause = canaryWorkload({
  policy: { ...policy, canary: size.size, canarySteps: [size, paused] },
  canaryProgress: {
    step: 2,
    steps: 2,
    plan: "1, pause",
    size: "1",
    since: noon,
    waitsFor: "Time",
    until: afterSeconds(3600),
  },
});

/** Is ready at each check, and exits between them. */
function exitingPod(now: () => Date): () => readonly ObservedPod[] {
  return () => {
    const seconds = (now().getTime() - noon.getTime()) / 1000;
    return [observedPod({ exits: Math.floor(seconds / 70) })];
  };
}

/** Runs a step until it has a verdict, for at most ten minutes. */
async function run(initial: Parameters<typeof around>[0], handler: typeof checkReadiness | typeof analyzeRollout) {
  let now = () => noon;
  const ports = around(initial, { observed: () => exitingPod(() => now())() });
  now = ports.now;
  for (let checks = 0; checks < 40; checks += 1) {
    const result = await (handler as typeof checkReadiness)(ports, check);
    const isOver = result.kind !== "progressing" && (result.kind as string) !== "running";
    if (isOver)
      return { kind: result.kind as string, reason: result.reason, seconds: ports.now().getTime() - noon.getTime() };
    ports.pass(result.waitSeconds);
  }
  return { kind: "none", reason: "", seconds: 0 };
}

const reasonOf = (pods: string) =>
  `exited 4 times after it was ready, which max-restarts 3 excludes; ${pods} failing: web-0 (web) exit 1 (4 restarts)`;

describe("a pod that is ready at each check, and exits between them, fails", () => {
  test("in a rollout", async () => {
    const found = await run(updatingWorkload({ rollout: moving }), checkReadiness);
    expect(found).toMatchObject({ kind: "fail", reason: reasonOf("1 of 3 pods") });
  });

  test("in a step of a canary", async () => {
    const canary = { ...completeRollout, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 0 };
    const found = await run(canaryWorkload({ canary }), checkCanary as unknown as typeof checkReadiness);
    expect(found).toMatchObject({ kind: "fail", reason: reasonOf("1 of 1 pod") });
  });

  test("in a pause of a canary", async () => {
    const found = await run(inPause, analyzeCanary as unknown as typeof checkReadiness);
    expect(found).toMatchObject({ kind: "fail", reason: `the canary has failed: ${reasonOf("1 of 1 pod")}` });
  });

  test("in a bake time", async () => {
    const initial = updatingWorkload({ policy: { bake: { seconds: 3600 } } });
    expect(await run(initial, analyzeRollout)).toMatchObject({ kind: "fail", reason: reasonOf("1 of 3 pods") });
  });
});

test("a restored pod that exits again and again is no control: nothing is blamed", async () => {
  let exits = 1;
  const ports = around(updatingWorkload(), { observed: () => [observedPod({ exits })] });
  const input = { ...step, verdict: "fail", reason: "not ready after 600 s" };
  await rollBack(ports, input);
  const checkStep = { ...check, reason: input.reason };
  expect(await checkRollback(ports, checkStep)).toMatchObject({ kind: "progressing" });
  exits = 5;
  ports.pass(15);
  expect(await checkRollback(ports, checkStep)).toMatchObject({ kind: "withdrawn" });
  const { image: runs, updateRecord } = ports.cluster.get();
  expect(runs).toBe(image);
  expect(updateRecord).toMatchObject({ failedVersions: [], rollbackCount: 1 });
  expect(updateRecord.versionHistory.at(-1)?.reason).toContain(
    "1.0.0 is not healthy either: a pod of 1.0.0 exited 4 times",
  );
});

test.for(["before change", "after change"] as const)(
  "killed %s, a check is repeated: what was seen is recorded once, and decides the same",
  async (moment) => {
    const seen = [observedPod({ exits: 5 })];
    const initial = updatingWorkload({
      rollout: moving,
      inFlight: { ...inFlight, health: { readyUntil: afterSeconds(0), pods: [] } },
    });
    const late = { ...observedPod({ uid: "p-1", exits: 2, createdAt: afterSeconds(9), startedAt: afterSeconds(9) }) };
    const killed = around(initial, { observed: () => [...seen, late], atMoment: killedAt(moment) });
    await expect(checkReadiness(killed, check)).rejects.toThrow(moment);
    const again = await checkReadiness(killed, check);
    expect(again).toMatchObject({ kind: "fail", reason: expect.stringContaining("exited 5 times") });
    expect(killed.cluster.get().inFlight?.health).toEqual({
      readyUntil: afterSeconds(9),
      pods: [{ name: "web-0", uid: "p-1", exitsBefore: 2, unreadySeconds: 0 }],
    });
  },
);

test.for(["before emitEvent", "after emitEvent", "before change", "after change"] as const)(
  "an update that is slow is reported once, also if the check is killed %s",
  async (moment) => {
    const initial = updatingWorkload({ rollout: { ...moving, desiredReplicas: 40, updatedReplicas: 39 } });
    const ports = around(initial, { atMoment: killedAt(moment) });
    ports.pass(40 * 600 + 1);
    await expect(checkReadiness(ports, check)).rejects.toThrow(moment);
    await checkReadiness(ports, check);
    await checkReadiness(ports, check);
    expect(ports.cluster.events().map(({ reason: one }) => one)).toEqual(["AutoUpdateSlow"]);
    expect(ports.cluster.get().inFlight?.isSlow).toBe(true);
  },
);
