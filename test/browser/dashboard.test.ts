import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDashboard } from "../../cli/dashboard/open-dashboard.ts";
import { demoNodePool } from "../../infra/local/demo/node-pool.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { canaryWorkload, pollLease, startCanary } from "../cli/dashboard/canary-in-flight.ts";
import { hasBrowser, openBrowser, openPage } from "./browser.ts";
import { closestTones } from "./tones.ts";
import { violations } from "./violations.ts";

const web = "apps/v1/namespaces/shop/deployments/web";
const history = [
  { version: "0.9.0", result: "Healthy", startedAt: "2026-11-20T12:00:00Z" },
  { version: "1.1.0", result: "RolledBack", startedAt: "2026-11-20T13:00:00Z", reason: "not ready after 10 m" },
];

const recordOf = (name: string) => `pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`;
const release = { hash: "one", revision: "open-1", result: "Succeeded", by: "hand", at: "2026-11-20T12:00:00Z" };
const releases = [
  { ...release, number: 1, version: "0.9.0", image: "shop/web:0.9.0" },
  { ...release, number: 2, version: "1.0.0", image: "shop/web:1.0.0", hash: "two", revision: "open-2" },
];

describe.runIf(hasBrowser)("the dashboard in a browser", () => {
  let browser: Browser;
  let fixture: ClusterFixture;
  let dashboard: Awaited<ReturnType<typeof openDashboard>>;

  beforeAll(async () => {
    browser = await openBrowser();
    fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
      builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`),
      autoUpdate("Deployment", "web", {
        currentVersion: "1.0.0",
        failedVersions: ["1.1.0"],
        rollbackCount: 1,
        history,
      }),
      builtIn("StatefulSet", "cart", `${registry}/shop/web:1.0.0`),
      ...canaryWorkload(registry),
      pollLease("2026-11-20T12:00:00.000000Z"),
      builtIn("Deployment", "open", `${registry}/shop/web:1.0.0`),
      autoUpdate("Deployment", "open", { circuitOpen: true, failedVersions: ["1.1.0"], releases }),
      ...demoNodePool(registry),
    ]);
    await startCanary(fixture, [0.001, 0.5, null]);
    dashboard = await open(fixture);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await dashboard.close();
    await fixture.close();
  });

  function open({ kubeconfig, registry }: ClusterFixture) {
    const clock = { now: () => new Date(), waitScale: 1 };
    return openDashboard({ kubeconfig, insecureRegistry: [registry], port: 0, clock });
  }

  const pages = [
    { name: "workloads", hash: "#/workloads", shows: "deployment/shop/web" },
    { name: "one workload", hash: "#/workload/deployment/shop/web", shows: "not ready after 10 m" },
    { name: "a canary", hash: "#/workload/deployment/shop/canary", shows: "fails more than 20% above the stable pods" },
    {
      name: "the next poll of a workload",
      hash: "#/workload/deployment/shop/web",
      shows: "has failed before",
      press: "Ask the registry",
    },
    { name: "node pools", hash: "#/pools", shows: "workers" },
    { name: "one node pool", hash: "#/pool/workers", shows: "worker-1" },
    { name: "the next poll", hash: "#/plan", shows: "deployment/shop/web", press: "Run" },
  ];

  for (const theme of ["light", "dark"] as const) {
    test.for(pages)(
      `$name, ${theme}: no violation of axe, no error, no request elsewhere, and no sideways scrolling`,
      async ({ hash, shows, press }) => {
        const { page, errors, foreign } = await openPage(browser, dashboard.url, theme);
        await page.getByText("deployment/shop/web").first().waitFor();
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        if (press !== undefined) await page.getByRole("button", { name: press, exact: true }).click();
        await page.locator("main").getByText(shows, { exact: false }).first().waitFor();
        expect(await page.locator("html").getAttribute("data-theme")).toBe(theme);
        expect(await violations(page)).toEqual([]);
        expect(errors).toEqual([]);
        expect(foreign).toEqual([]);
        // A telephone: tables scroll, the page does not.
        await page.setViewportSize({ width: 390, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        await page.context().close();
      },
    );
  }

  test("the token leaves the address bar, and a page without it shows why it is empty", async () => {
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("deployment/shop/web").waitFor();
    expect(page.url()).not.toContain("token");
    const stranger = await openPage(browser, new URL(dashboard.url).origin);
    await stranger.page.getByRole("alert").waitFor();
    expect(await stranger.page.getByRole("alert").textContent()).toContain("the token is missing or wrong");
    expect(await violations(stranger.page)).toEqual([]);
    expect(await stranger.page.getByText("No workload").count()).toBe(0);
    await page.context().close();
    await stranger.page.context().close();
  });

  test("a change of the cluster becomes visible", async () => {
    const { page } = await openPage(browser, dashboard.url);
    const row = page.getByRole("row", { name: "deployment/shop/web" });
    await row.waitFor();
    await fixture.annotate(web, { "pawl.dev/paused": "true" });
    await row.getByText("Held").waitFor();
    expect(await row.textContent()).toContain("Held");
    await fixture.annotate(web, { "pawl.dev/paused": "false" });
    await row.getByText("Held").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("the steps of a canary, its measurements by shape, and the tags that a poll passes over, by keyboard", async () => {
    const { page, errors } = await openPage(browser, dashboard.url);
    await page.getByRole("link", { name: "deployment/shop/canary" }).click();
    const active = page.getByRole("region", { name: "Canary steps" }).locator('[aria-current="step"]');
    await active.waitFor();
    expect(await active.textContent()).toMatch(/2\. pause of 2m0s▶ now, waits for time1 replicaends/);
    const execution = page.getByRole("link", { name: "shop-canary-1-1-0" });
    expect(await execution.getAttribute("href")).toMatch(
      /^https:\/\/eu-central-1\.console\.aws\.amazon\.com\/states\/.*:shop-canary-1-1-0$/,
    );
    await page.getByRole("img", { name: /active state is AnalyzeCanary; passed: StartCanary, CheckCanary$/ }).waitFor();
    await page.getByRole("cell", { name: "worker" }).first().waitFor();
    const chart = page.getByRole("img", { name: "Verdicts, oldest first: pass, fail, error" });
    expect(await chart.getAttribute("aria-label")).toContain("errors over time, canary and stable pods.");
    await page.getByText("0.012 (12 of n = 1000)").waitFor();
    await page.getByText("0.01 (40 of n = 4000)").waitFor();
    await page.getByText("Solid: canary, no value. Dashed, ◇: stable pods, no value").waitFor();
    expect(await coloursOfChart(page)).toEqual(["--accent", "--quiet"]);
    await page.getByRole("link", { name: "Next poll" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Run" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Show tags of deployment/shop/web" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("1.1.0: has failed before").waitFor();
    expect(await page.getByRole("cell", { name: fixture.registry, exact: true }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("an action is confirmed beside its command, and answered from the status", async () => {
    const { kubeconfig } = fixture;
    const clock = { now: () => new Date(), waitScale: 1 };
    const allowing = await openDashboard({ kubeconfig, port: 0, clock, allowActions: true });
    const { page, errors } = await openPage(browser, allowing.url);
    await page.getByRole("link", { name: "statefulset/shop/cart" }).click();
    await page.getByRole("button", { name: "pause" }).click();
    expect(await page.getByRole("dialog").locator("pre").textContent()).toBe("pawl pause statefulset/shop/cart");
    await page.getByRole("dialog").getByText("Starts no new update until it is resumed.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Held" }).waitFor();
    expect(await page.getByRole("button", { name: "resume" }).isVisible()).toBe(true);
    const confirm = async (verb: string, command: string, argument?: string) => {
      await page.getByRole("button", { name: verb, exact: true }).click();
      if (argument !== undefined) await page.getByRole("dialog").getByRole("textbox").fill(argument);
      expect(await page.getByRole("dialog").locator("pre").textContent()).toBe(command);
      await page.getByRole("button", { name: "Confirm" }).click();
    };
    await confirm("resume", "pawl resume statefulset/shop/cart");
    await page.getByRole("button", { name: "pause", exact: true }).waitFor();
    await page.goto(`${new URL(allowing.url).origin}/#/workload/deployment/shop/canary`);
    for (const verb of ["promote", "abort"]) {
      await confirm(verb, `pawl ${verb} deployment/shop/canary`);
      await expect
        .poll(async () => (await fixture.annotations(recordOf("canary")))["pawl.dev/request"])
        .toMatch(new RegExp(`^${verb} `));
    }
    await page.goto(`${new URL(allowing.url).origin}/#/workload/deployment/shop/open`);
    for (const [verb, argument] of [["reset"], ["push", "1.1.0"], ["retry"], ["restart"]] as const) {
      await confirm(verb, `pawl ${verb} deployment/shop/open${argument === undefined ? "" : ` ${argument}`}`, argument);
      await expect
        .poll(async () => (await fixture.annotations(recordOf("open")))["pawl.dev/request"])
        .toMatch(new RegExp(`^${verb} `));
    }
    await confirm("rollback", "pawl rollback deployment/shop/open --to 1", "1");
    await expect
      .poll(async () => (await fixture.annotations(recordOf("open")))["pawl.dev/request"])
      .toMatch(/^rollback 1 /);
    const answer = { token: "one", verb: "rollback", result: "refused: no snapshot", at: "2026-11-20T12:00:00Z" };
    await fixture.writeStatus("deployment-open", { lastRequest: answer });
    await page.getByText("rollback: refused: no snapshot").waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
    await allowing.close();
  });

  test("a view is an address: chips, Back, a link to it, and the title", async () => {
    const { page, errors } = await openPage(browser, dashboard.url);
    await page.getByText(/⚠ Last poll \d+ d ago by pawl-production, overdue: pawl doctor says why/).waitFor();
    const chip = (name: string) => page.getByRole("navigation", { name: "States" }).getByRole("link", { name });
    await page.getByRole("row").nth(4).waitFor();
    // What needs a person is first.
    expect(await page.getByRole("row").nth(1).textContent()).toContain("deployment/shop/open⊘ Circuit open");
    await chip("Circuit open").click();
    await page.getByText("1 of 4 workloads").waitFor();
    await expect.poll(() => page.title()).toBe("Workloads: Circuit open · Pawl");
    expect(await chip("Circuit open").getAttribute("aria-current")).toBe("true");
    await page.getByRole("combobox", { name: "Namespace" }).selectOption("shop");
    await page.getByRole("link", { name: "deployment/shop/open" }).click();
    await page.getByRole("heading", { name: "deployment/shop/open" }).waitFor();
    await page.goBack();
    await page.getByText("1 of 4 workloads").waitFor();
    expect(new URL(page.url()).hash).toBe("#/workloads?namespace=shop&state=CircuitOpen");
    const linked = await page.context().newPage();
    await linked.goto(page.url());
    await linked.getByText("1 of 4 workloads").waitFor();
    expect(await linked.getByRole("combobox", { name: "Namespace" }).inputValue()).toBe("shop");
    await linked.getByRole("link", { name: "All states" }).click();
    await linked.getByText("4 of 4 workloads").waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("no text of a row is cut, on a desktop or as a card on a phone, and an update shows its step", async () => {
    const { page } = await openPage(browser, dashboard.url);
    const row = page.getByRole("row", { name: "deployment/shop/canary" });
    await row.getByText("canary 2/3").first().waitFor();
    for (const width of [1280, 721, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = `[...document.querySelectorAll("tbody td, tbody th")].filter((cell) => {
        const { textOverflow, overflow } = getComputedStyle(cell);
        return textOverflow !== "clip" || overflow !== "visible" || cell.scrollWidth > cell.clientWidth;
      }).length`;
      expect(await page.evaluate(cut), `${width} pixels`).toBe(0);
    }
    const widths = await row.evaluate((card) => [card.clientWidth, card.ownerDocument.body.clientWidth]);
    expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeGreaterThan(0.9);
    await page.context().close();
  });

  test("people who see no red, green or blue can tell the tones apart", async () => {
    for (const theme of ["light", "dark"] as const) {
      const { page } = await openPage(browser, dashboard.url, theme);
      expect(await closestTones(page), theme).toBeGreaterThan(0.1);
      await page.context().close();
    }
  });

  test("keyboard only: search, sort, open a workload", async () => {
    const { page } = await openPage(browser, dashboard.url);
    await page.getByText("deployment/shop/web").waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("cart");
    await page.getByText("1 of 4 workloads").waitFor();
    expect(new URL(page.url()).hash).toBe("#/workloads?search=cart");
    const headers = await page.getByRole("columnheader").all();
    const isCut = (header: Locator) => header.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect(await Promise.all(headers.map(isCut))).not.toContain(true);
    const state = page.getByRole("columnheader", { name: "State" });
    expect(await state.getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("link", { name: "State", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.getByRole("link", { name: "statefulset/shop/cart" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "statefulset/shop/cart" }).waitFor();
    await page.context().close();
  });
});

/** Returns the colours of the lines of the page's first chart. */
async function coloursOfChart(page: Page): Promise<unknown> {
  return await page.evaluate(`{
    const canvas = document.querySelector("[aria-label^='errors over time'] canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Set();
    for (let at = 0; at < data.length; at += 4) pixels.add([data[at], data[at + 1], data[at + 2]].join());
    const style = getComputedStyle(document.documentElement);
    const rgb = (name) => style.getPropertyValue(name).match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16)).join();
    ["--accent", "--quiet", "--warn"].filter((name) => pixels.has(rgb(name)));
  }`);
}
