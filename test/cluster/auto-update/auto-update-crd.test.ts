import { CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { afterEach, beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";
import { textsOf } from "../../support/problems.ts";

const optedIn = { [annotations.autoUpdate]: "true" };

/** Deletes the CRD, and with it every AutoUpdate. No other suite may run. */
async function deleteCrd(kubeConfig: KubeConfig): Promise<void> {
  const crd = { group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" };
  await kubeConfig.makeApiClient(CustomObjectsApi).deleteClusterCustomObject({ ...crd, name: "autoupdates.pawl.dev" });
  await eventually("AutoUpdates are not served", async () => {
    const { code } = await rawRequest(kubeConfig, "GET", "/apis/pawl.dev/v1alpha1/autoupdates", {});
    return code === 404;
  });
}

describeOnRealCluster("without the CRD of AutoUpdate", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });
  afterEach(() => installCrd(realKubeConfig(), "auto-update"));

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  test("polls report one clear problem, and start updates once it is installed", async () => {
    const harness = await openAutoUpdateHarness(suite);
    await deleteCrd(harness.kubeConfig);
    const pawl = await harness.startPawl();
    await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
    await harness.createPlain("StatefulSet", "store", image("1.0.0"), optedIn);
    for (let count = 0; count < 2; count += 1) {
      const report = await pawl.poll();
      expect(report).toMatchObject({ evaluated: 2, started: 0, recorded: 0, problems: 2, failures: 1, failed: [] });
    }
    for (const name of ["web", "store"]) {
      const { problems, image: runs } = await harness.workload(name);
      expect(textsOf(problems)).toEqual([expect.stringContaining("kubectl apply -k infra/cluster/crds")]);
      expect(runs).toBe(image("1.0.0"));
      expect(await harness.eventsOf(name)).toEqual([]);
    }

    await installCrd(harness.kubeConfig, "auto-update");
    await harness.settle(pawl, 2);
    expect(await harness.names()).toEqual(["deployment-web", "statefulset-store"]);
    for (const name of ["web", "store"]) expect((await harness.workload(name)).image).toBe(image("1.1.0"));
  });

  test("an update in progress when it is deleted: nothing is reverted or blamed", async () => {
    const harness = await openAutoUpdateHarness(suite);
    const pawl = await harness.startPawl();
    await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
    await pawl.poll();
    await eventually("it is applied", async () => (await harness.deployment("web")).image === image("1.1.0"));
    await deleteCrd(harness.kubeConfig);
    await harness.settle(pawl, 2);
    expect((await harness.deployment("web")).image).toBe(image("1.1.0"));
    expect(await harness.eventsOf("web")).not.toContain("AutoUpdateRollback");
    await installCrd(harness.kubeConfig, "auto-update");
    await harness.settle(pawl, 2);
    expect((await harness.read("deployment-web"))?.status).toMatchObject({ currentVersion: "1.1.0" });
    expect((await harness.read("deployment-web"))?.status?.failedVersions ?? []).toEqual([]);
  });
});
