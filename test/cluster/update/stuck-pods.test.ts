import { AppsV1Api, CoreV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { isSoak } from "../../support/property-runs.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { readAutoUpdate, request } from "../auto-update/auto-updates.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

describeOnRealCluster("a pod of a StatefulSet that is stuck on another revision", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/db:${tag}`;

  beforeAll(() => suite.registry.pushImage("shop/db", ["1.0.0", "1.1.0"]));

  test.concurrent("is freed by the next update, if a person set the image back while a bad version rolled out", async () => {
    const harness = await openClusterHarness(suite);
    await harness.create("StatefulSet", "db", image("1.0.0"));
    await podsAre(harness, { ready: 3, image: image("1.0.0") });
    await setImages(harness, { app: image("1.0.1-bad") });
    await podsAre(harness, { ready: 2, image: image("1.0.1-bad") });
    await setImages(harness, { app: image("1.0.0") });
    await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    await podsAre(harness, { ready: 3, image: image("1.1.0") });
    const { updateRecord } = await harness.workload("db");
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
  });

  test.concurrent("is freed by the promotion of a canary that it keeps from having a pod", async () => {
    const harness = await openClusterHarness(suite);
    const { namespace } = harness;
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry }));
    await harness.create("StatefulSet", "db", image("1.0.0-bad"), {
      [annotations.canary]: "1",
      [annotations.versioning]: "semver",
      [annotations.healthTimeout]: "1h",
    });
    await pawl.poll();
    await eventually("its canary is claimed", async () => {
      const { canary, inFlight } = await harness.workload("db");
      return inFlight?.phase === "canary" && canary?.desiredReplicas === 1;
    });
    const { ref, canary } = await harness.workload("db");
    expect(canary).toMatchObject({ updatedReplicas: 0, partition: 2 });
    await request(harness, ref, "promote early");
    await eventually("it is not paused", async () => /--full/.test((await lastRequest(harness, ref))?.result ?? ""));
    await request(harness, ref, "promote full now");
    await podsAre(harness, { ready: 3, image: image("1.1.0") });
    await eventually("the execution ends", async () => pawl.running() === 0);
    const { updateRecord, inFlight } = await harness.workload("db");
    expect(inFlight).toBeNull();
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
  });

  test.runIf(isSoak)(
    "is freed by a rollback, if the template differs in an init container, and the rollback waits for it",
    async () => {
      const harness = await openClusterHarness(suite);
      const constraint = {
        [annotations.containers]: "migrate",
        [annotations.versionConstraint]: "1.1.0-bad",
        [annotations.versioning]: "semver",
      };
      await harness.create("StatefulSet", "db", image("1.0.0"), { ...constraint, [annotations.healthTimeout]: "2m" });
      await setImages(harness, { migrate: image("1.0.0") }, "initContainers");
      await podsAre(harness, { ready: 3, image: image("1.0.0"), init: image("1.0.0") });
      await suite.registry.pushImage("shop/db", ["1.1.0-bad"]);
      await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
      const { updateRecord } = await harness.workload("db");
      expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0-bad"] });
      await podsAre(harness, { ready: 3, image: image("1.0.0"), init: image("1.0.0") });
    },
  );
});

async function lastRequest(harness: ClusterHarness, ref: WorkloadRef) {
  return (await readAutoUpdate(harness, ref)).status?.lastRequest;
}

type Images = Readonly<Record<string, string>>;

async function setImages(
  { kubeConfig, namespace }: ClusterHarness,
  images: Images,
  list = "containers",
): Promise<void> {
  const value = Object.entries(images).map(([name, image]) => ({ name, image }));
  const body = [{ op: "add", path: `/spec/template/spec/${list}`, value }];
  await kubeConfig.makeApiClient(AppsV1Api).patchNamespacedStatefulSet({ name: "db", namespace, body });
}

interface Expected {
  readonly ready: number;
  /** Of all ready pods, or of the one that is not ready. */
  readonly image: string;
  readonly init?: string;
}

/** Waits until this number of the three pods is ready on these images, or until the other pod has the image. */
async function podsAre({ kubeConfig, namespace }: ClusterHarness, expected: Expected): Promise<void> {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  await eventually(`${expected.ready} pods are ready, with ${expected.image}`, async () => {
    const { items } = await core.listNamespacedPod({ namespace });
    const states = items.map(({ spec, status }) => ({
      isReady: status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false,
      image: spec?.containers[0]?.image,
      init: spec?.initContainers?.[0]?.image,
    }));
    const ready = states.filter(({ isReady }) => isReady);
    const judged = expected.ready === 3 ? ready : states.filter(({ isReady }) => !isReady);
    const areAsExpected = judged.every(({ image, init }) => image === expected.image && init === expected.init);
    return states.length === 3 && ready.length === expected.ready && areAsExpected;
  });
}
