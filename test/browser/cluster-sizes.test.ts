import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDashboard } from "../../cli/dashboard/open-dashboard.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { hasBrowser, openBrowser, openPage } from "./browser.ts";

test.runIf(hasBrowser)("no workload, and then no cluster: the page says so", async () => {
  const fixture = await startClusterFixture({}, () => []);
  const browser = await openBrowser();
  const clock = { now: () => new Date(), waitScale: 1 };
  const dashboard = await openDashboard({ kubeconfig: fixture.kubeconfig, port: 0, clock });
  const { page } = await openPage(browser, dashboard.url);
  await page.getByText("No workload has Pawl enabled.").waitFor();
  await fixture.close();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(
    /may be outdated or incomplete: watch \w+: the cluster did not respond \(/,
  );
  await browser.close();
  await dashboard.close();
});

describe.runIf(hasBrowser)("5,000 workloads", () => {
  let fixture: ClusterFixture;
  beforeAll(async () => {
    fixture = await startClusterFixture({}, () =>
      Array.from({ length: 5000 }, (_, index) => {
        const workload = builtIn("Deployment", `web-${index}`, `example.com/web:1.0.${index}`);
        return { ...workload, spec: { ...workload.spec, replicas: 0 } };
      }),
    );
  }, 120_000);
  afterAll(() => fixture.close());

  test("only the rows near the screen exist, at the end too, and a search finds one of all", async () => {
    const browser = await openBrowser();
    const clock = { now: () => new Date(), waitScale: 1 };
    const dashboard = await openDashboard({ kubeconfig: fixture.kubeconfig, port: 0, clock });
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("5000 of 5000 workloads").waitFor();
    const existing = page.locator("tbody tr:not(.spacer)");
    expect(await existing.count()).toBeLessThan(150);
    await page.getByRole("searchbox").fill("web-4999");
    await page.getByText("1 of 5000 workloads").waitFor();
    await page.getByRole("searchbox").fill("");
    await page.getByText("5000 of 5000 workloads").waitFor();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByRole("link", { name: "deployment/shop/web-999", exact: true }).waitFor();
    expect(await existing.count()).toBeLessThan(150);
    await browser.close();
    await dashboard.close();
  });
});
