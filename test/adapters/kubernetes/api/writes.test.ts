import { expect, test } from "vitest";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import type { Harness } from "../../../contracts/cluster/harness.ts";
import { change, getObject, createWorkload, openHarness, patchObject } from "../../../contracts/cluster/harness.ts";
import { revert, claim, hold, reset, rolledBack, succeed, type Step } from "../../../contracts/cluster/steps.ts";
import { autoUpdatePath } from "../../../contracts/cluster/auto-update/harness.ts";
import { builtInKinds, pathOf, type Kind } from "../../../contracts/cluster-fixtures.ts";
import { startCluster } from "../embedded-cluster.ts";
import { clusterAt, startProxy, type RecordedRequest } from "./scripted-server.ts";

const cluster = await startCluster();

const takeOver: Step = ({ inFlight }) => ({ inFlight: inFlight === null ? null : { ...inFlight, execution: "e-2" } });

/** Opens a harness whose requests are recorded, and that runs `before` ahead of each. */
async function openRecordedHarness(
  kind: Kind,
  before: (request: RecordedRequest) => Promise<void> | void = () => undefined,
) {
  const harness = await openHarness(cluster.kubeConfig);
  const ref = await createWorkload(harness, kind);
  const proxy = await startProxy(cluster.url, before);
  const recorded = clusterAt(proxy.url, { namespaces: [harness.namespace], now: () => harness.now });
  const patches = () => proxy.requests.filter(({ method }) => method === "PATCH");
  return { ref, proxy, patches, harness: { ...harness, cluster: recorded } satisfies Harness };
}

test.for(
  builtInKinds.flatMap((kind) => [
    { kind, name: "a claim", given: [], end: claim, order: ["status", "workload", "status"] },
    { kind, name: "a success", given: [claim], end: succeed, order: ["status"] },
    { kind, name: "a revert", given: [claim], end: revert, order: ["status", "workload", "status"] },
    { kind, name: "a takeover", given: [claim], end: takeOver, order: ["workload", "status"] },
    { kind, name: "a reported hold", given: [claim], end: hold, order: ["status"] },
    { kind, name: "an empty change", given: [hold], end: () => ({}), order: [] },
  ]),
)("a $kind: $name is written in an order that may be interrupted: $order", async ({ kind, given, end, order }) => {
  const { ref, harness, patches } = await openRecordedHarness(kind);
  for (const step of [() => ({}), ...given]) await change(harness, ref, step);
  const before = patches().length;
  const read = (await getObject(harness, ref)).metadata?.resourceVersion;
  await harness.cluster.change(await workloadOf(harness, ref), end(await workloadOf(harness, ref)));
  const written = patches().slice(before);
  expect(written.map(({ path }) => (path.includes("/status?") ? "status" : "workload"))).toEqual(order);
  for (const { path, contentType, body } of written) {
    const isStatus = path.includes("/status?");
    expect(path).toBe(`${isStatus ? `${autoUpdatePath(ref)}/status` : pathOf(ref)}?fieldManager=pawl`);
    expect(contentType).toBe(`application/${isStatus ? "merge" : "strategic-merge"}-patch+json`);
    const { metadata } = JSON.parse(body) as { metadata: { resourceVersion: string } };
    expect(metadata.resourceVersion).toMatch(isStatus ? /^\d+$/ : new RegExp(`^${read}$`));
  }
});

test("a second patch of the workload has no field that is as it should be", async () => {
  const { ref, harness, patches } = await openRecordedHarness("StatefulSet");
  await change(harness, ref, claim);
  const before = patches().length;
  await change(harness, ref, claim);
  expect(
    patches()
      .slice(before)
      .map(({ path }) => path),
  ).toEqual([expect.stringContaining("/status?")]);
});

test.for([
  { step: "a claim", given: [], end: claim, order: ["object", "status"] },
  { step: "a success", given: [claim], end: succeed, order: ["status", "object"] },
  { step: "a revert", given: [claim], end: revert, order: ["status", "object"] },
  { step: "a rollback", given: [claim, revert], end: rolledBack, order: ["object"] },
  { step: "a reported hold", given: [], end: hold, order: ["status"] },
  { step: "a check", given: [], end: () => ({ updateRecord: { lastCheck: new Date(0) } }), order: ["status"] },
  { step: "an empty change", given: [], end: () => ({}), order: [] },
])("a Claw: $step is written in an order that may be interrupted", async ({ given, end, order }) => {
  const { ref, harness, patches } = await openRecordedHarness("Claw");
  for (const step of given) await change(harness, ref, step);
  const before = patches().length;
  await change(harness, ref, end);
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
    const { ref, harness } = await openRecordedHarness("Claw", async ({ method, path }) => {
      const isHalf = path.includes("/status?") === (half === "status");
      if (!armed || method !== "PATCH" || !isHalf) return;
      armed = false;
      await patchObject(harness, ref, { metadata: { annotations: { "example.com/by": "another client" } } });
    });
    if (end === succeed) await change(harness, ref, claim);
    const workload = await workloadOf(harness, ref);
    armed = true;
    await expect(harness.cluster.change(workload, end(workload))).rejects.toMatchObject({ name: "Conflict" });
    const object = await getObject(harness, ref);
    expect({
      phase: object.metadata?.annotations?.["claw.prismer.ai/update-phase" as never],
      version: object.status?.["autoUpdate"]?.["currentVersion"],
    }).toEqual(left);
    const repeated = await change(harness, ref, end);
    expect(repeated.updateRecord).toMatchObject(
      end === succeed ? { currentVersion: "1.1.0" } : { candidateVersion: "1.1.0" },
    );
    expect(repeated.updateRecord.versionHistory).toHaveLength(end === succeed ? 1 : 0);
  },
);

test.for(["Deployment", "Claw"] as const)("a %s that changed between read and patch is not written", async (kind) => {
  let armed = true;
  const { ref, harness } = await openRecordedHarness(kind, async ({ method }) => {
    if (!armed || method !== "PATCH") return;
    armed = false;
    await patchObject(harness, ref, { metadata: { annotations: { "example.com/by": "another client" } } });
  });
  const workload = await workloadOf(harness, ref);
  await expect(harness.cluster.change(workload, claim(workload))).rejects.toMatchObject({ name: "Conflict" });
  const { image, inFlight } = await workloadOf(harness, ref);
  expect(image).toBe(workload.image);
  // The claim of a Deployment is in its AutoUpdate before the Deployment is written.
  expect(inFlight?.isApplied ?? null).toBe(kind === "Claw" ? null : false);
});

test("status fields of later versions of k8s4claw are kept", async () => {
  const { ref, harness } = await openRecordedHarness("Claw");
  const added = { autoUpdate: { soakUntil: "2026-12-01T00:00:00Z", rollbackCount: 2 }, gateway: { ready: true } };
  await patchObject(harness, ref, { status: added }, { subresource: "/status" });
  const steps: readonly Step[] = [claim, revert, rolledBack, reset];
  for (const step of steps) await change(harness, ref, step);
  expect((await getObject(harness, ref)).status).toMatchObject({
    autoUpdate: { soakUntil: "2026-12-01T00:00:00Z", rollbackCount: 0 },
    gateway: { ready: true },
  });
});

test("the Event of a workload with a long name with dots has a valid name", async () => {
  const { ref, harness } = await openRecordedHarness("Claw");
  const name = `${"a".repeat(199)}.b`;
  const workload = { ...(await workloadOf(harness, ref)), ref: { ...ref, name } };
  await harness.cluster.emitEvent(workload, { type: "Normal", reason: "AutoUpdateAvailable", message: "", key: "1" });
  const { body } = await harness.request("GET", `/api/v1/namespaces/${harness.namespace}/events`);
  expect(body.items?.map((event) => event.metadata?.name)).toEqual([expect.stringMatching(/^a{199}\.[0-9a-f]{16}$/)]);
});

async function workloadOf(harness: Harness, ref: WorkloadRef) {
  const workload = await harness.cluster.read(ref);
  if (workload === null) throw new Error("workload not found");
  return workload;
}
