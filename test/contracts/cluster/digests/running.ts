import { expect, test, vi } from "vitest";
import type { ContainerDigest } from "../../../../functions/domain/workload/digest/tracking.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, builtInKinds, manifest, type BuiltInKind } from "../../cluster-fixtures.ts";
import { createObject, read, type At, type Harness } from "../harness.ts";
import { digest, enabled } from "./harness.ts";

const mergePatch = "application/merge-patch+json";
const patience = { timeout: 30_000, interval: 50 };

/** Needs a kubelet that reports a digest of each container. */
export function testRunningDigests(at: At): void {
  test.for(builtInKinds)(
    "of a %s are those that the kubelet reports for every container, init containers included",
    async (kind) => {
      const ref = await withPods(at(), kind);
      const expected = kind === "DaemonSet" ? 4 : 2;
      const found = await waitForRunning(at(), ref, expected);
      expect(new Set(found.map(({ container }) => container))).toEqual(new Set(["app", "migrate"]));
      for (const one of found) expect(one.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    },
  );

  test.for([
    { runtime: "containerd", imageId: `registry.invalid:5000/shop/app@${digest(1)}`, found: digest(1) },
    { runtime: "Docker", imageId: `docker-pullable://registry.invalid/app@${digest(2)}`, found: digest(2) },
    { runtime: "a runtime that forgot the repository", imageId: digest(3), found: digest(3), isConfig: true as const },
    {
      runtime: "Docker, of an image that was not pulled",
      imageId: `docker://${digest(4)}`,
      found: `docker://${digest(4)}`,
      isConfig: true as const,
    },
    { runtime: "a runtime before the pull", imageId: "", found: null },
  ])("in the format of $runtime", async ({ imageId, found, isConfig }) => {
    const ref = await withPods(at(), "StatefulSet");
    await waitForRunning(at(), ref, 2);
    await report(at(), "app-0", imageId);
    const ofApp = (await running(at(), ref)).filter(({ container }) => container === "app");
    const image = ofApp[0]?.image;
    expect(ofApp.every((one) => typeof one.image === "string" && one.image === image)).toBe(true);
    expect(ofApp).toEqual(
      found === null ? [] : [{ container: "app", image, digest: found, ...(isConfig ? { isConfig } : {}) }],
    );
  });

  test("do not include those of a terminating pod", async () => {
    const ref = await withPods(at(), "StatefulSet");
    await waitForRunning(at(), ref, 2);
    const pod = `/api/v1/namespaces/${at().namespace}/pods/app-0`;
    const hold = (finalizers: readonly string[] | null) =>
      at().request("PATCH", pod, { contentType: mergePatch, body: { metadata: { finalizers } } });
    await hold(["test.pawl.dev/hold"]);
    await at().request("DELETE", pod);
    expect(await running(at(), ref)).toEqual([]);
    await hold(null);
    await waitForRunning(at(), ref, 2);
  });

  test("are those of its own pods, with any kind of selector", async () => {
    const matchExpressions = [
      { key: "app", operator: "In", values: ["app", "web"] },
      { key: "tier", operator: "NotIn", values: ["back"] },
      { key: "app", operator: "Exists" },
      { key: "canary", operator: "DoesNotExist" },
    ];
    const ref = await withPods(at(), "Deployment", { selector: { matchExpressions } });
    await withPods(at(), "StatefulSet", { selector: { matchLabels: { app: "other" } }, labels: { app: "other" } });
    expect(await waitForRunning(at(), ref, 2)).toHaveLength(2);
  });

  test("of a deleted or recreated object are none", async () => {
    const ref = await withPods(at(), "Deployment");
    await waitForRunning(at(), ref, 2);
    const workload = await read(at(), ref);
    const recreated = { ...workload, ref: { ...ref, uid: "00000000-0000-0000-0000-000000000000" } };
    expect(await at().cluster.runningDigests(recreated)).toEqual([]);
    expect(await at().cluster.runningDigests({ ...workload, ref: { ...ref, name: "missing" } })).toEqual([]);
  });
}

/** Creates a workload with one replica; a DaemonSet has one on each of two nodes. */
function withPods(
  harness: Harness,
  kind: BuiltInKind,
  { selector, labels = { app: "app" } }: { readonly selector?: object; readonly labels?: object } = {},
): Promise<WorkloadRef> {
  const { metadata, spec, ...rest } = manifest(kind, { optIn: null, annotations: enabled });
  const initContainers = [{ name: "migrate", image: "registry.invalid/migrate:1" }];
  const template = {
    metadata: { labels },
    spec: { initContainers, containers: [{ name: "app", image: before }] },
  };
  const replicas = kind === "DaemonSet" ? {} : { replicas: 1 };
  const own = { ...spec, ...replicas, ...(selector === undefined ? {} : { selector }), template };
  return createObject(harness, kind, { ...rest, metadata, spec: own });
}

async function running(harness: Harness, ref: WorkloadRef): Promise<readonly ContainerDigest[]> {
  return harness.cluster.runningDigests(await read(harness, ref));
}

async function waitForRunning(harness: Harness, ref: WorkloadRef, count: number): Promise<readonly ContainerDigest[]> {
  return vi.waitFor(async () => {
    const found = await running(harness, ref);
    expect(found.filter(({ isUnready }) => !isUnready)).toHaveLength(count);
    return found;
  }, patience);
}

/** Writes the status of the container `app` as another runtime reports it. */
async function report({ request, namespace }: Harness, pod: string, imageID: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}`;
  const { body } = await request("GET", path);
  const statuses = body.status?.["containerStatuses"] as unknown as readonly object[];
  const status = { containerStatuses: statuses.map((one) => ({ ...one, imageID })) };
  const answer = await request("PATCH", `${path}/status`, { contentType: mergePatch, body: { status } });
  if (answer.code !== 200) throw new Error(answer.text);
}
