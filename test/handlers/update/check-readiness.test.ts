import { describe, expect, test } from "vitest";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { after, inFlight, noon, completeRollout, target, updatingWorkload, workload } from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step, writesNothing } from "../steps.ts";

const moving = { ...completeRollout, readyReplicas: 1 };
const patient = { healthTimeoutSeconds: 7 * 86_400 };
const dayMinutes = 24 * 60;
const counted = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

describe("writes nothing, and returns", () => {
  test.for([
    { when: "all replicas are ready", initial: updatingWorkload(), minutes: 1, kind: "ready", waitSeconds: 0 },
    { when: "all replicas became ready late", initial: updatingWorkload(), minutes: 11, kind: "ready", waitSeconds: 0 },
    {
      when: "it has been scaled to 0 for a day",
      initial: updatingWorkload({ rollout: { ...moving, desiredReplicas: 0 } }),
      minutes: dayMinutes + 1,
      kind: "continue",
      waitSeconds: 300,
    },
    {
      when: "its rollback is recorded but was interrupted",
      initial: updatingWorkload({ updateRecord: { versionHistory: [counted] } }),
      minutes: 1,
      kind: "expired",
    },
    { when: "the workload is deleted", initial: null, minutes: 1, kind: "superseded" },
    { when: "the workload is recreated", initial: withNewUid(updatingWorkload()), minutes: 1, kind: "superseded" },
    { when: "no update is in progress any more", initial: workload(), minutes: 1, kind: "superseded" },
    {
      when: "another execution holds the claim",
      initial: updatingWorkload({ inFlight: { ...inFlight, execution: "e-2" } }),
      minutes: 1,
      kind: "superseded",
    },
    {
      when: "the image is changed manually",
      initial: updatingWorkload({ image: "app:hotfix" }),
      minutes: 1,
      kind: "superseded",
    },
    {
      when: "the execution is almost a day old",
      initial: updatingWorkload({ policy: patient, rollout: moving }),
      minutes: dayMinutes,
      kind: "progressing",
      waitSeconds: 60,
    },
    {
      when: "it is ready after a day",
      initial: updatingWorkload({ policy: patient }),
      minutes: dayMinutes + 1,
      kind: "ready",
    },
    {
      when: "the deadline has passed after a day",
      initial: updatingWorkload({ rollout: moving }),
      minutes: dayMinutes + 1,
      kind: "expired",
    },
  ])("$kind if $when", async ({ initial, minutes, kind, waitSeconds = 0 }) => {
    const ports = around(initial, { now: after(minutes), atMoment: writesNothing });
    const result = await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
    expect(result).toMatchObject({ kind, waitSeconds, reason: expect.stringMatching(/./) });
    expectSelectable("CheckReadiness", result);
  });
});

test("an edit of the timeout applies immediately", async () => {
  const ports = around(updatingWorkload({ rollout: moving }), { now: after(5) });
  const check = () => checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
  expect(await check()).toMatchObject({ kind: "progressing" });
  ports.cluster.put(updatingWorkload({ rollout: moving, policy: { healthTimeoutSeconds: 120 } }));
  expect(await check()).toMatchObject({ kind: "expired", reason: expect.stringContaining("not ready after 120 s") });
  expect(ports.cluster.get().image).toBe(target);
});

describe("notes in the record", () => {
  const template = "t-1";
  const started = { ...moving, template };
  const check = (ports: ReturnType<typeof around>) =>
    checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
  const noted = (ports: ReturnType<typeof around>) => ports.cluster.get().inFlight?.observation;

  test("when its controller has observed the change, once; the deadline counts from then", async () => {
    const initial = updatingWorkload({ rollout: { ...started, observedGeneration: 1 } });
    const ports = around(initial, { now: after(9) });
    expect(await check(ports)).toMatchObject({ kind: "progressing", waitSeconds: 225 });
    const reason = "its controller has not observed the change yet";
    expect(noted(ports)).toEqual({ kind: "waiting", reason, since: after(9) });
    const current = ports.cluster.get();
    ports.cluster.put({ ...current, rollout: started });
    expect(await check({ ...ports, now: () => after(13) })).toMatchObject({ kind: "progressing", waitSeconds: 60 });
    expect(noted(ports)).toMatchObject({ kind: "observed", at: after(13), template });
    const { record } = ports.cluster.get();
    expect(await check({ ...ports, now: () => after(22) })).toMatchObject({ kind: "progressing" });
    expect(ports.cluster.get().record).toEqual(record);
    expect(await check({ ...ports, now: () => after(23.1) })).toMatchObject({ kind: "expired" });
  });

  test("that it is scaled to 0, with counters and circuit unchanged; scaled up, it is judged from then", async () => {
    const updateRecord = { rollbackCount: 3, circuitOpen: true };
    const zero = { ...started, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
    const ports = around(updatingWorkload({ rollout: zero, updateRecord }), { now: after(60) });
    expect(await check(ports)).toMatchObject({ kind: "parked", waitSeconds: 3600 });
    expect(ports.cluster.get()).toMatchObject({
      inFlight: {
        execution: "e-1",
        observation: { reason: "not judged while it is scaled to 0" },
        parked: { reason: "NoReplicas", since: after(60) },
      },
      updateRecord,
    });
    ports.cluster.put({ ...ports.cluster.get(), rollout: started });
    expect(await check({ ...ports, now: () => after(65) })).toMatchObject({ kind: "progressing", waitSeconds: 60 });
    expect(ports.cluster.get().inFlight?.parked).toBeUndefined();
    expect(await check({ ...ports, now: () => after(75.1) })).toMatchObject({ kind: "expired" });
  });
});

test.for([
  { when: "the node of the missing pod of a DaemonSet does not answer", excused: 1, minutes: 1, kind: "ready" },
  { when: "it answers", excused: 0, minutes: 1, kind: "progressing" },
  { when: "it answers, past the deadline", excused: 0, minutes: 11, kind: "expired" },
])("$when, after $minutes minutes: $kind", async ({ excused, minutes, kind }) => {
  const rollout = { ...completeRollout, podsPer: "node", readyReplicas: 2 } as const;
  const ports = around(updatingWorkload({ rollout }), { now: after(minutes), excused });
  const result = await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
  expect(result.kind).toBe(kind);
});
