import { describe, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { claim } from "../../domain/workload/release/releases.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after, completeRollout, image, inFlight, noon, updatingWorkload } from "../../support/workloads.ts";
import { restoring } from "../release/release-fixtures.ts";
import { observedPod } from "../../support/observed-pods.ts";
import { around, revert, step } from "../steps.ts";

const abort = { verb: "abort", argument: null, token: "t-9" };
const asked = { request: abort, verdict: "abort" } as const;
const baking = { ...inFlight, observation: { kind: "baking", since: noon } } as const;
const times = { executionStartedAt: noon.toISOString() };
const aborted = { kind: "fail", reason: "aborted manually" };

describe("a person aborts an update", () => {
  test.for<{ phase: string; of: Workload }>([
    { phase: "while it is rolled out", of: updatingWorkload(asked) },
    { phase: "although a setting is invalid", of: updatingWorkload({ ...asked, problems: ["invalid"] as never }) },
    {
      phase: "while it bakes",
      of: updatingWorkload({ ...asked, inFlight: baking, policy: { bake: { seconds: 600 } } }),
    },
    {
      phase: "before its change is written",
      of: updatingWorkload({ ...asked, inFlight: { ...inFlight, isApplied: false } }),
    },
  ])("$phase: it is reverted, not counted, and its version is not tried again", async ({ of }) => {
    const ports = around(of);
    const check = of.inFlight === baking ? analyzeRollout : checkReadiness;
    const verdict = await check(ports, { ...step, ...times });
    expect(verdict).toMatchObject(aborted);
    expect(await rollBack(ports, { ...step, verdict: verdict.kind, reason: verdict.reason })).toMatchObject({
      kind: "reverting",
    });
    expect(ports.cluster.get()).toMatchObject({
      image,
      inFlight: { phase: "rollback" },
      lastRequest: { token: "t-9", result: "the update is aborted" },
      updateRecord: {
        rollbackCount: 0,
        failedVersions: ["1.1.0"],
        versionHistory: [{ version: "1.1.0", status: "RolledBack", reason: "aborted manually" }],
      },
    });
    expect(ports.cluster.get().inFlight?.suspect).toBeUndefined();
  });

  test("whose pods are ready for long: the event still says that a person requested it", async () => {
    const of = updatingWorkload({
      ...asked,
      inFlight: baking,
      rollout: completeRollout,
      policy: { bake: { seconds: 600 } },
    });
    const pod = observedPod({ createdAt: after(-60), startedAt: after(-60) });
    const ports = around(of, { observed: () => [1, 2, 3].map(() => ({ ...pod, readyChangedAt: after(-30) })) });
    await revert(ports, { ...step, verdict: "fail", reason: "aborted manually" });
    expect(ports.cluster.get().updateRecord.versionHistory).toMatchObject([{ reason: "aborted manually" }]);
    expect(ports.published).toMatchObject([{ type: "Update Rolled Back", requested: true }]);
  });

  test("that restores a release: the pod template before it is restored, and the release may be chosen again", async () => {
    const ports = around(restoring({ ...asked, inFlight: claim }));
    const release = { ...step, target: claim.target, ...times };
    expect(await checkReadiness(ports, release)).toMatchObject(aborted);
    expect(await rollBack(ports, { ...release, verdict: "fail", reason: "aborted manually" })).toMatchObject({
      kind: "restore",
    });
    const { updateRecord, releases, lastRequest } = ports.cluster.get();
    expect(updateRecord).toMatchObject({ failedVersions: [], versionHistory: [{ status: "Withdrawn" }] });
    expect(releases?.list.map(({ result }) => result)).not.toContain("Failed");
    expect(lastRequest).toMatchObject({ token: "t-9", result: "the release is aborted" });
  });
});

test("a parked update is continued at once by a poll, which leaves the request to its execution", async () => {
  const zero = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };
  const parked = { ...inFlight, parked: { reason: "NoReplicas", since: noon } } as const;
  const initial = updatingWorkload({ ...asked, rollout: zero, inFlight: parked });
  const ports = fakePorts({ workloads: [initial], now: after(90) });
  await ports.executions.start("e-1", {} as never);
  await pollCluster(ports);
  expect(ports.executions.started[1]?.input).toMatchObject({ adopting: true });
  expect(ports.cluster.get().lastRequest).toBeNull();
});
