import { ApiException, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { beforeAll, describe, inject, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { minorVersion } from "../../support/served-version.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { name, startReadiness } from "./readiness-harness.ts";

const minor = inject("kubeconfig") === null ? 0 : await minorVersion(realKubeConfig());
const timeout = { [annotations.healthTimeout]: "1h" };
const holder = "test.pawl.dev/hold";

function unlessNotFound(error: unknown): void {
  if (!(error instanceof ApiException) || error.code !== 404) throw error;
}

describeOnRealCluster("the replica counts of a controller", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  describe.concurrent("in a namespace of its own", () => {
    // `status.terminatingReplicas` is on by default since 1.35.
    test.skipIf(minor < 35)("a Deployment is not complete while old pods terminate", async ({ expect }) => {
      const spec = { template: { metadata: { finalizers: [holder] } } };
      const start = await startReadiness(suite, { kind: "Deployment", repository: "good", timeout, spec });
      const { harness, pawl, core, image, kubectl, waitForStatus, waitForEnd } = start;
      const { namespace } = harness;
      await pawl.poll();
      await eventually("only terminating pods are left of the version before", async () => {
        const { rollout, image: runs } = await harness.workload(name);
        const { updatedReplicas, readyReplicas, oldReplicas, terminatingReplicas } = rollout ?? {};
        const isComplete = updatedReplicas === 3 && readyReplicas === 3 && oldReplicas === 0;
        return runs === image("1.1.0") && isComplete && terminatingReplicas === 3;
      });
      await waitForStatus("a check has seen that", ({ update }) => update?.observedAt !== undefined);
      // Longer than from one check to the next, by the clock that runs 20 times as fast.
      const since = pawl.ports.now().getTime();
      await eventually("two checks", async () => pawl.ports.now().getTime() - since > 60_000);
      expect((await harness.workload(name)).inFlight).toMatchObject({ phase: "rollout" });
      expect(await kubectl.get("Deployment", name)).toMatchObject({ status: { terminatingReplicas: 3 } });

      await releasePods();
      const { updateRecord } = await waitForEnd();
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Healthy" }]);

      /** Lets the pods end that were deleted. */
      async function releasePods(): Promise<void> {
        const { items } = await core.listNamespacedPod({ namespace });
        const ending = items.filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
        const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
        const body = { metadata: { finalizers: null } };
        for (const { metadata } of ending)
          // One that a controller has just created, or that nothing holds any more, may be gone.
          await core.patchNamespacedPod({ name: metadata?.name ?? "", namespace, body }, merge).catch(unlessNotFound);
      }
    });

    const slow = { replicas: 6, minReadySeconds: 5 };
    const oneByOne = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    test.for([
      { kind: "Deployment", since: 0, spec: { ...slow, strategy: oneByOne } },
      // Before 1.22 the API server drops `minReadySeconds`.
      { kind: "StatefulSet", since: 25, spec: slow },
    ] as const)("a slow $kind has the health timeout for each pod", async ({ kind, since, spec }, { skip, expect }) => {
      skip(minor < since);
      // 24 s on this clock: long for a pod on a busy machine, and too short for six that take at least 5 s each.
      const healthTimeout = { [annotations.healthTimeout]: "8m" };
      const { pawl, waitForEnd } = await startReadiness(suite, {
        kind,
        repository: "good",
        timeout: healthTimeout,
        spec,
      });
      await pawl.poll();
      const { updateRecord } = await waitForEnd();
      const [entry] = updateRecord.versionHistory;
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Healthy" }]);
      expect((entry?.finishedAt?.getTime() ?? 0) - (entry?.appliedAt.getTime() ?? 0)).toBeGreaterThan(8 * 60_000);
    });

    test("a StatefulSet with maxUnavailable 2 is complete after minReadySeconds", async ({ expect }) => {
      const rollingUpdate = { maxUnavailable: 2 };
      const spec = { minReadySeconds: 3, updateStrategy: { rollingUpdate } };
      const { pawl, kubectl, waitForEnd } = await startReadiness(suite, {
        kind: "StatefulSet",
        repository: "good",
        timeout,
        spec,
      });
      await pawl.poll();
      const { updateRecord, rollout } = await waitForEnd();
      const [entry] = updateRecord.versionHistory;
      expect(entry).toMatchObject({ version: "1.1.0", status: "Healthy" });
      expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3, oldReplicas: 0 });
      const { minReadySeconds } = (await kubectl.get("StatefulSet", name)).spec as {
        readonly minReadySeconds?: number;
      };
      // Before 1.22 the API server drops it. The third pod is replaced when one of the first two is available.
      const seconds = ((entry?.finishedAt?.getTime() ?? 0) - (entry?.appliedAt.getTime() ?? 0)) / 1000;
      if (minReadySeconds !== undefined) expect(seconds).toBeGreaterThan(2 * 3 * 20);
    });
  });
});
