import { expect, test } from "vitest";
import type { AgentReport, ReportedImage } from "../../../functions/domain/node-pool/agent/agent-report.ts";
import type { NodePoolStatus } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { type GetHarness, bootcNodesPath, getObject, patch, poolsPath, readNode, readPool } from "./harness.ts";
import { digestA, digestB, imageA, imageB, createBootcNode, createPool } from "./fixtures.ts";

const later = new Date("2026-11-20T13:00:00Z");

const status: NodePoolStatus = {
  observedGeneration: 1,
  targetDigest: digestB,
  targetSince: new Date("2026-11-20T11:00:00Z"),
  targetRef: "quay.io/example/myos:v2",
  nextTagResolution: new Date("2026-11-20T12:05:00Z"),
  tagProblem: "no such tag",
  deployedDigest: digestA,
  lastKnownGoodImage: imageB,
  rollbackImage: imageA,
  haltedAt: new Date("2026-11-20T12:04:00Z"),
  failedDigests: [digestA, digestB],
  abortedDigests: [digestA],
  progress: { digest: digestB, step: 2, since: new Date("2026-11-20T12:03:00Z") },
  gates: [
    { name: "freeze", reason: "Frozen", message: "updates are frozen", until: later, liftedBy: "pawl unfreeze" },
    { name: "signature", reason: "Unverified", message: "nobody has signed it" },
  ],
  updateAvailable: true,
  nodeCount: 5,
  updatedCount: 1,
  updatingCount: 3,
  degradedCount: 1,
  conditions: [
    { type: "UpToDate", status: "False", reason: "RolloutInProgress", message: "1/5 updated" },
    { type: "Degraded", status: "True", reason: "NodeDegraded", message: "w1" },
  ],
};

const nothing: NodePoolStatus = {
  ...status,
  targetDigest: null,
  targetSince: null,
  targetRef: null,
  nextTagResolution: null,
  tagProblem: null,
  deployedDigest: null,
  lastKnownGoodImage: null,
  rollbackImage: null,
  haltedAt: null,
  failedDigests: [],
  abortedDigests: [],
  progress: null,
  gates: [],
};

const image = (name: string, imageDigest: string): ReportedImage => ({
  image: name,
  imageDigest,
  version: "9.4",
  timestamp: null,
  architecture: "amd64",
  softRebootCapable: true,
  incompatible: false,
});

const report: AgentReport = {
  images: { booted: image(imageA, digestA), staged: image(imageB, digestB), rollback: null },
  activity: "Staged",
  error: null,
  observedGeneration: 1,
  command: null,
};

/** The status of a pool and of a node without a daemon. */
export function statuses(harness: GetHarness): void {
  const conditionsOf = async (path: string) => (await getObject(harness(), path))?.status?.["conditions"] as unknown;

  test("the status of a pool is read as it was written, and its spec stays", async () => {
    const pool = await createPool(harness());
    const saved = await harness().pools.saveStatus(pool, status);
    expect(saved).toEqual({ ...pool, resourceVersion: saved.resourceVersion, status });
    expect(await readPool(harness(), "workers")).toEqual(saved);
    const cleared = await harness().pools.saveStatus(saved, nothing);
    expect(cleared.status).toEqual(nothing);
  });

  test("a condition keeps its transition time while its status stays, and conditions of others stay", async () => {
    const path = `${poolsPath}/${(await createPool(harness())).name}`;
    const foreign = { type: "Backed", status: "True", reason: "Done", message: "", lastTransitionTime: later };
    await patch(harness(), `${path}/status`, { status: { conditions: [foreign] } });
    const saved = await harness().pools.saveStatus(await readPool(harness(), "workers"), status);
    harness().now = later;
    const [first] = status.conditions;
    const healthy = { type: "Degraded", status: "False", reason: "Healthy", message: "" } as const;
    const conditions = [{ ...first!, message: "2/5 updated" }, healthy];
    await harness().pools.saveStatus(saved, { ...status, observedGeneration: 2, conditions });
    expect(await conditionsOf(path)).toMatchObject([
      { type: "Backed" },
      { type: "UpToDate", message: "2/5 updated", lastTransitionTime: "2026-11-20T12:00:00Z", observedGeneration: 2 },
      { type: "Degraded", reason: "Healthy", lastTransitionTime: "2026-11-20T13:00:00Z", observedGeneration: 2 },
    ]);
  });

  test("a report is written like that of a daemon, and read back", async () => {
    await createBootcNode(harness());
    const command = { id: "c-1", kind: "stage", image: imageB, at: harness().now, attempts: 1 } as const;
    const after = await harness().pools.writeAgentReport(await readNode(harness(), "w1"), { ...report, command });
    expect(after).toEqual(await readNode(harness(), "w1"));
    expect(after.bootcNode).toMatchObject({
      bootedDigest: digestA,
      stagedDigest: digestB,
      rollbackDigest: null,
      idle: { activity: "Staged" },
      error: null,
      isObserved: true,
      command,
    });
    const { metadata, ...object } =
      (await getObject(harness(), `${bootcNodesPath}/${harness().uniqueName("w1")}`)) ?? {};
    expect(object.status).toMatchObject({ booted: { image: imageA, version: "9.4", softRebootCapable: true } });
    expect(object.spec).toMatchObject({ desiredImage: imageA, desiredImageState: "Staged" });
    expect(metadata?.annotations).toMatchObject({ "pawl.dev/agent-command": expect.stringContaining("c-1 stage") });
  });

  test("a report removes outdated fields", async () => {
    const booted = { image: imageA, imageDigest: digestA, version: "9.3", note: "of a previous daemon" };
    await createBootcNode(harness(), "w1", { status: { booted, staged: booted, rollback: booted } });
    const command = { id: "c-1", kind: "apply", image: imageB, at: harness().now, attempts: 0 } as const;
    await harness().pools.writeAgentReport(await readNode(harness(), "w1"), {
      ...report,
      error: "stage failed",
      command,
    });
    const images = { booted: image(imageB, digestB), staged: null, rollback: image(imageA, digestA) };
    const idle = { ...report, images, activity: null };
    const { bootcNode } = await harness().pools.writeAgentReport(await readNode(harness(), "w1"), idle);
    expect(bootcNode).toMatchObject({ bootedDigest: digestB, stagedDigest: null, rollbackDigest: digestA });
    expect(bootcNode).toMatchObject({ idle: { activity: null }, error: null, command: null });
    const object = await getObject(harness(), `${bootcNodesPath}/${harness().uniqueName("w1")}`);
    expect(object?.status?.["booted"]).not.toHaveProperty("note");
  });

  test("a report without images keeps the recorded images", async () => {
    await createBootcNode(harness(), "w1", { status: { booted: { image: imageA, imageDigest: digestA } } });
    const { bootcNode } = await harness().pools.writeAgentReport(await readNode(harness(), "w1"), {
      ...report,
      images: null,
    });
    expect(bootcNode).toMatchObject({ bootedDigest: digestA, stagedDigest: null });
  });

  test("the same report is written once, also over conditions of a daemon without times", async () => {
    await createBootcNode(harness(), "w1", {
      status: { conditions: [{ type: "Idle", status: "False", reason: "Staged" }] },
    });
    const once = await harness().pools.writeAgentReport(await readNode(harness(), "w1"), report);
    harness().now = later;
    expect(await harness().pools.writeAgentReport(once, report)).toEqual(once);
  });

  test("a report is a Conflict after another write, and writes nothing", async () => {
    await createBootcNode(harness());
    const stale = await readNode(harness(), "w1");
    await patch(harness(), `${bootcNodesPath}/${stale.name}`, { spec: { desiredImage: imageB } });
    const before = await readNode(harness(), "w1");
    await expect(harness().pools.writeAgentReport(stale, report)).rejects.toMatchObject({ name: "Conflict" });
    expect(await readNode(harness(), "w1")).toEqual(before);
    await harness().request("DELETE", `${bootcNodesPath}/${stale.name}`);
    await expect(harness().pools.writeAgentReport(before, report)).rejects.toMatchObject({ name: "Conflict" });
  });
}
