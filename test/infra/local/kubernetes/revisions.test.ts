import type { V1ControllerRevision, V1ReplicaSet } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { byMerge, simulate, toImage, workload, type Simulation } from "./simulation.ts";

const kinds = ["Deployment", "StatefulSet", "DaemonSet"] as const;
type Kind = (typeof kinds)[number];

async function edit({ apps }: Simulation, kind: Kind, body: object): Promise<void> {
  const patch = { name: "web", namespace: "shop", body };
  if (kind === "Deployment") await apps.patchNamespacedDeployment(patch, byMerge);
  else if (kind === "StatefulSet") await apps.patchNamespacedStatefulSet(patch, byMerge);
  else await apps.patchNamespacedDaemonSet(patch, byMerge);
}

/** Returns the image of each revision, by its number; the controllers give a template that runs again a higher number. */
async function revisionsOf({ apps }: Simulation, kind: Kind): Promise<readonly string[]> {
  const numbered = (number: unknown, template: unknown) =>
    `${Number(number)} ${(template as { spec: { containers: { image: string }[] } }).spec.containers[0]?.image}`;
  const ofSet = ({ metadata, spec }: V1ReplicaSet) =>
    numbered(metadata?.annotations?.["deployment.kubernetes.io/revision"], spec?.template);
  const ofRevision = ({ revision, data }: V1ControllerRevision) =>
    numbered(revision, (data as { spec: { template: unknown } }).spec.template);
  const found =
    kind === "Deployment"
      ? (await apps.listNamespacedReplicaSet({ namespace: "shop" })).items.map(ofSet)
      : (await apps.listNamespacedControllerRevision({ namespace: "shop" })).items.map(ofRevision);
  return found.toSorted();
}

describe.for(kinds)("the revisions of a %s", (kind) => {
  test("are its templates; one that runs again has the highest number", async () => {
    await using simulation = await simulate([workload(kind)]);
    expect(await revisionsOf(simulation, kind)).toEqual(["1 app:1.0.0"]);
    for (const image of ["app:1.1.0", "app:1.2.0", "app:1.0.0"]) {
      await edit(simulation, kind, toImage(image));
      await simulation.pass(20);
    }
    expect(await revisionsOf(simulation, kind)).toEqual(["2 app:1.1.0", "3 app:1.2.0", "4 app:1.0.0"]);
  });

  test("are kept up to its limit, and as long as a pod has them", async () => {
    await using simulation = await simulate([workload(kind, { revisionHistoryLimit: 1 })]);
    for (const image of ["app:1.1.0", "app:1.2.0", "app:bad"]) {
      await edit(simulation, kind, toImage(image));
      await simulation.pass(20);
    }
    expect(await revisionsOf(simulation, kind)).toEqual(["2 app:1.1.0", "3 app:1.2.0", "4 app:bad"]);
  });

  test("are not changed by scaling", async () => {
    await using simulation = await simulate([workload(kind)]);
    await edit(simulation, kind, { spec: { minReadySeconds: 1 }, metadata: { annotations: { note: "1" } } });
    await simulation.pass(5);
    expect(await revisionsOf(simulation, kind)).toEqual(["1 app:1.0.0"]);
  });
});

test("the pods of a Deployment are those of its ReplicaSets, which are deleted with it", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  const { apps, core } = simulation;
  const [set] = (await apps.listNamespacedReplicaSet({ namespace: "shop" })).items;
  expect(set?.status?.replicas).toBe(3);
  const { items } = await core.listNamespacedPod({ namespace: "shop" });
  for (const { metadata } of items) {
    expect(metadata?.ownerReferences).toMatchObject([
      { kind: "ReplicaSet", uid: set?.metadata?.uid, controller: true },
    ]);
    expect(metadata?.labels?.["pod-template-hash"]).toBe(set?.metadata?.labels?.["pod-template-hash"]);
  }
  await apps.deleteNamespacedDeployment({ name: "web", namespace: "shop" });
  await simulation.pass(5);
  expect((await apps.listNamespacedReplicaSet({ namespace: "shop" })).items).toEqual([]);
  expect((await core.listNamespacedPod({ namespace: "shop" })).items).toEqual([]);
});
