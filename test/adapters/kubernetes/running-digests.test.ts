import { expect, test } from "vitest";
import { workload } from "../../support/workloads.ts";
import { clusterAt, startScriptedServer } from "./scripted-server.ts";

const digest = `sha256:${"1".repeat(64)}`;
const imageID = `registry.example/shop/app@${digest}`;
const running = { name: "app", imageID };

test.for([
  { of: "a pod that runs", pod: { status: { phase: "Running", containerStatuses: [running] } }, counts: true },
  { of: "one that starts", pod: { status: { phase: "Pending", containerStatuses: [running] } }, counts: true },
  { of: "one that has ended", pod: { status: { phase: "Succeeded", containerStatuses: [running] } }, counts: false },
  { of: "one that was evicted", pod: { status: { phase: "Failed", containerStatuses: [running] } }, counts: false },
  { of: "one that is new", pod: {}, counts: false },
  {
    of: "one that is about to go",
    pod: { gone: true, status: { phase: "Running", containerStatuses: [running] } },
    counts: false,
  },
  {
    of: "one that waits for its image",
    pod: { status: { phase: "Pending", containerStatuses: [{ name: "app", imageID: "" }, { name: "side" }] } },
    counts: false,
  },
  { of: "an init container", pod: { status: { phase: "Running", initContainerStatuses: [running] } }, counts: true },
])("what $of says counts: $counts", async ({ pod: { gone, ...pod }, counts }) => {
  const deletion = gone ? { deletionTimestamp: "2026-11-20T12:00:00Z" } : {};
  const metadata = { name: "app-1", uid: "p-1", ...deletion };
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods")
      ? { metadata: {}, items: [{ metadata, spec: { containers: [] }, ...pod }] }
      : deployment(),
  }));
  const found = await clusterAt(server.url).runningDigests(workload());
  expect(found).toEqual(counts ? [{ container: "app", digest }] : []);
});

test.for([
  { says: { matchLabels: { app: "web", tier: "front" } }, asked: "app=web,tier=front" },
  {
    says: { matchExpressions: [{ key: "app", operator: "In", values: ["web", "shop"] }] },
    asked: "app in (web,shop)",
  },
  { says: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, asked: "app notin (db)" },
  {
    says: {
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "Exists" },
        { key: "old", operator: "DoesNotExist" },
      ],
    },
    asked: "app=web,tier,!old",
  },
])("pods are asked for by $asked", async ({ says, asked }) => {
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods") ? { metadata: {}, items: [] } : deployment(says),
  }));
  await clusterAt(server.url).runningDigests(workload());
  const [, query = ""] = server.heard.at(-1)?.path.split("?") ?? [];
  expect(new URLSearchParams(query).get("labelSelector")).toBe(asked);
});

test("an empty selector selects no pods and makes no request", async () => {
  await using server = await startScriptedServer(() => ({ code: 200, body: deployment({}) }));
  expect(await clusterAt(server.url).runningDigests(workload())).toEqual([]);
  expect(server.heard).toHaveLength(1);
});

function deployment(selector: object = { matchLabels: { app: "app" } }) {
  return { metadata: { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "7" }, spec: { selector } };
}
