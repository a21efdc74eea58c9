import { AppsV1Api, CoreV1Api, PatchStrategy, setHeaderOptions, type KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";

const labels = { app: "probe" };
const patience = { timeout: 30_000, interval: 50 };
const merge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);

describeOnRealCluster("the control plane for tests", () => {
  let kubeConfig: KubeConfig;
  let apps: AppsV1Api;
  let core: CoreV1Api;
  let namespace: string;

  beforeAll(async () => {
    kubeConfig = realKubeConfig();
    apps = kubeConfig.makeApiClient(AppsV1Api);
    core = kubeConfig.makeApiClient(CoreV1Api);
    namespace = await makeNamespace(kubeConfig, "plane");
  });

  afterAll(async () => {
    await core?.deleteNamespace({ name: namespace });
  });

  test("a Deployment rolls out, and then rolls out another image", async () => {
    const name = "deployment";
    await apps.createNamespacedDeployment({
      namespace,
      body: { metadata: { name }, spec: { replicas: 3, ...pods(name, "app:1.0.0") } },
    });
    const status = async () => (await apps.readNamespacedDeploymentStatus({ name, namespace })).status;
    await expect
      .poll(status, patience)
      .toMatchObject({ observedGeneration: 1, updatedReplicas: 3, availableReplicas: 3 });

    await apps.patchNamespacedDeployment({ name, namespace, body: { spec: pods(name, "app:1.1.0") } }, merge);
    await expect
      .poll(status, patience)
      .toMatchObject({ observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    await expect.poll(() => images(name), patience).toEqual(["app:1.1.0", "app:1.1.0", "app:1.1.0"]);
  });

  test("a broken image keeps the old pods", async () => {
    const name = "broken-update";
    await apps.createNamespacedDeployment({
      namespace,
      body: { metadata: { name }, spec: { replicas: 3, ...pods(name, "app:1.0.0") } },
    });
    const status = async () => (await apps.readNamespacedDeploymentStatus({ name, namespace })).status;
    await expect.poll(status, patience).toMatchObject({ availableReplicas: 3 });

    await apps.patchNamespacedDeployment({ name, namespace, body: { spec: pods(name, "app:1.1.0-bad") } }, merge);
    await expect
      .poll(status, patience)
      .toMatchObject({ updatedReplicas: 1, availableReplicas: 3, unavailableReplicas: 1 });
    await expect
      .poll(() => condition(name, "app:1.1.0-bad"), patience)
      .toMatchObject({ type: "Ready", status: "False" });
  });

  test("a StatefulSet rolls out in order, and stops at the first pod that is not ready", async () => {
    const name = "stateful-set";
    const spec = { replicas: 3, serviceName: name, ...pods(name, "app:1.0.0") };
    await apps.createNamespacedStatefulSet({ namespace, body: { metadata: { name }, spec } });
    const status = async () => (await apps.readNamespacedStatefulSetStatus({ name, namespace })).status;
    await expect.poll(status, patience).toMatchObject({ readyReplicas: 3 });

    await apps.patchNamespacedStatefulSet({ name, namespace, body: { spec: pods(name, "app:broken-2") } }, merge);
    await expect.poll(status, patience).toMatchObject({ observedGeneration: 2, updatedReplicas: 1, readyReplicas: 2 });
    await expect
      .poll(() => condition(name, "app:broken-2"), patience)
      .toMatchObject({ type: "Ready", status: "False" });
    expect((await core.readNamespacedPod({ name: `${name}-2`, namespace })).spec?.containers[0]?.image).toBe(
      "app:broken-2",
    );
  });

  test("a DaemonSet has a pod on every Node", async () => {
    const name = "daemon-set";
    await apps.createNamespacedDaemonSet({ namespace, body: { metadata: { name }, spec: pods(name, "app:1.0.0") } });
    const status = async () => (await apps.readNamespacedDaemonSetStatus({ name, namespace })).status;
    const nodes = (await core.listNode()).items.length;
    await expect
      .poll(status, patience)
      .toMatchObject({ desiredNumberScheduled: nodes, numberAvailable: nodes, updatedNumberScheduled: nodes });

    await apps.patchNamespacedDaemonSet({ name, namespace, body: { spec: pods(name, "app:1.1.0") } }, merge);
    await expect
      .poll(status, patience)
      .toMatchObject({ observedGeneration: 2, numberAvailable: nodes, updatedNumberScheduled: nodes });
  });

  test("a pod becomes ready and unready as its image and its annotation change, and is deleted on request", async () => {
    const name = "pod";
    const { spec } = pods(name, "app:1.0.0-bad").template;
    await core.createNamespacedPod({ namespace, body: { metadata: { name, labels: { app: name } }, spec } });
    await expect.poll(() => condition(name, "app:1.0.0-bad"), patience).toMatchObject({ status: "False" });

    await core.patchNamespacedPod({ name, namespace, body: { spec: pods(name, "app:1.0.0").template.spec } }, merge);
    await expect.poll(() => condition(name, "app:1.0.0"), patience).toMatchObject({ status: "True" });
    const annotated = { metadata: { annotations: { [neverReadyAnnotation]: "true" } } };
    await core.patchNamespacedPod({ name, namespace, body: annotated }, merge);
    await expect.poll(() => condition(name, "app:1.0.0"), patience).toMatchObject({ status: "False" });
    await core.deleteNamespacedPod({ name, namespace });
    await expect.poll(() => images(name), patience).toEqual([]);
  });

  async function images(app: string): Promise<readonly (string | undefined)[]> {
    const { items } = await core.listNamespacedPod({ namespace, labelSelector: `app=${app}` });
    return items.map(({ spec }) => spec?.containers[0]?.image);
  }

  /** The condition Ready of the first pod that runs the image. */
  async function condition(app: string, image: string): Promise<unknown> {
    const { items } = await core.listNamespacedPod({ namespace, labelSelector: `app=${app}` });
    const pod = items.find(({ status }) => status?.containerStatuses?.some((container) => container.image === image));
    return pod?.status?.conditions?.find(({ type }) => type === "Ready");
  }
});

function pods(app: string, image: string) {
  const podLabels = { ...labels, app };
  return {
    selector: { matchLabels: podLabels },
    template: { metadata: { labels: podLabels }, spec: { containers: [{ name: "app", image }] } },
  };
}
