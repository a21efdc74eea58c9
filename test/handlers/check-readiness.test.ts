import { describe, expect, test } from "vitest";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { after, image, inFlight, noon, settled, target, updating, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step, writesNothing } from "./steps.ts";

const moving = { ...settled, readyReplicas: 1 };
const patient = { healthTimeoutSeconds: 7 * 86_400 };
const dayMinutes = 24 * 60;
const counted = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

describe("changes nothing, and says", () => {
  test.for([
    { when: "all replicas are ready", seen: updating(), minutes: 1, kind: "ready", waitSeconds: 0 },
    { when: "they became ready late", seen: updating(), minutes: 11, kind: "ready", waitSeconds: 0 },
    {
      when: "some are not ready",
      seen: updating({ rollout: moving }),
      minutes: 1,
      kind: "progressing",
      waitSeconds: 15,
    },
    {
      when: "checks grow rarer",
      seen: updating({ rollout: moving }),
      minutes: 3,
      kind: "progressing",
      waitSeconds: 45,
    },
    { when: "its time is up", seen: updating({ rollout: moving }), minutes: 11, kind: "expired", waitSeconds: 0 },
    { when: "its pods' owner is missing", seen: updating({ rollout: null }), minutes: 11, kind: "expired" },
    {
      when: "its start cannot be read",
      seen: updating({ inFlight: { ...inFlight, startedAt: "malformed" } }),
      minutes: 1,
      kind: "expired",
    },
    { when: "it was switched off", seen: updating({ policy: { enabled: false } }), minutes: 1, kind: "expired" },
    {
      when: "its rollback was counted and interrupted",
      seen: updating({ bookkeeping: { versionHistory: [counted] } }),
      minutes: 1,
      kind: "expired",
    },
    {
      when: "its image was put back and its pods not yet freed",
      seen: updating({ image, inFlight: { ...inFlight, startedAt: "malformed", phase: "rollback" } }),
      minutes: 1,
      kind: "expired",
    },
    { when: "it is gone", seen: null, minutes: 1, kind: "superseded" },
    { when: "another has taken its name", seen: recreated(updating()), minutes: 1, kind: "superseded" },
    { when: "nothing is in flight any more", seen: workload(), minutes: 1, kind: "superseded" },
    {
      when: "another execution holds the claim",
      seen: updating({ inFlight: { ...inFlight, execution: "e-2" } }),
      minutes: 1,
      kind: "superseded",
    },
    { when: "a person changed the image", seen: updating({ image: "app:hotfix" }), minutes: 1, kind: "superseded" },
    {
      when: "the execution is a day old",
      seen: updating({ policy: patient, rollout: moving }),
      minutes: dayMinutes + 1,
      kind: "handover",
      waitSeconds: 60,
    },
    {
      when: "the execution is almost a day old",
      seen: updating({ policy: patient, rollout: moving }),
      minutes: dayMinutes,
      kind: "progressing",
      waitSeconds: 60,
    },
    { when: "it is ready after a day", seen: updating({ policy: patient }), minutes: dayMinutes + 1, kind: "ready" },
    {
      when: "its time is up after a day",
      seen: updating({ rollout: moving }),
      minutes: dayMinutes + 1,
      kind: "expired",
    },
  ])("$kind where $when", async ({ seen, minutes, kind, waitSeconds = 0 }) => {
    const ports = around(seen, { now: after(minutes), atMoment: writesNothing });
    const answer = await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
    expect(answer).toMatchObject({ kind, waitSeconds, reason: expect.stringMatching(/./) });
    expectSelectable("CheckReadiness", answer);
  });
});

test("an execution whose start cannot be read is not handed over for ever", async () => {
  const ports = around(updating({ policy: patient, rollout: moving }), { now: after(dayMinutes * 2) });
  const answer = await checkReadiness(ports, { ...step, executionStartedAt: "yesterday" });
  expect(answer.kind).toBe("progressing");
});

test("an operator's edit of the timeout holds at once", async () => {
  const ports = around(updating({ rollout: moving }), { now: after(5) });
  const check = () => checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
  expect(await check()).toMatchObject({ kind: "progressing" });
  ports.cluster.put(updating({ rollout: moving, policy: { healthTimeoutSeconds: 120 } }));
  expect(await check()).toMatchObject({ kind: "expired", reason: expect.stringContaining("not ready after 120 s") });
  expect(ports.cluster.get().image).toBe(target);
});
