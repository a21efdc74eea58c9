import { expect, test } from "vitest";
import type { AgentReport, ReportedImage } from "../../../functions/domain/node-pool/report.ts";
import type { NodePoolStatus } from "../../../functions/domain/node-pool/types.ts";
import { type At, bootcNodesPath, look, patch, poolsPath, readNode, readPool } from "./bench.ts";
import { digestA, digestB, imageA, imageB, makeBootcNode, makePool } from "./fixtures.ts";

const later = new Date("2026-11-20T13:00:00Z");

const status: NodePoolStatus = {
  observedGeneration: 1,
  targetDigest: digestB,
  targetRef: "quay.io/example/myos:v2",
  nextTagResolution: new Date("2026-11-20T12:05:00Z"),
  tagProblem: "no such tag",
  deployedDigest: digestA,
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
  targetRef: null,
  nextTagResolution: null,
  tagProblem: null,
  deployedDigest: null,
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

/** The status of a pool, and that of a node without a daemon. */
export function statuses(at: At): void {
  const conditionsOf = async (path: string) => (await look(at(), path))?.status?.["conditions"] as unknown;

  test("a pool's status is read as it was written, and its spec stays", async () => {
    const pool = await makePool(at());
    const saved = await at().pools.saveStatus(pool, status);
    expect(saved).toEqual({ ...pool, resourceVersion: saved.resourceVersion, status });
    expect(await readPool(at(), "workers")).toEqual(saved);
    const cleared = await at().pools.saveStatus(saved, nothing);
    expect(cleared.status).toEqual(nothing);
  });

  test("a condition keeps its time while its status stays, and another's condition stays", async () => {
    const path = `${poolsPath}/${(await makePool(at())).name}`;
    const foreign = { type: "Backed", status: "True", reason: "Done", message: "", lastTransitionTime: later };
    await patch(at(), `${path}/status`, { status: { conditions: [foreign] } });
    const saved = await at().pools.saveStatus(await readPool(at(), "workers"), status);
    at().now = later;
    const [first] = status.conditions;
    const healthy = { type: "Degraded", status: "False", reason: "Healthy", message: "" } as const;
    const conditions = [{ ...first!, message: "2/5 updated" }, healthy];
    await at().pools.saveStatus(saved, { ...status, observedGeneration: 2, conditions });
    expect(await conditionsOf(path)).toMatchObject([
      { type: "Backed" },
      { type: "UpToDate", message: "2/5 updated", lastTransitionTime: "2026-11-20T12:00:00Z", observedGeneration: 2 },
      { type: "Degraded", reason: "Healthy", lastTransitionTime: "2026-11-20T13:00:00Z", observedGeneration: 2 },
    ]);
  });

  test("a report is what a daemon would write, and is read so", async () => {
    await makeBootcNode(at());
    const command = { id: "c-1", kind: "stage", image: imageB, at: at().now, attempts: 1 } as const;
    const after = await at().pools.report(await readNode(at(), "w1"), { ...report, command });
    expect(after).toEqual(await readNode(at(), "w1"));
    expect(after.bootcNode).toMatchObject({
      bootedDigest: digestA,
      stagedDigest: digestB,
      rollbackDigest: null,
      idle: { activity: "Staged" },
      error: null,
      isObserved: true,
      command,
    });
    const { metadata, ...object } = (await look(at(), `${bootcNodesPath}/${at().named("w1")}`)) ?? {};
    expect(object.status).toMatchObject({ booted: { image: imageA, version: "9.4", softRebootCapable: true } });
    expect(object.spec).toMatchObject({ desiredImage: imageA, desiredImageState: "Staged" });
    expect(metadata?.annotations).toMatchObject({ "pawl.dev/command": expect.stringContaining("c-1 stage") });
  });

  test("a report takes away what is no longer so", async () => {
    const booted = { image: imageA, imageDigest: digestA, version: "9.3", note: "of a daemon before" };
    await makeBootcNode(at(), "w1", { status: { booted, staged: booted, rollback: booted } });
    const command = { id: "c-1", kind: "apply", image: imageB, at: at().now, attempts: 0 } as const;
    await at().pools.report(await readNode(at(), "w1"), { ...report, error: "stage failed", command });
    const images = { booted: image(imageB, digestB), staged: null, rollback: image(imageA, digestA) };
    const idle = { ...report, images, activity: null };
    const { bootcNode } = await at().pools.report(await readNode(at(), "w1"), idle);
    expect(bootcNode).toMatchObject({ bootedDigest: digestB, stagedDigest: null, rollbackDigest: digestA });
    expect(bootcNode).toMatchObject({ idle: { activity: null }, error: null, command: null });
    const object = await look(at(), `${bootcNodesPath}/${at().named("w1")}`);
    expect(object?.status?.["booted"]).not.toHaveProperty("note");
  });

  test("a report without images leaves those that stand there", async () => {
    await makeBootcNode(at(), "w1", { status: { booted: { image: imageA, imageDigest: digestA } } });
    const { bootcNode } = await at().pools.report(await readNode(at(), "w1"), { ...report, images: null });
    expect(bootcNode).toMatchObject({ bootedDigest: digestA, stagedDigest: null });
  });

  test("the same report twice is written once, also over what a daemon without times has said", async () => {
    await makeBootcNode(at(), "w1", { status: { conditions: [{ type: "Idle", status: "False", reason: "Staged" }] } });
    const once = await at().pools.report(await readNode(at(), "w1"), report);
    at().now = later;
    expect(await at().pools.report(once, report)).toEqual(once);
  });

  test("a report is a Conflict where somebody has written since, and writes nothing", async () => {
    await makeBootcNode(at());
    const stale = await readNode(at(), "w1");
    await patch(at(), `${bootcNodesPath}/${stale.name}`, { spec: { desiredImage: imageB } });
    const before = await readNode(at(), "w1");
    await expect(at().pools.report(stale, report)).rejects.toMatchObject({ name: "Conflict" });
    expect(await readNode(at(), "w1")).toEqual(before);
    await at().request("DELETE", `${bootcNodesPath}/${stale.name}`);
    await expect(at().pools.report(before, report)).rejects.toMatchObject({ name: "Conflict" });
  });
}
