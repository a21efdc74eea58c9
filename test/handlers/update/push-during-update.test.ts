import { describe, expect, test } from "vitest";
import type { UpdateInput } from "../../../functions/contract/workload-update.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { digest, restartInFlight, tagAndDigestWorkload } from "../../support/digest-workloads.ts";
import type { StartedExecution } from "../../support/fakes/fake-executions.ts";
import { fakePorts, Killed } from "../../support/fake-ports.ts";
import {
  after,
  canaryWorkload,
  claw,
  clawRepository,
  completeRollout,
  image,
  inFlight,
  noon,
  rollingBack,
  target,
  updatingWorkload,
  workload,
  updateTarget,
  imageTarget,
} from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { step } from "../steps.ts";

const pushed = "registry.example/shop/app:1.2.0";
const asked = (version: string, token = "t-1") => ({ verb: "push", argument: version, token });
const published = ["0.9.0", "1.0.0", "1.1.0"];
const options = { tags: { "shop/app": [...published, "1.2.0"] }, digests: () => [digest(2)] };
const withoutNewer = { ...options, tags: { "shop/app": published } };
const current = { currentVersion: "1.0.0" };
const rolledBack = {
  rollbackCount: 1,
  failedVersions: ["1.1.0"],
  versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "RolledBack" as const }],
};
const statefulSet = { ...workload().ref, kind: "StatefulSet" };

const updates: readonly { readonly phase: string; readonly initial: Workload; readonly record?: object }[] = [
  { phase: "rollout", initial: updatingWorkload({ updateRecord: current }) },
  { phase: "canary", initial: canaryWorkload({ updateRecord: current }) },
  {
    phase: "canary of a StatefulSet",
    initial: canaryWorkload({ ref: statefulSet, image: target, source: target, updateRecord: current }),
  },
  {
    phase: "restart",
    initial: tagAndDigestWorkload({
      inFlight: { ...restartInFlight, target: { kind: "digest", image, digest: digest(2) } },
      restartedAt: noon,
      digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] },
      updateRecord: current,
    }),
  },
  {
    phase: "rollback",
    initial: workload({ inFlight: rollingBack, updateRecord: { ...current, ...rolledBack } }),
    record: { failedVersions: ["1.1.0"], rollbackCount: 0 },
  },
  {
    phase: "rollback that restored nothing yet",
    initial: updatingWorkload({
      inFlight: { ...rollingBack, isApplied: false },
      updateRecord: { ...current, ...rolledBack },
    }),
    record: { failedVersions: ["1.1.0"], rollbackCount: 0 },
  },
];

describe("a push during an update", () => {
  test.for(updates)("in a $phase wins, and its version is applied next", async ({ initial, record }) => {
    const ports = fakePorts({ ...options, workloads: [{ ...initial, request: asked("1.2.0") }] });
    const strategy = initial.policy.canary === null ? "rolling" : "canary";
    expect(await pollCluster(ports)).toMatchObject({ started: 1, failed: [] });
    expect(ports.executions.started).toMatchObject([
      { input: { target: { image: pushed }, strategy, adopting: false } },
    ]);
    const [started] = ports.executions.started as [StartedExecution<UpdateInput>];
    const own = { ...started.input, execution: started.name };
    await (strategy === "canary" ? startCanary : applyUpdate)(ports, own);
    expect(ports.cluster.get()).toMatchObject({
      inFlight: { target: imageTarget(pushed), previousImage: image, execution: own.execution },
      lastRequest: { token: "t-1", result: `update to 1.2.0 is requested: execution ${own.execution}` },
      updateRecord: current,
    });
    await runUntilComplete(ports);
    expect(ports.cluster.get()).toMatchObject({
      image: pushed,
      inFlight: null,
      canary: null,
      updateRecord: { currentVersion: "1.2.0", failedVersions: [], minimumVersion: null, ...record },
    });
    expect(ports.cluster.get().updateRecord.versionHistory.map(({ version }) => version)).toEqual(
      record === undefined ? ["1.2.0"] : ["1.1.0", "1.2.0"],
    );
  });

  test.for(["rollout", "canary"] as const)("in a %s takes the claim: the next step of that ends", async (phase) => {
    const initial = phase === "canary" ? canaryWorkload() : updatingWorkload();
    const ports = fakePorts({ ...options, workloads: [{ ...initial, request: asked("1.2.0") }] });
    await (phase === "canary" ? startCanary : applyUpdate)(ports, {
      ...step,
      strategy: phase === "canary" ? "canary" : "rolling",
      target: imageTarget(pushed),
      execution: "e-2",
    });
    const late = { ...step, executionStartedAt: noon.toISOString(), verdict: "expired", reason: "not ready" };
    const ends = [checkReadiness, checkCanary, analyzeCanary, recordSuccess, rollBack, checkRollback] as const;
    for (const next of ends) expect(await next(ports, late)).toMatchObject({ kind: "superseded" });
    expect(ports.cluster.get()).toMatchObject({ inFlight: { target: imageTarget(pushed), execution: "e-2" } });
  });

  test("of an older version holds the one that it replaces", async () => {
    const initial = updatingWorkload({ updateRecord: current, request: asked("0.9.0") });
    const ports = fakePorts({ ...withoutNewer, workloads: [initial] });
    await runUntilComplete(ports);
    expect(ports.executions.started).toHaveLength(1);
    expect(ports.cluster.get()).toMatchObject({
      image: "registry.example/shop/app:0.9.0",
      updateRecord: { currentVersion: "0.9.0", minimumVersion: "1.1.0", failedVersions: [], rollbackCount: 0 },
    });
  });

  test("of the previous version ends it too", async () => {
    const back = fakePorts({ ...withoutNewer, workloads: [updatingWorkload({ request: asked("1.0.0") })] });
    await runUntilComplete(back);
    expect(back.cluster.get()).toMatchObject({
      image,
      lastRequest: { result: `1.0.0 stays, instead of ${target}` },
    });
  });

  test("is overtaken by another push, and rolled back to what ran before all of them", async () => {
    const newest = "registry.example/shop/app:1.3.0";
    const initial = updatingWorkload({ updateRecord: current, request: asked("1.2.0") });
    const tags = { "shop/app": [...published, "1.2.0", "1.3.0"] };
    const ports = fakePorts({ ...options, tags, workloads: [initial], broken: new Set([newest]) });
    await applyUpdate(ports, { ...step, target: imageTarget(pushed), execution: "e-2" });
    ports.cluster.put({ ...ports.cluster.get(), request: asked("1.3.0", "t-2") });
    await runUntilComplete(ports);
    expect(ports.cluster.get()).toMatchObject({
      image,
      lastRequest: { token: "t-2", result: expect.stringMatching(/^update to 1\.3\.0 is requested/) },
      updateRecord: { currentVersion: "1.0.0", minimumVersion: "1.2.0", failedVersions: ["1.3.0"], rollbackCount: 1 },
    });
  });

  test.for(["halfway change 1", "before read", "after change", "before emitEvent"] as const)(
    "is applied if its function is killed %s",
    async (moment) => {
      const initial = updatingWorkload({ updateRecord: current, request: asked("1.2.0") });
      let isKilled = false;
      const ports = fakePorts({
        ...options,
        workloads: [initial],
        atMoment(now) {
          const isReached = now === moment && ports.cluster.get().inFlight?.execution !== "e-1";
          if (isKilled || !isReached) return;
          isKilled = true;
          throw new Killed(moment);
        },
      });
      await runUntilComplete(ports);
      expect(isKilled).toBe(true);
      expect(ports.cluster.get()).toMatchObject({ image: pushed, updateRecord: { currentVersion: "1.2.0" } });
    },
  );

  test("keeps an image that a person has set meanwhile, until it is applied", async () => {
    const hotfix = "registry.example/shop/app:hotfix";
    const ports = fakePorts({ ...options, workloads: [updatingWorkload({ image: hotfix, request: asked("1.2.0") })] });
    await applyUpdate(ports, { ...step, target: imageTarget(pushed), execution: "e-2" });
    expect(ports.cluster.get()).toMatchObject({ inFlight: { target: imageTarget(pushed), previousImage: hotfix } });
  });

  test("does not end the update of another installation, nor one that it does not ask for", async () => {
    const elsewhere = { ...workload().record, claimedElsewhereUntil: after(5) };
    for (const parts of [{ record: elsewhere, request: asked("1.2.0") }, { request: asked("1.3.0") }, {}]) {
      const ports = fakePorts({ ...options, workloads: [updatingWorkload(parts)] });
      const result = await applyUpdate(ports, { ...step, target: imageTarget(pushed), execution: "e-2" });
      expect(result).toMatchObject({ kind: "superseded" });
      expect(ports.cluster.get()).toMatchObject({ inFlight: { target: updateTarget, execution: "e-1" } });
    }
  });

  test("to a Claw whose annotations a person set wins too", async () => {
    const manual = {
      ...inFlight,
      target: imageTarget(`${clawRepository}:1.1.0`),
      previousImage: null,
      execution: null,
    };
    const rollout = { ...completeRollout, image: `${clawRepository}:1.1.0` };
    const initial = claw({ image: manual.target.image, inFlight: manual, rollout, request: asked("1.2.0") });
    const tags = { "prismer-ai/k8s4claw-openclaw": ["1.1.0", "1.2.0"] };
    const ports = fakePorts({ ...options, tags, workloads: [initial] });
    await runUntilComplete(ports);
    expect(ports.cluster.get("u-2")).toMatchObject({
      image: `${clawRepository}:1.2.0`,
      lastRequest: { token: "t-1", result: expect.stringMatching(/^update to 1\.2\.0 is requested/) },
      updateRecord: { currentVersion: "1.2.0" },
    });
  });
});
