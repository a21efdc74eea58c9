import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../functions/handlers/check-readiness.ts";
import { handOver } from "../../functions/handlers/hand-over.ts";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { digest, followed, prod, restarting, restartInFlight } from "../support/followed.ts";
import { after, noon, settled } from "../support/workloads.ts";
import { around, expectSelectable, restartStep as step, writesNothing } from "./steps.ts";

const version = `prod@${digest(2)}`;

describe("ApplyUpdate", () => {
  test("claims the workload, restarts it and writes down the digests in one write, and tells it", async () => {
    const ports = around(followed());
    const answer = await applyUpdate(ports, step);
    expect(answer).toEqual({ kind: "applied", waitSeconds: 15, reason: `restarted for ${step.image}` });
    expect(ports.cluster.get()).toMatchObject({
      resourceVersion: "8",
      image: prod,
      restartedAt: noon,
      inFlight: restartInFlight,
      digests: { last: { app: digest(2) }, former: [{ app: digest(1) }] },
      bookkeeping: { availableVersion: version, lastUpdate: noon },
    });
    expect(ports.cluster.events()).toMatchObject([
      { reason: "AutoUpdateStarting", message: expect.stringMatching(/^Restarting for/) },
    ]);
    expect(ports.published).toMatchObject([{ type: "Update Started", version }]);
    expectSelectable("ApplyUpdate", answer);
  });

  test("repeated later by the execution that holds the claim it restarts nothing once more", async () => {
    const ports = around(restarting({ restartedAt: after(3) }), { now: after(5) });
    expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get()).toMatchObject({ restartedAt: after(3), inFlight: restartInFlight });
    expect(ports.cluster.get().rollout?.generation).toBe(settled.generation);
  });

  test.for([
    { when: "it was restarted for that already", seen: followed({ digests: { last: { app: digest(2) } } }) },
    {
      when: "another execution was there first",
      seen: restarting({ inFlight: { ...restartInFlight, execution: "e-2" } }),
    },
    { when: "the circuit was opened meanwhile", seen: followed({ bookkeeping: { circuitOpen: true } }) },
    { when: "its restart was undone by a person", seen: restarting({ restartedAt: null }) },
    { when: "it is gone", seen: null },
  ])("touches nothing where $when", async ({ seen }) => {
    const answer = await applyUpdate(around(seen, { atMoment: writesNothing }), step);
    expect(answer).toMatchObject({ kind: "superseded", waitSeconds: 0 });
  });

  test("takes the pin out that a rollback has set", async () => {
    const pinned = `${prod}@${digest(1)}`;
    const ports = around(followed({ image: pinned, isPinned: true, rollout: { ...settled, image: pinned } }));
    await applyUpdate(ports, step);
    expect(ports.cluster.get()).toMatchObject({ image: prod, isPinned: false });
  });
});

describe("CheckReadiness changes nothing, and says", () => {
  const pods = (number: number) => [{ container: "app", digest: digest(number) }];
  const moving = { ...settled, readyReplicas: 1 };
  test.for([
    { when: "all replicas are ready on what is new", seen: restarting(), running: pods(2), kind: "ready" },
    { when: "the template is of another tag than the target", seen: restarting(), running: [], kind: "ready" },
    { when: "a replica is not ready", seen: restarting({ rollout: moving }), running: pods(2), kind: "progressing" },
    { when: "a pod still runs what was there before", seen: restarting(), running: pods(1), kind: "progressing" },
    { when: "a pod runs that for too long", seen: restarting(), running: pods(1), minutes: 11, kind: "expired" },
    {
      when: "it was switched off",
      seen: restarting({ policy: { enabled: false } }),
      running: pods(2),
      kind: "expired",
    },
    {
      when: "its rollback was counted and interrupted",
      seen: restarting({ bookkeeping: { versionHistory: [{ version, appliedAt: noon, status: "RolledBack" }] } }),
      running: pods(2),
      kind: "expired",
    },
    {
      when: "a person undid the restart",
      seen: restarting({ restartedAt: after(-60) }),
      running: pods(2),
      kind: "superseded",
    },
    {
      when: "a person set another image",
      seen: restarting({ digests: { containers: [] } }),
      running: [],
      kind: "superseded",
    },
    {
      when: "the execution is a day old",
      seen: restarting({ rollout: moving, policy: { healthTimeoutSeconds: 7 * 86_400 } }),
      running: pods(2),
      minutes: 24 * 60 + 1,
      kind: "handover",
    },
  ])("$kind where $when", async ({ seen, running, minutes = 1, kind }) => {
    const ports = around(seen, { running, now: after(minutes), atMoment: writesNothing });
    const answer = await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
    expect(answer).toMatchObject({ kind, reason: expect.stringMatching(/./) });
    expectSelectable("CheckReadiness", answer);
  });
});

test("AdoptUpdate takes a restart over and keeps what it knows", async () => {
  const ports = around(restarting());
  expect(await adoptUpdate(ports, { ...step, execution: "e-2", recovering: true })).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get()).toMatchObject({ image: prod, inFlight: { ...restartInFlight, execution: "e-2" } });
});

test("RecordSuccess records the digest, closes the circuit, and is repeated without a trace", async () => {
  const ports = around(restarting({ bookkeeping: { rollbackCount: 2 } }));
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  const { inFlight, digests, bookkeeping } = ports.cluster.get();
  expect({ inFlight, last: digests?.last }).toEqual({ inFlight: null, last: { app: digest(2) } });
  expect(bookkeeping).toMatchObject({
    currentVersion: "prod",
    rollbackCount: 0,
    versionHistory: [{ version, appliedAt: noon, status: "Healthy" }],
  });
  expect(ports.published).toMatchObject([{ type: "Update Succeeded", version }]);
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get().bookkeeping).toEqual(bookkeeping);
});

test("OpenCircuit names the tag and the digest", async () => {
  const ports = around(followed({ bookkeeping: { circuitOpen: true, rollbackCount: 3 } }));
  await openCircuit(ports, { ...step, reason: "too late" });
  expect(ports.published).toMatchObject([{ type: "Circuit Opened", version, image: step.image }]);
});

test("HandOver hands the digests on", async () => {
  const ports = around(restarting());
  await handOver(ports, step);
  const { execution: _execution, ...input } = step;
  expect(ports.executions.started).toMatchObject([{ input: { ...input, recovering: true } }]);
});
