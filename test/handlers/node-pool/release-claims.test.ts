import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { restoreRelease } from "../../../functions/handlers/restore-release.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { noHooks } from "../../../functions/domain/workload/hook/hook.ts";
import { AdmissionDenied } from "../../../functions/ports/errors.ts";
import { request, claim, release, snapshot } from "../../domain/workload/release/releases.ts";
import { digest, digestWorkload } from "../../support/digest-workloads.ts";
import { Killed } from "../../support/fake-ports.ts";
import { completeRollout, noon, updateInput, type WorkloadParts } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { one, two, step, running, restoring, around } from "../release/release-fixtures.ts";

describe("a claim that is dropped before its template is written", () => {
  const [before, now] = [digest(1), digest(2)];
  const lastRequest = { token: "t-1", verb: "rollback", result: "rollback to release 1 is requested: execution e-1" };
  const inFlight = { ...claim, isApplied: false, digests: { app: now } };

  function claimed(parts: WorkloadParts = {}): Workload {
    const digests = { deployed: { app: now }, previous: [{ app: before }] };
    const { digests: tracking } = digestWorkload({ digests });
    return running({ digests: tracking, inFlight, lastRequest, ...parts });
  }

  test.for([
    { when: "auto-update is disabled", initial: claimed({ policy: { optIn: "no" } }), reason: /disabled/ },
    { when: "its snapshot is deleted", initial: claimed(), snapshots: [snapshot(2)], reason: /no snapshot/ },
    {
      when: "its owner has changed the template",
      initial: claimed({ releases: { list: [one, two], hash: "own" } }),
      reason: /template was changed/,
    },
  ])("reverts its digests and its answer: $when", async ({ initial, snapshots, reason }) => {
    const ports = around(initial, snapshots === undefined ? {} : { snapshots });
    await pollCluster(ports);
    await restoreRelease(ports, { ...step, adopting: true });
    const after = ports.cluster.get();
    expect([after.inFlight, after.digests?.deployed]).toEqual([null, { app: before }]);
    expect(after.lastRequest).toMatchObject({ token: "t-1", result: expect.stringMatching(/^refused: /) });
    expect(after.lastRequest?.result).toMatch(reason);
  });

  test("because the cluster refuses it, is answered with the reason, and not tried again", async () => {
    const ports = around(claimed());
    const refused = { ...step, verdict: "refused", reason: "a policy denies it" };
    expect(await rollBack(ports, refused)).toEqual({ kind: "refused", reason: "a policy denies it" });
    const after = ports.cluster.get();
    expect([after.inFlight, after.backOff, after.digests?.deployed]).toEqual([null, null, { app: before }]);
    expect(after.lastRequest?.result).toBe("refused: a policy denies it");
  });

  test("in a process that was killed, is dropped by the next", async () => {
    const ports = around(running({ request }), {
      atMoment: (moment) => {
        if (moment === "halfway change 1") throw new Killed("killed");
      },
    });
    await restoreRelease(ports, step).catch(() => undefined);
    expect(ports.cluster.get()).toMatchObject({ inFlight: { isApplied: false }, lastRequest: { token: "t-1" } });
    ports.cluster.put({ ...ports.cluster.get(), policy: { ...ports.cluster.get().policy, optIn: "no" } });
    await restoreRelease(ports, { ...step, execution: "e-2", adopting: true });
    expect(ports.cluster.get().lastRequest?.result).toBe("refused: auto-update was disabled before the change");
  });
});

describe("while a release is in flight", () => {
  test.for([
    { phase: "checked", inFlight: claim },
    { phase: "to be reverted", inFlight: rollbackOf(claim, { isApplied: false }) },
  ])("every request is refused with the reason: $phase", async ({ inFlight }) => {
    for (const [verb, argument, reason] of [
      ["push", "1.2.0", /in flight(?:; .*)?$/],
      ["push", "1.1.0", /in flight(?:; .*)?$/],
      ["rollback", "2", /in flight(?:; .*)?$/],
      ["rollback", null, /in flight(?:; .*)?$/],
      ["restart", null, /in flight(?:; .*)?$/],
      ["promote", null, /no canary/],
    ] as const) {
      const ports = around(restoring({ inFlight, request: { verb, argument, token: "t-2" } }));
      await ports.executions.start("e-1", { ...updateInput, strategy: "release" });
      await pollCluster(ports);
      const after = ports.cluster.get();
      expect(after.inFlight, verb).toEqual(inFlight);
      expect(after.lastRequest?.result, verb).toMatch(/^refused: /);
      expect(after.lastRequest?.result, verb).toMatch(reason);
      expect(ports.executions.started, verb).toHaveLength(1);
    }
  });
});

describe("an open circuit", () => {
  const open = { circuitOpen: true, rollbackCount: 3 };

  test("stays open after a release that succeeds: it says nothing about the versions that failed", async () => {
    const ports = around(running({ request, updateRecord: open }));
    await runUntilComplete(ports);
    const { image, updateRecord } = ports.cluster.get();
    expect([image, updateRecord.circuitOpen, updateRecord.rollbackCount]).toEqual([one.image, true, 3]);
  });

  test("is not reported again by a release that fails", async () => {
    const ports = around(running({ request, updateRecord: open }), { broken: new Set([one.image]) });
    await runUntilComplete(ports);
    expect(ports.cluster.get()).toMatchObject({ image: two.image, inFlight: null });
    expect(ports.cluster.events().filter(({ message }) => message.startsWith("Circuit opened"))).toEqual([]);
  });
});

describe("a forged record chooses nothing", () => {
  test.for([
    { forgery: "the revision of another", list: [release(1, { revision: "app-2" }), two], missing: null },
    { forgery: "another hash", list: [release(1, { hash: "hash-0" }), two], missing: /another pod template/ },
    {
      forgery: "a revision that is not its own",
      list: [release(1, { revision: "x", hash: "x" }), two],
      missing: /x was deleted/,
    },
  ])("in a release: $forgery", async ({ list, missing }) => {
    const ports = around(running({ request, releases: { list, hash: "hash-2" } }));
    const result = await restoreRelease(ports, step);
    const { image, lastRequest } = ports.cluster.get();
    expect([result.kind, image]).toEqual(missing === null ? ["applied", one.image] : ["superseded", two.image]);
    expect(lastRequest?.result).toMatch(missing ?? /^rollback to release 1 is requested/);
  });

  test("of an image of another repository", async () => {
    const foreign = snapshot(1, { image: "evil.example/miner:1" });
    const ports = around(running({ request }), { snapshots: [snapshot(2), foreign] });
    expect((await restoreRelease(ports, step)).kind).toBe("superseded");
    expect(ports.cluster.get().lastRequest?.result).toContain("another repository");
  });

  test.for([
    { forgery: "another revision", release: { ...claim.release, previousRevision: "app-3" }, kind: "applied" },
    { forgery: "another hash", release: { ...claim.release, previousHash: "hash-3" }, kind: "unrestorable" },
  ])("in a revert: $forgery", async ({ release: forged, kind }) => {
    const inFlight = rollbackOf({ ...claim, release: forged }, { isApplied: false });
    const ports = around(restoring({ inFlight }));
    expect((await restoreRelease(ports, step)).kind).toBe(kind);
    expect(ports.cluster.get().image).toBe(kind === "applied" ? two.image : one.image);
  });
});

test("a template that the cluster refuses leaves nothing in flight", async () => {
  const ports = around(running({ request }), {
    atMoment: (moment) => {
      if (moment === "halfway change 1") throw new AdmissionDenied("a policy denies it");
    },
  });
  await expect(restoreRelease(ports, step)).rejects.toThrow("a policy denies it");
  await rollBack(ports, { ...step, verdict: "refused", reason: "a policy denies it" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, backOff: null, releases: { hash: "hash-2" } });
});

describe("what is out of a release", () => {
  const rollout = { ...completeRollout, image: two.image };
  const scaled = { ...rollout, desiredReplicas: 9, updatedReplicas: 9, readyReplicas: 9 };

  test.for([
    { what: "the replicas", parts: { rollout: scaled } },
    { what: "an autoscaler that scales now", parts: { rollout: { ...rollout, desiredReplicas: 5 } } },
    {
      what: "hooks",
      parts: { policy: { hooks: { ...noHooks, pre: { job: "migrate", timeoutSeconds: 60 } as never } } },
    },
    { what: "notification targets", parts: { policy: { notify: ["team-a"] } } },
    { what: "how many releases are kept", parts: { policy: { keptReleases: 2 } } },
    { what: "the health timeout and the bake time", parts: { policy: { healthTimeoutSeconds: 999, bake: null } } },
    { what: "a restart by a person", parts: { restartedAt: noon } },
  ])("changes no pod and makes no release: $what", async ({ parts }) => {
    const initial = running(parts);
    const ports = around(initial);
    await runUntilComplete(ports);
    expect(ports.executions.started).toEqual([]);
    const { evaluated: _evaluated, ...after } = ports.cluster.get();
    expect({ ...after, resourceVersion: initial.resourceVersion, record: initial.record }).toEqual(initial);
  });
});
