import { CustomObjectsApi } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { clawImage, desiredStatefulSet } from "../../../../infra/local/kubernetes/controllers/claw-stateful-set.ts";
import { byMerge, simulate, workload } from "./simulation.ts";

const claws = { group: "claw.prismer.ai", version: "v1alpha1", namespace: "shop", plural: "claws" };
const set = { namespace: "shop", name: "scout" };
const target = "claw.prismer.ai/target-image";

function claw(spec: { runtime: string; image?: string }, annotations: Record<string, string> = {}) {
  const metadata = { name: "scout", namespace: "shop", uid: "u", annotations };
  return { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw", metadata, spec };
}

describe("the image of a Claw", () => {
  test.for([
    {
      what: "a runtime's default",
      claw: claw({ runtime: "openclaw" }),
      image: "ghcr.io/prismer-ai/k8s4claw-openclaw:latest",
    },
    {
      what: "the runtime of another registry owner",
      claw: claw({ runtime: "hermesclaw" }),
      image: "ghcr.io/nousresearch/hermes-agent:latest",
    },
    { what: "spec.image before the default", claw: claw({ runtime: "openclaw", image: "x/y:1" }), image: "x/y:1" },
    {
      what: "the annotation before both",
      claw: claw({ runtime: "openclaw", image: "x/y:1" }, { [target]: "x/y:2" }),
      image: "x/y:2",
    },
    { what: "none for an unknown runtime", claw: claw({ runtime: "custom" }), image: null },
  ])("$what", ({ claw: object, image }) => {
    expect(clawImage(object)).toBe(image);
    expect(desiredStatefulSet(object)?.spec.template.spec.containers ?? null).toEqual(
      image && [{ name: "runtime", image }],
    );
  });
});

test("a Claw gets a StatefulSet with the annotation's image, or the default image without it", async () => {
  await using simulation = await simulate([claw({ runtime: "openclaw" })]);
  const custom = simulation.kubeConfig.makeApiClient(CustomObjectsApi);
  const image = async () =>
    (await simulation.apps.readNamespacedStatefulSet(set)).spec?.template.spec?.containers[0]?.image;
  const annotate = async (value: string | null) => {
    const body = [{ op: "add", path: "/metadata/annotations", value: value === null ? {} : { [target]: value } }];
    await custom.patchNamespacedCustomObject({ ...claws, name: "scout", body });
    await simulation.pass(4);
  };
  const created = await simulation.apps.readNamespacedStatefulSet(set);
  expect(created.metadata?.ownerReferences).toMatchObject([{ kind: "Claw", name: "scout", controller: true }]);
  expect(created.status).toMatchObject({ replicas: 1, readyReplicas: 1 });
  await annotate("ghcr.io/prismer-ai/k8s4claw-openclaw:1.2.0");
  expect(await image()).toBe("ghcr.io/prismer-ai/k8s4claw-openclaw:1.2.0");
  await annotate("ghcr.io/prismer-ai/k8s4claw-openclaw:bad");
  expect((await simulation.apps.readNamespacedStatefulSet(set)).status?.readyReplicas).toBeUndefined();
  await annotate(null);
  expect(await image()).toBe("ghcr.io/prismer-ai/k8s4claw-openclaw:latest");
  // Like a real StatefulSet, it waits for the pod that never became ready until the pod is deleted.
  expect((await simulation.apps.readNamespacedStatefulSet(set)).status?.readyReplicas).toBeUndefined();
  await simulation.core.deleteNamespacedPod({ namespace: set.namespace, name: "scout-0" });
  await simulation.pass(4);
  expect((await simulation.apps.readNamespacedStatefulSet(set)).status).toMatchObject({ readyReplicas: 1 });
});

test("a manually changed replica count stays", async () => {
  await using simulation = await simulate([claw({ runtime: "openclaw" })]);
  await simulation.apps.patchNamespacedStatefulSet({ ...set, body: { spec: { replicas: 2 } } }, byMerge);
  await simulation.pass(4);
  expect((await simulation.apps.readNamespacedStatefulSet(set)).status).toMatchObject({
    replicas: 2,
    readyReplicas: 2,
  });
});

test("a StatefulSet of the same name without owner reference is not changed", async () => {
  const other = workload("StatefulSet", {}, "other:1.0.0");
  const [theirs, mine] = [{ ...other, metadata: set }, claw({ runtime: "openclaw" })];
  await using simulation = await simulate([theirs, mine]);
  await simulation.pass(1);
  const found = await simulation.apps.readNamespacedStatefulSet(set);
  expect(found.spec?.template.spec?.containers).toMatchObject([{ name: "app", image: "other:1.0.0" }]);
});

test("deleting a Claw deletes its StatefulSet and its pods", async () => {
  await using simulation = await simulate([claw({ runtime: "openclaw" })]);
  const custom = simulation.kubeConfig.makeApiClient(CustomObjectsApi);
  await custom.deleteNamespacedCustomObject({ ...claws, name: "scout" });
  await simulation.pass(1);
  expect((await simulation.apps.listNamespacedStatefulSet({ namespace: "shop" })).items).toEqual([]);
  expect((await simulation.core.listNamespacedPod({ namespace: "shop" })).items).toEqual([]);
});
