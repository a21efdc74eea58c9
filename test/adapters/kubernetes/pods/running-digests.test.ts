import { expect, test } from "vitest";
import { workload } from "../../../support/workloads.ts";
import { clusterAt, startScriptedServer } from "../api/scripted-server.ts";

const digest = `sha256:${"1".repeat(64)}`;
const imageID = `registry.example/shop/app@${digest}`;
const running = { name: "app", imageID };

test.for([
  { of: "a running pod", pod: { status: { phase: "Running", containerStatuses: [running] } }, counts: true },
  { of: "a starting pod", pod: { status: { phase: "Pending", containerStatuses: [running] } }, counts: true },
  { of: "a succeeded pod", pod: { status: { phase: "Succeeded", containerStatuses: [running] } }, counts: false },
  { of: "an evicted pod", pod: { status: { phase: "Failed", containerStatuses: [running] } }, counts: false },
  { of: "a new pod", pod: {}, counts: false },
  {
    of: "a terminating pod",
    pod: { isTerminating: true, status: { phase: "Running", containerStatuses: [running] } },
    counts: false,
  },
  {
    of: "a pod that pulls its image",
    pod: { status: { phase: "Pending", containerStatuses: [{ name: "app", imageID: "" }, { name: "side" }] } },
    counts: false,
  },
  {
    of: "the baseline of a canary",
    pod: { labels: { "pawl.dev/role": "baseline" }, status: { phase: "Running", containerStatuses: [running] } },
    counts: false,
  },
  { of: "an init container", pod: { status: { phase: "Running", initContainerStatuses: [running] } }, counts: true },
])("the digest of $of counts: $counts", async ({ pod: { isTerminating, labels, ...pod }, counts }) => {
  const deletion = isTerminating ? { deletionTimestamp: "2026-11-20T12:00:00Z" } : {};
  const metadata = { name: "app-1", uid: "p-1", labels, ...deletion };
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods")
      ? { metadata: {}, items: [{ metadata, spec: { containers: [] }, ...pod }] }
      : deployment(),
  }));
  const found = await clusterAt(server.url).runningDigests(workload());
  expect(found).toEqual(counts ? [{ container: "app", digest, isUnready: true }] : []);
});

test.for([
  { status: "True", unready: {} },
  { status: "False", unready: { isUnready: true } },
])("a pod whose condition Ready is $status: $unready", async ({ status, unready }) => {
  const conditions = [{ type: "Ready", status }];
  const pod = {
    metadata: { name: "app-1", uid: "p-1" },
    spec: { containers: [] },
    status: { phase: "Running", conditions, containerStatuses: [running] },
  };
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods") ? { metadata: {}, items: [pod] } : deployment(),
  }));
  expect(await clusterAt(server.url).runningDigests(workload())).toEqual([{ container: "app", digest, ...unready }]);
});

test.for([
  { selector: { matchLabels: { app: "web", tier: "front" } }, query: "app=web,tier=front" },
  {
    selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web", "shop"] }] },
    query: "app in (web,shop)",
  },
  { selector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, query: "app notin (db)" },
  {
    selector: {
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "Exists" },
        { key: "old", operator: "DoesNotExist" },
      ],
    },
    query: "app=web,tier,!old",
  },
])("the pods are selected by $query", async ({ selector, query }) => {
  await using server = await startScriptedServer(({ path }) => ({
    code: 200,
    body: path.includes("/pods") ? { metadata: {}, items: [] } : deployment(selector),
  }));
  await clusterAt(server.url).runningDigests(workload());
  const [, sent = ""] = server.requests.at(-1)?.path.split("?") ?? [];
  expect(new URLSearchParams(sent).get("labelSelector")).toBe(query);
});

test("an empty selector selects no pods and makes no request", async () => {
  await using server = await startScriptedServer(() => ({ code: 200, body: deployment({}) }));
  expect(await clusterAt(server.url).runningDigests(workload())).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

function deployment(selector: object = { matchLabels: { app: "app" } }) {
  return { metadata: { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "7" }, spec: { selector } };
}
