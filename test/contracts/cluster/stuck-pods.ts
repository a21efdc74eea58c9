import { expect, test, vi } from "vitest";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";
import { before, manifest, type Kind } from "../cluster-fixtures.ts";
import { containersOf, createObject, look, make, read, write, type At, type Bench } from "./bench.ts";

const bad = "registry.invalid:5000/shop/app:1.1.0-bad";
const patience = { timeout: 30_000, interval: 50 };

/** Needs a kubelet under which an image whose tag ends in `-bad` never becomes ready, and every other one does. */
export function stuckPods(at: At): void {
  test.for([
    { kind: "StatefulSet", whileAsked: "left" },
    { kind: "Claw", whileAsked: "Conflict" },
  ] as const)("of a $kind are freed once nobody asks for their image", async ({ kind, whileAsked }) => {
    const set = await makeSet(at(), kind);
    const workload = await read(at(), kind === "Claw" ? await make(at(), kind) : set);
    await until(at(), { "app-0": [before, "True"] });
    await setImage(at(), set, bad);
    await until(at(), { "app-0": [bad, "False"] });
    await makeStranger(at());

    const stuck = (await podsIn(at()))["app-0"];
    const answer = at().cluster.freeStuckPods(workload, bad);
    const outcome = await answer.then(
      () => "left",
      (error: Error) => error.name,
    );
    expect(outcome).toBe(whileAsked);
    await setImage(at(), set, before);
    await at().cluster.freeStuckPods(workload, "registry.invalid:5000/shop/app:9.9.9");
    expect((await podsIn(at()))["app-0"]).toEqual(stuck);

    await at().cluster.freeStuckPods(workload, bad);
    await until(at(), { "app-0": [before, "True"], stranger: [bad, "False"] });
    await at().cluster.freeStuckPods(workload, bad);
  });

  test("are not those that are ready, whatever the template asks for by now", async () => {
    const set = await makeSet(at(), "StatefulSet", { updateStrategy: { type: "OnDelete" } });
    await until(at(), { "app-0": [before, "True"] });
    const standing = await podsIn(at());
    await setImage(at(), set, bad);
    await at().cluster.freeStuckPods(await read(at(), set), before);
    expect(await podsIn(at())).toEqual(standing);
  });

  test("left by a restart that failed go once the template was restarted again, and not before", async () => {
    const set = await makeSet(at(), "StatefulSet");
    await until(at(), { "app-0": [before, "True"] });
    await setImage(at(), set, bad);
    await until(at(), { "app-0": [bad, "False"] });
    const stuck = (await podsIn(at()))["app-0"];
    const workload = await read(at(), set);
    const found = `${bad}@sha256:${"0".repeat(64)}`;
    await at().cluster.freeStuckPods(workload, found);
    await at().cluster.freeStuckPods(workload, null);
    expect((await podsIn(at()))["app-0"]).toEqual(stuck);

    const annotations = { "kubectl.kubernetes.io/restartedAt": "2026-11-20T12:00:00Z" };
    await write(at(), set, { spec: { template: { metadata: { annotations } } } });
    await makeStranger(at());
    await at().cluster.freeStuckPods(workload, found.replace("shop/app", "shop/other"));
    expect((await podsIn(at()))["app-0"]).toEqual(stuck);
    await at().cluster.freeStuckPods(workload, null);
    await vi.waitFor(async () => {
      const [image, ready, uid] = (await podsIn(at()))["app-0"] ?? [];
      expect([image, ready, uid === stuck?.[2]]).toEqual([bad, "False", false]);
    }, patience);
    expect(await podsIn(at())).toHaveProperty("stranger");
  });

  test("a set without pods, and one that is not there, have none", async () => {
    const idle = await read(at(), await make(at(), "StatefulSet"));
    await at().cluster.freeStuckPods(idle, bad);
    await at().cluster.freeStuckPods({ ...idle, ref: { ...idle.ref, name: "nobody" } }, bad);
    expect(await podsIn(at())).toEqual({});
  });

  test.for(["Deployment", "DaemonSet"] as const)("of a %s are left to its controller", async (kind) => {
    const workload = await read(at(), await make(at(), kind));
    await makeStranger(at());
    await at().cluster.freeStuckPods(workload, bad);
    expect(await podsIn(at())).toHaveProperty("stranger");
  });
}

/** One ordered pod that goes where the kubelet is, for a StatefulSet of its own or for a Claw of the same name. */
async function makeSet(bench: Bench, kind: Kind, more: object = {}): Promise<WorkloadRef> {
  const name = kind === "Claw" ? "runtime" : "app";
  const template = { metadata: { labels: { app: "app" } }, spec: { containers: [{ name, image: before }] } };
  const { spec, ...rest } = manifest("StatefulSet");
  return createObject(bench, "StatefulSet", { ...rest, spec: { ...spec, ...more, replicas: 1, template } });
}

async function setImage(bench: Bench, set: WorkloadRef, image: string): Promise<void> {
  const containers = [{ name: containersOf(await look(bench, set))[0]?.name, image }];
  const contentType = "application/strategic-merge-patch+json";
  await write(bench, set, { spec: { template: { spec: { containers } } } }, { contentType });
}

/** A pod that looks like one of the set's and was made by hand. */
async function makeStranger({ request, namespace }: Bench): Promise<void> {
  const metadata = { name: "stranger", labels: { app: "app" } };
  const body = { metadata, spec: { containers: [{ name: "app", image: bad }] } };
  await vi.waitFor(async () => {
    const made = await request("POST", `/api/v1/namespaces/${namespace}/pods`, { body });
    if (made.code !== 201) throw new Error(made.text);
  }, patience);
}

type Seen = readonly [image: string, ready: string];

async function until(bench: Bench, pods: Readonly<Record<string, Seen>>): Promise<void> {
  await vi.waitFor(async () => {
    const found = await podsIn(bench);
    for (const [name, seen] of Object.entries(pods)) expect(found[name]?.slice(0, 2)).toEqual(seen);
  }, patience);
}

/** Image, readiness and uid of every pod by its name. */
async function podsIn({ request, namespace }: Bench): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/pods`)).body;
  const pods = items.map(({ metadata, spec, status }) => {
    const containers = spec?.["containers"] as unknown as readonly { readonly image: string }[];
    const conditions = (status?.["conditions"] ?? []) as unknown as readonly { type: string; status: string }[];
    const ready = conditions.find(({ type }) => type === "Ready")?.status ?? "Unknown";
    return [metadata?.name ?? "", [containers[0]?.image ?? "", ready, metadata?.uid ?? ""]] as const;
  });
  return Object.fromEntries(pods);
}
