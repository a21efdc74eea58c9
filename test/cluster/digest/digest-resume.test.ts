import { beforeAll, expect, test } from "vitest";
import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type DigestHarness, name, openDigestHarness } from "./digest-harness.ts";
import { killAtEach } from "../claim/killed-writes.ts";
import { createSuite } from "../suite.ts";

describeOnRealCluster("a restart that is killed by SIGKILL between any two writes, and resumed", () => {
  const suite = createSuite();
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};

  beforeAll(async () => {
    for (const repository of ["good", "bad"]) before[repository] = await suite.registry.push(repository, "prod");
    after["good"] = await suite.registry.push("good", "prod");
  });

  /** Opens a harness whose workload was last restarted for the digest that its tag had before the last push. */
  async function openOutdated(repository: string, kind: "Deployment" | "StatefulSet"): Promise<DigestHarness> {
    const harness = await openDigestHarness(suite, { repository });
    await harness.close();
    const ownAnnotations = {
      [imageUpdaterAnnotations.lastDigest]: `app:${before[repository]}`,
      [annotations.rollbackTo]: "digest",
      [annotations.maxRollbacks]: "1",
      // Of a clock that runs 20 times as fast: no pod may have started in 1.5 s, and then none is pinned.
      [annotations.healthTimeout]: repository === "bad" ? "5m" : "2h",
    };
    await harness.createTracked(kind, { annotations: ownAnnotations });
    return harness;
  }

  test.concurrent("a Deployment that becomes healthy", async () => {
    const harness = await openOutdated("good", "Deployment");
    await killAtEach(harness, suite.folder, [
      { at: "before", write: "claim" },
      { at: "after", write: "claim" },
      { at: "before", write: "change workload" },
      { at: "after", write: "change workload" },
      { at: "after", write: "mark applied" },
      { at: "after", write: "release" },
    ]);
    expect(await harness.messagesOf("AutoUpdateRollback")).toEqual([]);
    const { image, updateRecord, inFlight, digests } = await harness.workload(name);
    expect({ image, inFlight }).toEqual({ image: harness.image, inFlight: null });
    expect(digests).toMatchObject({ deployed: { app: after["good"] }, previous: [{ app: before["good"] }] });
    expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
    expect(await harness.runningDigests()).toEqual([after["good"], after["good"]]);
  });

  test.concurrent("a StatefulSet that does not become healthy, and is pinned", async () => {
    const harness = await openOutdated("bad", "StatefulSet");
    // Only what ready pods ran is pinned: they run the digest before this push.
    after["bad"] = await suite.registry.push("bad", "prod", { annotations: { [neverReadyAnnotation]: "true" } });
    await killAtEach(harness, suite.folder, [
      { at: "before", write: "record rollback" },
      { at: "after", write: "record rollback" },
      { at: "after", write: "change workload" },
      { at: "after", write: "mark restored" },
      { at: "after", write: "release" },
    ]);
    const { image, updateRecord, inFlight, digests, isPinnedByPawl } = await harness.workload(name);
    const { rollbackCount, circuitOpen, versionHistory } = updateRecord;
    // In one comparison: if another result was recorded, it says why.
    expect({ image, inFlight, isPinnedByPawl, rollbackCount, circuitOpen, versionHistory, digests }).toMatchObject({
      image: `${harness.image}@${before["bad"]}`,
      inFlight: null,
      isPinnedByPawl: true,
      rollbackCount: 1,
      circuitOpen: true,
      versionHistory: [{ status: "RolledBack" }],
      digests: { deployed: { app: after["bad"] }, previous: [{ app: before["bad"] }] },
    });
  });
});
