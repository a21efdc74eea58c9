import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDashboard } from "../../cli/dashboard/open-dashboard.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { pollLease } from "../cli/dashboard/canary-in-flight.ts";
import { type ApiServerProxy, openApiServerProxy } from "./api-server-proxy.ts";
import { hasBrowser, openBrowser, openPage } from "./browser.ts";
import { takePictures } from "./pictures.ts";

const dayMs = 86_400_000;
const long = "n".repeat(253);
const rightToLeft = "נכשל: أعد المحاولة لاحقًا (web-7f9c-x2)";

/** Returns a Deployment with this many containers. */
function manyContainers(registry: string, count: number): object {
  const workload = builtIn("Deployment", "many", `${registry}/shop/web:1.0.0`);
  const containers = Array.from({ length: count }, (_, index) => ({
    name: `container-${index}`,
    image: `${registry}/shop/web:1.0.0`,
  }));
  const { spec } = workload;
  return { ...workload, spec: { ...spec, template: { ...spec.template, spec: { containers } } } };
}

describe.runIf(hasBrowser)("pictures of bad input", () => {
  let browser: Browser;
  let full: ClusterFixture;
  let empty: ClusterFixture;
  const proxies: ApiServerProxy[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    full = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
      builtIn("Deployment", long, `${registry}/shop/web:1.0.0`),
      builtIn("Deployment", "arabic", `${registry}/shop/web:1.0.0`),
      autoUpdate("Deployment", "arabic", {
        state: "Stalled",
        failedVersions: ["1.1.0"],
        rollbackCount: 1,
        history: [{ version: "1.1.0", result: "RolledBack", startedAt: "2026-11-20T12:00:00Z", reason: rightToLeft }],
      }),
      manyContainers(registry, 40),
      pollLease(new Date(Date.now() - 60_000).toISOString().replace("Z", "000Z")),
    ]);
    empty = await startClusterFixture({}, () => []);
  }, 60_000);
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await Promise.all([browser.close(), full.close(), empty.close()]);
  });

  /** Opens the page behind a proxy. */
  async function openBehindProxy(
    fixture: ClusterFixture,
    options: { offsetMs?: number; namespace?: readonly string[] } = {},
  ) {
    const { offsetMs = 0, ...rest } = options;
    const proxy = await openApiServerProxy(fixture.kubeconfig);
    proxies.push(proxy);
    const clock = { now: () => new Date(Date.now() + offsetMs), waitScale: 1 };
    const dashboard = await openDashboard({
      ...rest,
      kubeconfig: proxy.kubeconfig,
      insecureRegistry: [fixture.registry],
      port: 0,
      clock,
    });
    return { proxy, dashboard };
  }

  test("a name of 253 characters, text from right to left, and 40 containers", async () => {
    const { dashboard } = await openBehindProxy(full);
    const { page, errors } = await openPage(browser, dashboard.url);
    await page.getByText("3 of 3 workloads").waitFor();
    expect(await takePictures(page, "list")).toEqual([]);
    for (const [name, workload] of [
      ["long-name", long],
      ["right-to-left", "arabic"],
      ["containers", "many"],
    ] as const) {
      await page.evaluate(`location.hash = "#/workload/deployment/shop/${workload}"`);
      await page.getByRole("heading", { name: `deployment/shop/${workload}` }).waitFor();
      await page.getByText("Reading").waitFor({ state: "detached" });
      expect(await takePictures(page, name)).toEqual([]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
    await dashboard.close();
  });

  test("no workloads", async () => {
    const { dashboard } = await openBehindProxy(empty);
    const { page, errors } = await openPage(browser, dashboard.url);
    await page.getByText("kubectl annotate deployment NAME pawl.dev/auto-update=true").waitFor();
    expect(await takePictures(page, "no-workloads")).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
    await dashboard.close();
  });

  test("no rights for one of two namespaces", async () => {
    const { proxy, dashboard } = await openBehindProxy(full, { namespace: ["shop", "secret"] });
    proxy.deny("secret");
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("3 of 3 workloads").waitFor();
    await page.getByRole("listitem").filter({ hasText: 'in the namespace "secret"' }).first().waitFor();
    expect(await takePictures(page, "no-rights")).toEqual([]);
    await page.context().close();
    await dashboard.close();
  });

  test.for([1, -1])("a clock that is %i day off", async (days) => {
    const { dashboard } = await openBehindProxy(full, { offsetMs: days * dayMs });
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("3 of 3 workloads").waitFor();
    // The header `Date` has only whole seconds.
    await page.getByText(days > 0 ? /2[34]h ahead of that of the API server/ : /2[34]h behind that of/).waitFor();
    expect(await takePictures(page, days > 0 ? "clock-ahead" : "clock-behind")).toEqual([]);
    await page.context().close();
    await dashboard.close();
  });

  test("an API server that stops and continues", async () => {
    const { proxy, dashboard } = await openBehindProxy(full);
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("3 of 3 workloads").waitFor();
    proxy.stop();
    const banner = page.getByRole("alert").filter({ hasText: "This page may be outdated" });
    await banner.waitFor();
    await page.getByText("3 of 3 workloads").waitFor();
    expect(await takePictures(page, "stopped")).toEqual([]);
    proxy.start();
    await banner.waitFor({ state: "detached" });
    expect(await takePictures(page, "continued")).toEqual([]);
    await page.context().close();
    await dashboard.close();
  });
});
