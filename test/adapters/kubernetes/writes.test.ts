import { expect, test } from "vitest";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";
import type { Bench } from "../../contracts/cluster/bench.ts";
import { change, look, make, openBench, write } from "../../contracts/cluster/bench.ts";
import { abandon, claim, hold, reset, rolledBack, succeed, type Step } from "../../contracts/cluster/steps.ts";
import { builtInKinds, pathOf, type Kind } from "../../contracts/cluster-fixtures.ts";
import { embedded } from "./embedded.ts";
import { clusterAt, inFrontOf, type Heard } from "./scripted.ts";

const cluster = await embedded();

/** A bench whose adapter is heard, and into whose requests somebody else may write. */
async function heardBench(kind: Kind, before: (heard: Heard) => Promise<void> | void = () => undefined) {
  const bench = await openBench(cluster.kubeConfig);
  const ref = await make(bench, kind);
  const proxy = await inFrontOf(cluster.url, before);
  const heard = clusterAt(proxy.url, { namespaces: [bench.namespace], now: () => bench.now });
  const patches = () => proxy.heard.filter(({ method }) => method === "PATCH");
  return { ref, proxy, patches, bench: { ...bench, cluster: heard } satisfies Bench };
}

test.for(builtInKinds.flatMap((kind) => [claim, succeed, abandon].map((end) => ({ kind, end, step: end.name }))))(
  "a $kind: $step is one patch, merged by name, on the resourceVersion that was read",
  async ({ kind, end }) => {
    const { ref, bench, patches } = await heardBench(kind);
    if (end !== claim) await change(bench, ref, claim);
    const before = patches().length;
    const read = (await look(bench, ref)).metadata?.resourceVersion;
    await bench.cluster.change(await workloadOf(bench, ref), end(await workloadOf(bench, ref)));
    const [patch, ...others] = patches().slice(before);
    expect(others).toEqual([]);
    expect(patch).toMatchObject({ contentType: "application/strategic-merge-patch+json" });
    expect(patch?.path).toBe(`${pathOf(ref)}?fieldManager=pawl`);
    expect(JSON.parse(patch?.body ?? "")).toHaveProperty("metadata.resourceVersion", read);
  },
);

test.for([
  { step: "a claim", given: [], end: claim, order: ["object", "status"] },
  { step: "a success", given: [claim], end: succeed, order: ["status", "object"] },
  { step: "giving up", given: [claim], end: abandon, order: ["status", "object"] },
  { step: "a rollback", given: [claim, abandon], end: rolledBack, order: ["object"] },
  { step: "an announcement", given: [], end: hold, order: ["object"] },
  { step: "a check", given: [], end: () => ({ bookkeeping: { lastCheck: new Date(0) } }), order: ["status"] },
  { step: "nothing at all", given: [], end: () => ({}), order: [] },
])("a Claw: $step is written in an order that may be interrupted", async ({ given, end, order }) => {
  const { ref, bench, patches } = await heardBench("Claw");
  for (const step of given) await change(bench, ref, step);
  const before = patches().length;
  await change(bench, ref, end);
  const written = patches().slice(before);
  expect(written.map(({ path }) => (path.includes("/status?") ? "status" : "object"))).toEqual(order);
  for (const { body, contentType } of written) {
    expect(contentType).toBe("application/merge-patch+json");
    expect(JSON.parse(body)).toHaveProperty("metadata.resourceVersion", expect.stringMatching(/^\d+$/));
  }
});

test.for([
  { half: "status", end: claim, left: { phase: "HealthCheck", version: undefined } },
  { half: "object", end: succeed, left: { phase: "HealthCheck", version: "1.1.0" } },
])(
  "a Claw changed before the second half, the $half: Conflict, and the step can be repeated",
  async ({ half, end, left }) => {
    let armed = false;
    const { ref, bench } = await heardBench("Claw", async ({ method, path }) => {
      const isHalf = path.includes("/status?") === (half === "status");
      if (!armed || method !== "PATCH" || !isHalf) return;
      armed = false;
      await write(bench, ref, { metadata: { annotations: { "example.com/by": "somebody else" } } });
    });
    if (end === succeed) await change(bench, ref, claim);
    const workload = await workloadOf(bench, ref);
    armed = true;
    await expect(bench.cluster.change(workload, end(workload))).rejects.toMatchObject({ name: "Conflict" });
    const object = await look(bench, ref);
    expect({
      phase: object.metadata?.annotations?.["claw.prismer.ai/update-phase" as never],
      version: object.status?.["autoUpdate"]?.["currentVersion"],
    }).toEqual(left);
    const repeated = await change(bench, ref, end);
    expect(repeated.bookkeeping).toMatchObject(
      end === succeed ? { currentVersion: "1.1.0" } : { availableVersion: "1.1.0" },
    );
    expect(repeated.bookkeeping.versionHistory).toHaveLength(end === succeed ? 1 : 0);
  },
);

test.for(["Deployment", "Claw"] as const)(
  "a %s changed between the read and the patch is left as it is",
  async (kind) => {
    let armed = true;
    const { ref, bench } = await heardBench(kind, async ({ method }) => {
      if (!armed || method !== "PATCH") return;
      armed = false;
      await write(bench, ref, { metadata: { annotations: { "pawl.dev/held": "by somebody else" } } });
    });
    const workload = await workloadOf(bench, ref);
    await expect(bench.cluster.change(workload, claim(workload))).rejects.toMatchObject({ name: "Conflict" });
    expect(await workloadOf(bench, ref)).toMatchObject({
      inFlight: null,
      bookkeeping: workload.bookkeeping,
      announced: { held: "by somebody else" },
    });
  },
);

test("what a later k8s4claw adds to its status stays", async () => {
  const { ref, bench } = await heardBench("Claw");
  const added = { autoUpdate: { soakUntil: "2026-12-01T00:00:00Z", rollbackCount: 2 }, gateway: { ready: true } };
  await write(bench, ref, { status: added }, { subresource: "/status" });
  const steps: readonly Step[] = [claim, abandon, rolledBack, reset];
  for (const step of steps) await change(bench, ref, step);
  expect((await look(bench, ref)).status).toMatchObject({
    autoUpdate: { soakUntil: "2026-12-01T00:00:00Z", rollbackCount: 0 },
    gateway: { ready: true },
  });
});

test("the Event of a workload with a long name of dots has a name that a server takes", async () => {
  const { ref, bench } = await heardBench("Claw");
  const name = `${"a".repeat(199)}.b`;
  const workload = { ...(await workloadOf(bench, ref)), ref: { ...ref, name } };
  await bench.cluster.announce(workload, { type: "Normal", reason: "AutoUpdateAvailable", message: "", key: "1" });
  const { body } = await bench.request("GET", `/api/v1/namespaces/${bench.namespace}/events`);
  expect(body.items?.map((event) => event.metadata?.name)).toEqual([expect.stringMatching(/^a{199}\.[0-9a-f]{16}$/)]);
});

async function workloadOf(bench: Bench, ref: WorkloadRef) {
  const workload = await bench.cluster.read(ref);
  if (workload === null) throw new Error("gone");
  return workload;
}
