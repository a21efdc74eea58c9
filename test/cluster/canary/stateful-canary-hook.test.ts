import { BatchV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import { createHookTemplate, endJobPods, hookPod } from "../hook/job-pods.ts";
import { createCanaryHarness } from "./stateful-canary-harness.ts";
import { createSuite } from "../suite.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;
const labels = { "pawl.dev/hook": "migrate" };

describeOnRealCluster("a StatefulCanary with a hook", () => {
  const suite = createSuite();

  beforeAll(() => installCrd(realKubeConfig(), "stateful-canary"));

  test("is promoted when the Job has succeeded, which waits for that of an earlier attempt", async () => {
    const cluster = await openClusterHarness(suite);
    const { namespace, kubeConfig } = cluster;
    const harness = createCanaryHarness(cluster);
    await createHookTemplate(cluster, image("1.0.0"), { concurrencyPolicy: "Forbid" });
    const batch = kubeConfig.makeApiClient(BatchV1Api);
    const earlier = {
      metadata: { name: "migrate-of-before", labels },
      spec: { template: hookPod([{ name: "migrate", image: image("1.0.0") }]) },
    };
    await batch.createNamespacedJob({ namespace, body: earlier });
    const jobs = async () =>
      (await batch.listNamespacedJob({ namespace, labelSelector: "pawl.dev/hook=migrate" })).items;
    /** Ends the pod of a Job, once the Job has one. */
    const end = (name: string) =>
      eventually(`the Job ${name} is complete`, async () => {
        await endJobPods(cluster, 0, `job-name=${name}`);
        const { status } = await batch.readNamespacedJob({ name, namespace });
        return status?.succeeded === 1;
      });
    const hooks = { prePromotion: { job: "migrate", timeout: "24h" } };
    await harness.create("db", { canaryImage: image("1.1.0"), hooks });
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await pawl.until("the execution waits for the hook", ({ state }) => state === "WaitForHook");
    expect((await harness.get("db")).status).toMatchObject({
      message: "waits for the pre-promotion hook migrate",
      hook: { stage: "PrePromotion", job: "migrate" },
    });
    expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.0.0"), replicas: 3 });
    expect(await jobs()).toHaveLength(1);
    await end("migrate-of-before");
    const created = await vi.waitFor(async () => {
      const job = (await jobs()).find(({ metadata }) => metadata?.name !== "migrate-of-before");
      return job ?? Promise.reject(new Error("no Job"));
    }, 60_000);
    await end(created.metadata?.name ?? "");
    await pawl.succeeds();
    expect((await harness.get("db")).status).toMatchObject({
      currentPhase: "Succeeded",
      hook: { result: "Succeeded", jobUID: created.metadata?.uid },
    });
    expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3, ready: 3 });
  });
});
