import { expect, test, vi } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { before, manifest, type BuiltInKind, type Kind } from "../cluster-fixtures.ts";
import {
  containersOf,
  createObject,
  getObject,
  createWorkload,
  read,
  patchObject,
  type At,
  type Harness,
} from "./harness.ts";
import { inFlightClaim } from "./steps.ts";
import { imageTarget } from "../../support/workloads.ts";

const bad = "registry.invalid:5000/shop/app:1.1.0-bad";
const patience = { timeout: 30_000, interval: 50 };

/** Needs a kubelet under which an image whose tag ends in `-bad` never becomes ready, and every other one does. */
export function testStuckPods(at: At): void {
  test.for([
    { kind: "StatefulSet", beforeRevert: "skipped" },
    { kind: "Claw", beforeRevert: "Conflict" },
  ] as const)("of a $kind are deleted after the template has another image", async ({ kind, beforeRevert }) => {
    const set = await createSet(at(), kind);
    const initial = await read(at(), kind === "Claw" ? await createWorkload(at(), kind) : set);
    const workload: Workload = {
      ...initial,
      inFlight: rollbackOf({ ...inFlightClaim, target: imageTarget(bad) }),
    };
    await waitForPods(at(), { "app-0": [before, "True"] });
    await setImage(at(), set, bad);
    await waitForPods(at(), { "app-0": [bad, "False"] });
    await createForeignPod(at());

    const stuck = (await podsIn(at()))["app-0"];
    const deletion = at().cluster.deleteStuckPods(workload, null);
    const outcome = await deletion.then(
      () => "skipped",
      (error: Error) => error.name,
    );
    expect(outcome).toBe(beforeRevert);
    expect((await podsIn(at()))["app-0"]).toEqual(stuck);

    await setImage(at(), set, before);
    await vi.waitFor(async () => {
      await at().cluster.deleteStuckPods(workload, null);
      const { "app-0": freed, foreign } = await podsIn(at());
      expect([freed?.slice(0, 2), foreign?.slice(0, 2)]).toEqual([
        [before, "True"],
        [bad, "False"],
      ]);
    }, patience);
  });

  test("are recognized by their revision, whatever differs between the templates", async () => {
    const set = await createSet(at(), "StatefulSet");
    await setImage(at(), set, bad);
    await waitForPods(at(), { "app-0": [bad, "False"] });
    const initContainers = [{ name: "migrate", image: before }];
    const stuck = (await podsIn(at()))["app-0"];
    await patchObject(at(), set, { spec: { template: { spec: { initContainers } } } });
    const workload = await read(at(), set);
    await vi.waitFor(async () => {
      await at().cluster.deleteStuckPods(workload, null);
      const [image, , uid] = (await podsIn(at()))["app-0"] ?? [];
      expect([image, uid === stuck?.[2]]).toEqual([bad, false]);
    }, patience);
  });

  test("do not include ready pods, with any template", async () => {
    const set = await createSet(at(), "StatefulSet", { updateStrategy: { type: "OnDelete" } });
    await waitForPods(at(), { "app-0": [before, "True"] });
    const podsBefore = await podsIn(at());
    await setImage(at(), set, bad);
    await at().cluster.deleteStuckPods(await read(at(), set), new Date());
    expect(await podsIn(at())).toEqual(podsBefore);
  });

  test("of an update that begins are those not ready since before, even if the controller has yet to observe it", async () => {
    const set = await createSet(at(), "StatefulSet");
    await setImage(at(), set, bad);
    await waitForPods(at(), { "app-0": [bad, "False"] });
    await createForeignPod(at());
    const stuck = (await podsIn(at()))["app-0"];
    const workload = await read(at(), set);
    await setImage(at(), set, before);
    await at().cluster.deleteStuckPods(workload, new Date("2000-01-01T00:00:00Z"));
    expect((await podsIn(at()))["app-0"]).toEqual(stuck);
    await at().cluster.deleteStuckPods(workload, new Date("2100-01-01T00:00:00Z"));
    await waitForPods(at(), { "app-0": [before, "True"], foreign: [bad, "False"] });
  });

  test("a set without pods and a missing set have none", async () => {
    const idle = await read(at(), await createWorkload(at(), "StatefulSet"));
    await at().cluster.deleteStuckPods(idle, null);
    await at().cluster.deleteStuckPods({ ...idle, ref: { ...idle.ref, name: "missing" } }, null);
    expect(await podsIn(at())).toEqual({});
  });

  test.for(["Deployment", "DaemonSet"] as const)("of a %s are not deleted", async (kind) => {
    const workload = await read(at(), await createRunning(at(), kind, bad));
    const stuck = await vi.waitFor(async () => {
      const uids = uidsOf(await podsIn(at()));
      expect(uids).not.toEqual([]);
      return uids;
    }, patience);
    await at().cluster.deleteStuckPods(workload, new Date("2100-01-01T00:00:00Z"));
    await at().cluster.deleteStuckPods(workload, null);
    expect(uidsOf(await podsIn(at()))).toEqual(expect.arrayContaining([...stuck]));
  });
}

/** Creates a StatefulSet with one pod, for itself or for a Claw of the same name. */
async function createSet(harness: Harness, kind: Kind, more: object = {}): Promise<WorkloadRef> {
  return createRunning(harness, "StatefulSet", before, kind === "Claw" ? "runtime" : "app", more);
}

/** Creates a workload with one pod, or with one on every node, whose container has the given name. */
async function createRunning(
  harness: Harness,
  kind: BuiltInKind,
  image: string,
  container = "app",
  more: object = {},
): Promise<WorkloadRef> {
  const template = { metadata: { labels: { app: "app" } }, spec: { containers: [{ name: container, image }] } };
  const { spec, ...rest } = manifest(kind);
  const replicas = kind === "DaemonSet" ? {} : { replicas: 1 };
  return createObject(harness, kind, { ...rest, spec: { ...spec, ...more, ...replicas, template } });
}

async function setImage(harness: Harness, set: WorkloadRef, image: string): Promise<void> {
  const containers = [{ name: containersOf(await getObject(harness, set))[0]?.name, image }];
  const contentType = "application/strategic-merge-patch+json";
  await patchObject(harness, set, { spec: { template: { spec: { containers } } } }, { contentType });
}

/** Creates a pod with the labels of the set, but without an owner. */
async function createForeignPod({ request, namespace }: Harness): Promise<void> {
  const metadata = { name: "foreign", labels: { app: "app" } };
  const body = { metadata, spec: { containers: [{ name: "app", image: bad }] } };
  await vi.waitFor(async () => {
    const created = await request("POST", `/api/v1/namespaces/${namespace}/pods`, { body });
    if (created.code !== 201) throw new Error(created.text);
  }, patience);
}

type PodState = readonly [image: string, ready: string];

async function waitForPods(harness: Harness, pods: Readonly<Record<string, PodState>>): Promise<void> {
  await vi.waitFor(async () => {
    const found = await podsIn(harness);
    for (const [name, expected] of Object.entries(pods)) expect(found[name]?.slice(0, 2)).toEqual(expected);
  }, patience);
}

/** Returns image, readiness and uid of every pod by its name. */
async function podsIn({ request, namespace }: Harness): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/pods`)).body;
  const pods = items.map(({ metadata, spec, status }) => {
    const containers = spec?.["containers"] as unknown as readonly { readonly image: string }[];
    const conditions = (status?.["conditions"] ?? []) as unknown as readonly { type: string; status: string }[];
    const ready = conditions.find(({ type }) => type === "Ready")?.status ?? "Unknown";
    return [metadata?.name ?? "", [containers[0]?.image ?? "", ready, metadata?.uid ?? ""]] as const;
  });
  return Object.fromEntries(pods);
}

function uidsOf(pods: Readonly<Record<string, readonly string[]>>): readonly (string | undefined)[] {
  return Object.values(pods).map(([, , uid]) => uid);
}
