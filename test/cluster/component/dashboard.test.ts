import { beforeAll, expect, inject, test } from "vitest";
import type { WorkloadDetail } from "../../../cli/dashboard/model.ts";
import { openDashboard } from "../../../cli/dashboard/open-dashboard.ts";
import { hasBrowser, openBrowser, openPage } from "../../browser/browser.ts";
import { signIn } from "../../cli/dashboard/sign-in.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { createSuite } from "../suite.ts";

describeOnRealCluster("the dashboard on a real cluster", () => {
  const suite = createSuite();
  let harness: ClusterHarness;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/web", ["1.0.0", "1.1.0"]);
    harness = await openClusterHarness(suite);
    await harness.create("Deployment", "web", `${suite.registry.host}/shop/web:1.0.0`);
  });

  async function open() {
    const clock = { now: () => new Date(), waitScale: 1 };
    const kubeconfig = inject("kubeconfig") ?? "";
    const namespace = [harness.namespace];
    const insecureRegistry = [suite.registry.host];
    return suite.closeAfterAll(await openDashboard({ kubeconfig, namespace, insecureRegistry, port: 0, clock }));
  }

  test.runIf(hasBrowser)("shows an update while it runs, and what it has done", async () => {
    const dashboard = await open();
    const browser = await openBrowser();
    try {
      const { page, errors } = await openPage(browser, dashboard.url);
      const row = page.getByRole("row", { name: `deployment/${harness.namespace}/web` });
      await row.waitFor();
      await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
      await row.getByText("Up to date").waitFor();
      expect(await row.textContent()).toContain("1.1.0");
      await page.getByRole("link", { name: `deployment/${harness.namespace}/web` }).click();
      await page.getByRole("cell", { name: "AutoUpdateComplete" }).waitFor();
      await page.getByRole("cell", { name: "pawl.dev/auto-update" }).waitFor();
      await page.getByRole("button", { name: "Ask the registry" }).click();
      await page.getByText("1.0.0: is not newer than 1.1.0").waitFor();
      await page.getByRole("link", { name: "Node pools" }).click();
      await page.getByText("The cluster has no node pools.").waitFor();
      await page.getByRole("link", { name: "Next poll" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("cell", { name: suite.registry.host, exact: true }).waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("reads a workload in full", async () => {
    const { at, own } = await signIn((await open()).url);
    const key = `deployment/${harness.namespace}/web`;
    await expect
      .poll(async () => (await fetch(`${at}/api/workload?key=${key}`, { headers: own })).status, { timeout: 60_000 })
      .toBe(200);
    const detail = (await (await fetch(`${at}/api/workload?key=${key}`, { headers: own })).json()) as WorkloadDetail;
    expect(detail).toMatchObject({ row: { key, circuit: "closed" }, replicas: { old: 0 } });
  });
});
