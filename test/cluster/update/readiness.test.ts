import { type CoreV1Api, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { beforeAll, describe, expect as matchers, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { nodeLostAnnotation } from "../../support/control-plane/kubelet/nodes.ts";
import { type Kind, openObjects, plurals } from "../../support/kubectl/objects.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { imageTarget } from "../../support/workloads.ts";
import { name, startReadiness } from "./readiness-harness.ts";
import { createSuite } from "../suite.ts";

/** Of the clock that runs 20 times as fast. */
const short = { [annotations.healthTimeout]: "3m" };
const long = { [annotations.healthTimeout]: "10m" };
const merge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
const nothingBlamed = { rollbackCount: 0, failedVersions: [], circuitOpen: false };

describeOnRealCluster("the version of an update is judged by its pods", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
  });

  const start = (kind: Kind, repository: "good" | "bad", timeout: Record<string, string>, spec?: object) =>
    startReadiness(suite, { kind, repository, timeout, spec });

  describe.concurrent("in a namespace of its own", () => {
    test("a quota allows no pod of it: it is withdrawn, and applied after that", async ({ expect }) => {
      const { harness, pawl, image, core, waitForEnd } = await start("Deployment", "good", short);
      const quota = { namespace: harness.namespace, name: "pods" };
      const body = { metadata: { name: quota.name }, spec: { hard: { pods: "3" } } };
      await core.createNamespacedResourceQuota({ namespace: harness.namespace, body });
      await eventually("the quota is used up", async () => {
        return (await core.readNamespacedResourceQuota(quota)).status?.used?.["pods"] === "3";
      });
      await pawl.poll();
      const withdrawn = await waitForEnd();
      expect(withdrawn.image).toBe(image("1.0.0"));
      expect(withdrawn.updateRecord).toMatchObject(nothingBlamed);
      expect(withdrawn.updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Withdrawn" }]);
      const message = matchers.stringContaining("exceeded quota: pods");
      expect(withdrawn.backOff).toMatchObject({ reason: "NotStarted", message, attempts: 1 });
      const ready = { status: "False", reason: "NotStarted", message };
      expect(await harness.condition("deployment-web", "Ready")).toMatchObject(ready);

      await core.deleteNamespacedResourceQuota(quota);
      await harness.annotate(name, long);
      await eventually("the next attempt has started", async () => (await pawl.poll()).started === 1);
      const { updateRecord, backOff } = await waitForEnd();
      expect(updateRecord).toMatchObject({ ...nothingBlamed, currentVersion: "1.1.0" });
      expect(backOff).toBeNull();
    });

    test("no node takes its canary: that waits, and is withdrawn at the deadline", async ({ expect }) => {
      const label = "test.pawl.dev/takes-canaries";
      const { harness, pawl, image, core, waitForStatus, waitForEnd } = await start("Deployment", "good", short);
      const node = (await core.listNode()).items[0]?.metadata?.name ?? "";
      const mark = (value: string | null) =>
        core.patchNode({ name: node, body: { metadata: { labels: { [label]: value } } } }, merge);
      await mark("true");
      const template = { spec: { nodeSelector: { [label]: "true" } } };
      await openObjects(harness.kubeConfig, harness.namespace).patch(
        plurals.Deployment,
        name,
        PatchStrategy.MergePatch,
        {
          spec: { template },
        },
      );
      await eventually("all pods run on the node", async () => {
        const { observedGeneration, updatedReplicas, readyReplicas } = (await harness.workload(name)).rollout ?? {};
        return observedGeneration === 2 && updatedReplicas === 3 && readyReplicas === 3;
      });
      await mark(null);
      await harness.annotate(name, { [annotations.canary]: "1" });
      await pawl.poll();
      await waitForStatus("it waits", ({ update }) => update?.observedAt !== undefined);
      const { items } = await core.listNamespacedPod({
        namespace: harness.namespace,
        fieldSelector: "status.phase=Pending",
      });
      const scheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable" };
      expect(items).toMatchObject([{ status: { conditions: [scheduled] } }]);
      const { image: runs, updateRecord, backOff } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject(nothingBlamed);
      const reason = "not ready after 180 s: 0 of 1 replicas ready";
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Withdrawn", reason }]);
      expect(backOff).toMatchObject({ reason: "NotStarted", attempts: 1 });
      const left = await core.listNamespacedPod({
        namespace: harness.namespace,
        labelSelector: "pawl.dev/role=canary",
      });
      expect(left.items.every(({ metadata }) => metadata?.deletionTimestamp !== undefined)).toBe(true);
    });

    test("scaled to 0, it has no verdict; scaled up again, it is rolled back once", async ({ expect }) => {
      const { harness, pawl, image, kubectl, waitForStatus, waitForEnd } = await start("Deployment", "bad", long);
      await pawl.poll();
      await waitForStatus("it is applied", ({ update }) => update?.phase === "Applied");
      await harness.edit("deployment-web", { status: { rollbackCount: 1, failedVersions: ["1.0.1"] } }, "status");
      await kubectl.scale("Deployment", name, 0);
      const zero = "not judged while it is scaled to 0";
      await waitForStatus("it waits", ({ update }) => update?.waitingReason === zero);
      await waitForStatus("it is parked", ({ update }) => update?.parked?.reason === "NoReplicas");
      await harness.annotate(name, short);
      const since = pawl.ports.now().getTime();
      await eventually("the deadline has passed", async () => pawl.ports.now().getTime() - since > 90_000);
      const { inFlight, updateRecord } = await harness.workload(name);
      expect(inFlight).toMatchObject({ phase: "rollout", target: imageTarget(image("1.1.0-bad")) });
      expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.0.1"], versionHistory: [] });

      expect(await pawl.poll()).toMatchObject({ adopted: 0, inFlight: 1 });
      await kubectl.scale("Deployment", name, 3);
      // The sleeping execution would check it in an hour.
      expect(await pawl.poll()).toMatchObject({ adopted: 1 });
      const { image: runs, updateRecord: judged } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(judged).toMatchObject({ rollbackCount: 2, failedVersions: ["1.0.1", "1.1.0-bad"], circuitOpen: false });
    });

    test("its owner changes an environment variable: it is withdrawn", async ({ expect }) => {
      const { harness, pawl, image, kubectl, waitForStatus, waitForEnd } = await start("Deployment", "bad", long);
      await pawl.poll();
      await waitForStatus("it is observed", ({ update }) => update?.observedAt !== undefined);
      const containers = [{ name: "app", env: [{ name: "LEVEL", value: "debug" }] }];
      const edit = { spec: { template: { spec: { containers } } } };
      const objects = openObjects(harness.kubeConfig, harness.namespace);
      await objects.patch("deployments", name, PatchStrategy.StrategicMergePatch, edit);
      await harness.annotate(name, short);
      const { updateRecord, backOff } = await waitForEnd();
      expect(updateRecord).toMatchObject(nothingBlamed);
      expect(backOff).toMatchObject({ reason: "Withdrawn", target: imageTarget(image("1.1.0-bad")), attempts: 1 });
      const { spec } = (await kubectl.get("Deployment", name)).spec.template;
      expect(spec.containers).toMatchObject([{ image: image("1.0.0"), env: containers[0]?.env }]);
    });

    test.for([
      { maxUnavailable: 2, status: "Healthy", runs: "1.1.0", updated: 1, reason: undefined },
      // Kubernetes itself replaces no other pod while the one on the lost node is unavailable.
      {
        maxUnavailable: 1,
        status: "Withdrawn",
        runs: "1.0.0",
        updated: 0,
        reason: "not ready after 180 s: 0 of 2 replicas updated",
      },
    ])("on a lost node, with maxUnavailable $maxUnavailable: $status", async (each, { expect }) => {
      const rollingUpdate = { maxUnavailable: each.maxUnavailable };
      const spec = { updateStrategy: { rollingUpdate } };
      const { harness, pawl, image, core, kubectl, waitForEnd } = await start("DaemonSet", "good", long, spec);
      await loseNode(core, harness.namespace);
      const rollout = async () => (await harness.workload(name)).rollout;
      await eventually("a pod is unavailable", async () => (await rollout())?.readyReplicas === 1);
      await pawl.poll();
      await eventually("the other pod runs it", async () => {
        const { updatedReplicas, readyReplicas } = (await rollout()) ?? {};
        return each.updated === updatedReplicas && readyReplicas === 1;
      });
      await kubectl.annotate("DaemonSet", name, short);
      const { image: runs, updateRecord } = await waitForEnd();
      expect(runs).toBe(image(each.runs));
      expect(updateRecord).toMatchObject(nothingBlamed);
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: each.status }]);
      expect(updateRecord.versionHistory[0]?.reason).toBe(each.reason);
    });

    // Kubernetes has it since 1.22 for StatefulSets too.
    test.runIf(isSoak).for(["Deployment", "DaemonSet"] as const)(
      "a %s is ready after minReadySeconds",
      async (kind, { expect }) => {
        const { pawl, waitForEnd } = await start(kind, "good", long, { minReadySeconds: 2 });
        await pawl.poll();
        const { updateRecord } = await waitForEnd();
        const [entry] = updateRecord.versionHistory;
        expect(entry).toMatchObject({ version: "1.1.0", status: "Healthy" });
        // 40 s after a pod became ready.
        expect((entry?.finishedAt?.getTime() ?? 0) - (entry?.appliedAt.getTime() ?? 0)).toBeGreaterThan(40_000);
      },
    );
  });
});

/** The kubelet of one pod's node stops answering, and the node controller sets the pod's condition. */
async function loseNode(core: CoreV1Api, namespace: string): Promise<void> {
  const { items } = await core.listNamespacedPod({ namespace });
  const pod = { name: items[0]?.metadata?.name ?? "", namespace };
  await core.patchNamespacedPod(
    { ...pod, body: { metadata: { annotations: { [nodeLostAnnotation]: "true" } } } },
    merge,
  );
  const conditions = [{ type: "Ready", status: "False", reason: "NodeNotReady" }];
  await core.patchNamespacedPodStatus({ ...pod, body: { status: { conditions } } }, merge);
}
