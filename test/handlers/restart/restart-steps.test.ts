import { describe, expect, test } from "vitest";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import {
  digest,
  digestWorkload,
  prod,
  restartingWorkload,
  restartInFlight,
  restartImage,
  restartTarget,
} from "../../support/digest-workloads.ts";
import { after, noon, completeRollout } from "../../support/workloads.ts";
import { around, expectSelectable, restartStep as step, revert, writesNothing } from "../steps.ts";

const version = `prod@${digest(2)}`;

describe("ApplyUpdate", () => {
  test("claims the workload, restarts it and records the digests in one write, and emits an event", async () => {
    const ports = around(digestWorkload());
    const result = await applyUpdate(ports, step);
    expect(result).toEqual({ kind: "applied", waitSeconds: 15, reason: `began the restart for ${restartImage}` });
    expect(ports.cluster.get()).toMatchObject({
      resourceVersion: "8",
      image: prod,
      restartedAt: noon,
      inFlight: restartInFlight,
      digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] },
      updateRecord: { candidateVersion: version, lastUpdate: noon },
    });
    expect(ports.cluster.events()).toMatchObject([
      { reason: "AutoUpdateStarting", message: expect.stringMatching(/^Restarting for/) },
    ]);
    expect(ports.published).toMatchObject([{ type: "Update Started", version }]);
    expectSelectable("ApplyUpdate", result);
  });

  test.for([
    {
      when: "the circuit has opened in the meantime",
      initial: digestWorkload({ updateRecord: { circuitOpen: true } }),
    },
    { when: "its restart is undone manually", initial: restartingWorkload({ restartedAt: null }) },
    { when: "the workload is deleted", initial: null },
  ])("writes nothing if $when", async ({ initial }) => {
    const result = await applyUpdate(around(initial, { atMoment: writesNothing }), step);
    expect(result).toMatchObject({ kind: "superseded", waitSeconds: 0 });
  });
});

describe("CheckReadiness writes nothing, and returns", () => {
  const pods = (number: number) => [{ container: "app", digest: digest(number) }];
  const moving = { ...completeRollout, readyReplicas: 1 };
  test.for([
    { when: "no pod reports a digest", initial: restartingWorkload(), running: [], kind: "ready" },
    {
      when: "a pod still runs the previous digest",
      initial: restartingWorkload(),
      running: pods(1),
      kind: "progressing",
    },
    {
      when: "a pod runs the previous digest for too long",
      initial: restartingWorkload(),
      running: pods(1),
      minutes: 11,
      kind: "expired",
    },
    {
      when: "auto-update is disabled",
      initial: restartingWorkload({ policy: { optIn: "no" } }),
      running: pods(2),
      kind: "expired",
    },
    {
      when: "the restart is undone manually",
      initial: restartingWorkload({ restartedAt: after(-60) }),
      running: pods(2),
      kind: "superseded",
    },
    {
      when: "another image is set manually",
      initial: restartingWorkload({ digests: { containers: [] } }),
      running: [],
      kind: "superseded",
    },
    {
      when: "the execution is a day old",
      initial: restartingWorkload({ rollout: moving, policy: { healthTimeoutSeconds: 7 * 86_400 } }),
      running: pods(2),
      minutes: 24 * 60 + 1,
      kind: "continue",
    },
  ])("$kind if $when", async ({ initial, running, minutes = 1, kind }) => {
    const ports = around(initial, { running, now: after(minutes), atMoment: writesNothing });
    const result = await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() });
    expect(result).toMatchObject({ kind, reason: expect.stringMatching(/./) });
    expectSelectable("CheckReadiness", result);
  });
});

test("RecordSuccess records the digest, closes the circuit, and is repeated without a trace", async () => {
  const ports = around(restartingWorkload({ updateRecord: { rollbackCount: 2 } }));
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  const { inFlight, digests, updateRecord } = ports.cluster.get();
  expect({ inFlight, last: digests?.deployed }).toEqual({ inFlight: null, last: { app: digest(2) } });
  expect(updateRecord).toMatchObject({
    currentVersion: "prod",
    rollbackCount: 0,
    versionHistory: [{ version, appliedAt: noon, status: "Healthy" }],
  });
  expect(ports.published).toMatchObject([{ type: "Update Succeeded", version }]);
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get().updateRecord).toEqual(updateRecord);
});

describe("a tag that moved before the pods pulled it", () => {
  const moved = { running: [{ container: "app", digest: digest(3) }] };

  test("is recorded as what ran, once, also if the step is repeated", async () => {
    const ports = around(restartingWorkload(), moved);
    expect(await recordSuccess(ports, step)).toMatchObject({
      kind: "recorded",
      reason: `all replicas run ${prod}@${digest(3)}`,
    });
    const recorded = ports.cluster.get();
    expect(recorded).toMatchObject({
      inFlight: null,
      digests: { deployed: { app: digest(3) }, ran: { app: digest(3) } },
      updateRecord: { versionHistory: [{ version: `prod@${digest(3)}`, status: "Healthy", execution: "e-1" }] },
    });
    expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
    expect(ports.cluster.get().updateRecord).toEqual(recorded.updateRecord);
    expect(new Set(ports.published.map(({ version: one }) => one))).toEqual(new Set([`prod@${digest(3)}`]));
    expect(await recordSuccess(ports, { ...step, execution: "e-2" })).toMatchObject({ kind: "superseded" });
  });

  test("needs no other restart at the next poll", async () => {
    const ports = around(restartingWorkload(), { ...moved, digests: () => [digest(3)] });
    await recordSuccess(ports, step);
    await pollCluster(ports);
    expect(ports.executions.started).toEqual([]);
  });
});

test("an invented digest is neither healthy nor pinned: its pods run the tag", async () => {
  const invented = { ...step, target: { ...restartTarget, digest: digest(66) }, digests: `app:${digest(66)}` };
  const ports = around(digestWorkload({ digests: { deployed: {} }, policy: { rollsBackDigests: true } }), {
    running: [{ container: "app", digest: digest(1) }],
  });
  await applyUpdate(ports, { ...invented, manifests: `app:${digest(66)},app:${digest(1)}` });
  await recordSuccess(ports, invented);
  expect(ports.cluster.get().updateRecord.versionHistory).toMatchObject([{ version: `prod@${digest(1)}` }]);
  const next = {
    ...step,
    execution: "e-2",
    target: { ...restartTarget, digest: digest(9) },
    digests: `app:${digest(9)}`,
  };
  await applyUpdate(ports, next);
  expect(ports.cluster.get().digests).toMatchObject({ previous: [{ app: digest(66) }], ran: { app: digest(1) } });
  await revert(ports, { ...next, verdict: "expired", reason: "not ready" });
  expect(ports.cluster.get()).toMatchObject({ image: `${prod}@${digest(1)}`, isPinnedByPawl: true });
});

test("OpenCircuit names the tag and the digest", async () => {
  const ports = around(digestWorkload({ updateRecord: { circuitOpen: true, rollbackCount: 3 } }));
  await openCircuit(ports, { ...step, reason: "too late" });
  expect(ports.published).toMatchObject([{ type: "Circuit Opened", version, image: restartImage }]);
});

test("ContinueAsNew passes the digests on", async () => {
  const ports = around(restartingWorkload());
  await continueAsNew(ports, step);
  const { execution: _execution, ...input } = step;
  expect(ports.executions.started).toMatchObject([{ input: { ...input, adopting: true } }]);
});
