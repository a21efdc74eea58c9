import { hostname } from "node:os";
import { spawnSync } from "node:child_process";
import { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, describe, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { adopt } from "../../../functions/domain/workload/update/adopt.ts";
import { checkClaim } from "../../../functions/domain/workload/update/claim.ts";
import { missingCondition } from "../../../functions/domain/workload/update/readiness.ts";
import { recordStart } from "../../../functions/domain/workload/record/update-record.ts";
import { recordRollback } from "../../../functions/domain/workload/rollback/rollback.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { retryOnConflict } from "../../../functions/workflows/retry-on-conflict.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { startWriteProxy } from "../../support/write-proxy.ts";
import { updateWriteOf } from "../auto-update/auto-update-writes.ts";
import { editUpdate, readAutoUpdate } from "../auto-update/auto-updates.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";
import { imageTarget } from "../../support/workloads.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const nextDay = new Date("2026-11-21T12:00:00Z");

describeOnRealCluster("a claim of another installation", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/good:${tag}`;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  describe.concurrent("in a namespace of its own", () => {
    test("is neither held nor adopted until it expires", async ({ expect }) => {
      const { harness, ref } = await create();
      await claim(installation(harness, "first", noon), ref);
      const inTime = await read(installation(harness, "second", noon), ref);
      expect(inTime.record.claimedElsewhereUntil).toEqual(new Date("2026-11-20T12:25:00Z"));
      expect([
        checkClaim(inTime, "e-1", imageTarget(image("1.1.0"))),
        adopt(inTime, "e-2", imageTarget(image("1.1.0")), noon),
      ]).toMatchObject([{ kind: "lost" }, { kind: "superseded" }]);
      const late = await read(installation(harness, "second", nextDay), ref);
      expect(adopt(late, "e-2", imageTarget(image("1.1.0")), nextDay)).toMatchObject({ kind: "adopted" });
    });

    test("that expired and was adopted leaves its former holder nothing to write", async ({ expect }) => {
      const { harness, ref } = await create();
      const first = installation(harness, "first", noon);
      await claim(first, ref);
      const asHeld = await read(first, ref);
      await adoptLate(harness, ref);
      const { inFlight } = asHeld;
      if (inFlight === null) throw new Error("the first installation held no claim");
      const rollback = recordRollback(asHeld, inFlight, "not ready", noon);
      await expect(first.change(asHeld, rollback)).rejects.toMatchObject({ name: "Conflict" });
      expect(checkClaim(await read(first, ref), "e-1", imageTarget(image("1.1.0")))).toMatchObject({ kind: "lost" });
      expect(await harness.workload("web")).toMatchObject({
        image: image("1.1.0"),
        inFlight: { execution: "e-2" },
        updateRecord: { rollbackCount: 0 },
      });
    });

    test("that is adopted between its claim and its change refuses the late change", async ({ expect }) => {
      const { harness, ref } = await create();
      const claimed = Promise.withResolvers<void>();
      const adopted = Promise.withResolvers<void>();
      const proxy = suite.closeAfterAll(
        await startWriteProxy(harness.kubeConfig, {
          opens: Promise.resolve(),
          async before(write) {
            if (updateWriteOf(write) !== "change workload") return true;
            claimed.resolve();
            await adopted.promise;
            return true;
          },
          after: async () => true,
        }),
      );
      const kubeConfig = new KubeConfig();
      kubeConfig.loadFromString(proxy.kubeconfig);
      const late = claim(installation({ ...harness, kubeConfig }, "first", noon), ref);
      await Promise.race([claimed.promise, late]);
      await adoptLate(harness, ref);
      adopted.resolve();
      await expect(late).rejects.toMatchObject({ name: "Conflict" });
      const { status } = await readAutoUpdate(harness, ref);
      expect(status?.update).toMatchObject({ phase: "Applied", holder: "second", execution: "e-2" });
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
    });

    test.for([
      { holder: "a local process that has ended", pid: endedPid(), adopted: 1, inFlight: 0 },
      { holder: "a local process that runs", pid: process.ppid, adopted: 0, inFlight: 1 },
    ])("held by $holder: $adopted adopted", async ({ pid, ...report }, { expect }) => {
      const { harness, ref } = await create();
      await claim(installation(harness, "first", new Date()), ref, new Date());
      await editUpdate(harness, ref, { holder: `local:${hostname()}:${pid}` });
      const { namespace } = harness;
      const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry }));
      const { holder: _, ...expected } = report;
      expect(await pawl.poll()).toMatchObject(expected);
      await eventually("the execution ends", async () => pawl.running() === 0);
      const { inFlight, updateRecord } = await harness.workload("web");
      expect({ isInFlight: inFlight !== null, updates: updateRecord.versionHistory.length }).toEqual({
        isInFlight: report.inFlight === 1,
        updates: report.adopted,
      });
    });
  });

  async function create(): Promise<{ readonly harness: ClusterHarness; readonly ref: WorkloadRef }> {
    const harness = await openClusterHarness(suite);
    await harness.create("Deployment", "web", image("1.0.0"));
    const { ref } = await harness.workload("web");
    await rolledOut(harness);
    return { harness, ref };
  }

  /** Waits until the rollout is complete: from then on the controller writes nothing that could conflict. */
  async function rolledOut(harness: ClusterHarness): Promise<void> {
    await eventually("the rollout is complete", async () => {
      const { rollout } = await harness.workload("web");
      return missingCondition(rollout, null) === null;
    });
  }

  /** Claims the update to 1.1.0, and changes the workload. */
  async function claim(cluster: Cluster, ref: WorkloadRef, now = noon): Promise<void> {
    await cluster.change(await read(cluster, ref), {});
    const workload = await read(cluster, ref);
    await cluster.change(
      workload,
      recordStart(workload, { target: imageTarget(image("1.1.0")), digests: null }, "e-1", now),
    );
  }

  /** Adopts the claim a day later, as the second installation. */
  async function adoptLate(harness: ClusterHarness, ref: WorkloadRef): Promise<void> {
    await rolledOut(harness);
    await changeEventually(installation(harness, "second", nextDay), ref, (workload) => {
      const adoption = adopt(workload, "e-2", imageTarget(image("1.1.0")), nextDay);
      if (adoption.change === null) throw new Error(JSON.stringify(adoption));
      return adoption.change;
    });
  }
});

/** Creates the port of an installation whose clock stands still. */
function installation(
  { kubeConfig, namespace }: Pick<ClusterHarness, "kubeConfig" | "namespace">,
  id: string,
  now: Date,
): Cluster {
  const holder = { id, isLost: () => false };
  const warn = (message: string) => process.emitWarning(message);
  return createKubernetesCluster({ name: "real", kubeConfig, namespaces: [namespace], holder, now: () => now, warn });
}

async function read(cluster: Cluster, ref: WorkloadRef): Promise<Workload> {
  const workload = await cluster.read(ref);
  if (workload === null) throw new Error(`${ref.namespace}/${ref.name} not found`);
  return workload;
}

/** Changes a workload. Reads it again if its controller has changed its status meanwhile. */
async function changeEventually(
  cluster: Cluster,
  ref: WorkloadRef,
  plan: (workload: Workload) => Change,
): Promise<void> {
  await retryOnConflict({
    attempts: 5,
    current: await read(cluster, ref),
    read: () => read(cluster, ref),
    write: (workload) => cluster.change(workload, plan(workload)),
  });
}

function endedPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}
