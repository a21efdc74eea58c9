import {
  AppsV1Api,
  KubernetesObjectApi,
  PatchStrategy,
  type V1DaemonSet,
  type V1StatefulSet,
} from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { requestOf } from "../../support/request-of.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

const name = "web";
/** Of Kubernetes. */
const defaultHistoryLimit = 10;

describeOnRealCluster("twelve restarts, whose revisions the controller keeps instead of those of releases", () => {
  const suite = createSuite();
  beforeAll(() => suite.registry.pushImage("shop/web", ["1.0.0", "1.1.0"]));

  test.concurrent.for(["StatefulSet", "DaemonSet"] as const)("a rollback of a %s finds its template", async (kind) => {
    const harness = await openClusterHarness(suite);
    const { namespace, kubeConfig } = harness;
    const image = (tag: string) => `${suite.registry.host}/shop/web:${tag}`;
    const pawl = suite.closeAfterAll(
      await startIsolatedPawl({
        namespace,
        registry: suite.registry,
        environment: { PAWL_RELEASES: "true" },
        speed: 60,
      }),
    );
    const warn = (message: string) => process.emitWarning(message);
    const settings = { name: "real", kubeConfig, namespaces: [namespace], now: () => new Date(), warn };
    const cluster = createKubernetesCluster({ ...settings, releases: true });
    // A busy machine must not fail an update.
    const policy = { [annotations.healthTimeout]: "24h" };
    const spec = kind === "StatefulSet" ? { replicas: 1 } : {};
    await harness.create(kind, name, image("1.0.0"), policy, spec);
    const workload = async () => (await cluster.read((await harness.workload(name)).ref))!;
    const settled = () =>
      eventually("the rollout settles", async () => {
        const { rollout } = await workload();
        return rollout !== null && rollout.oldReplicas === 0 && rollout.readyReplicas === rollout.desiredReplicas;
      });
    const poll = async () => {
      await settled();
      expect((await pawl.poll()).failed).toEqual([]);
      await eventually("every started execution ends", async () => pawl.running() === 0);
    };
    await poll();
    await eventually("both releases are recorded", async () => {
      await poll();
      return (await workload()).releases?.list.map(({ version }) => version).join() === "1.0.0,1.1.0";
    });

    const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
    const target = { apiVersion: "apps/v1", kind, metadata: { name, namespace } };
    for (let restart = 0; restart < 12; restart += 1) {
      const restartedAt = { "kubectl.kubernetes.io/restartedAt": `2026-11-20T12:00:${restart + 10}Z` };
      const body = { ...target, spec: { template: { metadata: { annotations: restartedAt } } } };
      const merge = PatchStrategy.MergePatch;
      await objects.patch(body, undefined, undefined, undefined, undefined, merge);
      await eventually(`restart ${restart} has a revision`, async () => {
        const { metadata, status } = await objects.read<V1StatefulSet | V1DaemonSet>(target);
        return status?.observedGeneration === metadata?.generation;
      });
    }
    const apps = kubeConfig.makeApiClient(AppsV1Api);
    await eventually("the controller keeps no other template", async () => {
      const { items } = await apps.listNamespacedControllerRevision({ namespace });
      const own = items.filter(({ metadata }) => !metadata?.name?.startsWith("pawl-"));
      const isOther = own.some(({ data }) => JSON.stringify(data).includes(image("1.0.0")));
      return !isOther && own.length <= defaultHistoryLimit + 1;
    });

    await settled();
    await cluster.request(await workload(), requestOf("rollback 1 t-1"));
    await poll();
    const { image: runs, lastRequest, inFlight, releases } = await workload();
    expect([runs, inFlight]).toEqual([image("1.0.0"), null]);
    expect(lastRequest?.result).toMatch(/^rollback to release 1 is requested/);
    expect(releases?.list.at(-1)).toMatchObject({ version: "1.0.0", rolledBackFrom: 2, result: "Succeeded" });
  });
});
