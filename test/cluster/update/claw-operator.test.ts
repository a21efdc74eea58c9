import { AppsV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions, type KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startClawOperator } from "../../support/real/claw-operator.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";

const claws = { group: "claw.prismer.ai", version: "v1alpha1", plural: "claws" };
const name = "otto";
const patience = { timeout: 30_000, interval: 50 };

describeOnRealCluster("the simulated Claw operator", () => {
  let kubeConfig: KubeConfig;
  let operator: { stop(): Promise<void> } | undefined;
  let namespace: string;

  beforeAll(async () => {
    kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "claw");
    operator = await startClawOperator(kubeConfig);
    namespace = await makeNamespace(kubeConfig, "claw");
  });

  afterAll(() => operator?.stop());

  test("runs a Claw's default image, then its target image, then the default again, then a broken one", async () => {
    const custom = kubeConfig.makeApiClient(CustomObjectsApi);
    const body = {
      apiVersion: "claw.prismer.ai/v1alpha1",
      kind: "Claw",
      metadata: { name },
      spec: { runtime: "openclaw" },
    };
    await custom.createNamespacedCustomObject({ ...claws, namespace, body });
    await expect.poll(rollout, patience).toEqual(readyOn("ghcr.io/prismer-ai/k8s4claw-openclaw:latest"));

    for (const { target, outcome } of [
      { target: "example.test/claw:2.0.0", outcome: readyOn("example.test/claw:2.0.0") },
      { target: null, outcome: readyOn("ghcr.io/prismer-ai/k8s4claw-openclaw:latest") },
      {
        target: "example.test/claw:2.1.0-bad",
        outcome: { image: "example.test/claw:2.1.0-bad", observed: true, updated: 1, ready: 0 },
      },
    ]) {
      const annotations = { "claw.prismer.ai/target-image": target };
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await custom.patchNamespacedCustomObject(
        { ...claws, namespace, name, body: { metadata: { annotations } } },
        merge,
      );
      await expect.poll(rollout, patience).toMatchObject(outcome);
    }
  });

  async function rollout(): Promise<object> {
    const { metadata, spec, status } = await kubeConfig
      .makeApiClient(AppsV1Api)
      .readNamespacedStatefulSet({ namespace, name })
      .catch(() => ({ metadata: undefined, spec: undefined, status: undefined }));
    return {
      image: spec?.template.spec?.containers[0]?.image,
      observed: status?.observedGeneration === metadata?.generation,
      updated: status?.updatedReplicas,
      ready: status?.readyReplicas ?? 0,
    };
  }
});

function readyOn(image: string) {
  return { image, observed: true, updated: 1, ready: 1 };
}
