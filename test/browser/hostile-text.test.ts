import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openDashboard } from "../../cli/dashboard/open-dashboard.ts";
import { hashRelease } from "../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";
import type { TemplateSnapshot } from "../../functions/domain/workload/release/release.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { hasBrowser, openBrowser, openPage } from "./browser.ts";

const injection = "<img src=x onerror=document.title='pwned'>";
const hostile = `\u001b[31m1.0.0\u202e${injection}`;
const at = "2026-11-20T12:00:00Z";

interface ReplicaSet {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: TemplateSnapshot };
}

test.runIf(hasBrowser)("text of others is shown as text", async () => {
  const registry = await startHostileRegistry();
  const fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "evil", `${registry.host}/shop/evil:1.0.0`),
    autoUpdate("Deployment", "evil"),
    builtIn("Deployment", "n".repeat(253), `${registry.host}/shop/evil:1.0.0`),
  ]);
  await writeHostileStatus(fixture);
  const browser = await openBrowser();
  const clock = { now: () => new Date(), waitScale: 1 };
  const { kubeconfig } = fixture;
  const dashboard = await openDashboard({ kubeconfig, insecureRegistry: [registry.host], port: 0, clock });
  const { page, errors, foreign } = await openPage(browser, dashboard.url);
  const row = page.getByRole("row", { name: "deployment/shop/evil" });
  await row.waitFor();
  expect(await row.textContent()).toContain(String.raw`\u202e${injection}`);
  expect(await row.locator("img").count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("link", { name: "nnn" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole("link").click();
  await page.getByRole("button", { name: "Compare release 1 " }).click();
  const diff = page.getByRole("region", { name: "Release 1 compared" });
  await page.getByRole("button", { name: "Ask the registry" }).click();
  const tables = ["Pod template", "Reason"].map((hasText) => page.locator("table", { hasText }).first());
  for (const part of [diff, ...tables]) await part.getByText("onerror=document.title='pwned'").first().waitFor();
  const answer = page.getByRole("status").filter({ hasText: "answered 400" });
  await answer.waitFor();
  expect(await answer.textContent()).not.toContain("onerror");
  expect(await page.locator("main img:not([role])").count()).toBe(0);
  expect(await page.title()).toBe("deployment/shop/evil · Pawl");
  expect(errors).toEqual([]);
  expect(foreign).toEqual([]);
  await Promise.all([browser.close(), dashboard.close(), fixture.close()]);
  registry.close();
});

/** Starts a registry that answers each request with a hostile error. */
async function startHostileRegistry() {
  const server = createServer((_request, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ errors: [{ code: hostile, message: hostile }] }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Changes the pod template of the workload `evil`, and records the one before as its release. */
async function writeHostileStatus(fixture: ClusterFixture): Promise<void> {
  const changed = { spec: { template: { metadata: { annotations: { note: hostile } } } } };
  await fixture.edit("apps/v1/namespaces/shop/deployments/evil", changed);
  const sets = (await fixture.object("apps/v1/namespaces/shop/replicasets")) as unknown as { items: ReplicaSet[] };
  const before = sets.items.find(
    ({ metadata, spec }) => metadata.name.startsWith("evil-") && spec.template.metadata?.annotations === undefined,
  );
  if (before === undefined) throw new Error("no ReplicaSet of the first template");
  const image = before.spec.template.spec.containers[0]?.image;
  const recorded = { image, revision: before.metadata.name, hash: hashRelease(before.spec.template) };
  await fixture.writeStatus("deployment-evil", {
    holdReason: hostile,
    availableVersion: hostile,
    history: [{ version: "0.9.0", result: "RolledBack", startedAt: at, reason: hostile }],
    releases: [{ result: "Succeeded", by: "hand", at, ...recorded, number: 1, version: hostile }],
  });
}
