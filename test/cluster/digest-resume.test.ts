import { beforeAll, expect, test } from "vitest";
import { annotations, imageUpdaterAnnotations } from "../../functions/domain/annotations.ts";
import { neverReadyAnnotation } from "../support/control-plane/kubelet/pod-status.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type DigestLab, name, openDigestLab } from "./digest-lab.ts";
import { killAndResume, killsOf } from "./kills.ts";
import { suiteWithRegistry } from "./suite.ts";

describeOnRealCluster("kill -9 in a restart, and start again", () => {
  const suite = suiteWithRegistry();
  const before: Record<string, string> = {};
  const behind: Record<string, string> = {};

  beforeAll(async () => {
    for (const repository of ["good", "bad"]) before[repository] = await suite.registry.push(repository, "prod");
    behind["good"] = await suite.registry.push("good", "prod");
    behind["bad"] = await suite.registry.push("bad", "prod", { annotations: { [neverReadyAnnotation]: "true" } });
  });

  /** A lab whose Deployment or StatefulSet was last restarted for what stood behind its tag before the last push. */
  async function restartable(repository: string, kind: "Deployment" | "StatefulSet"): Promise<DigestLab> {
    const lab = await openDigestLab(suite, { repository });
    await lab.close();
    const own = {
      [imageUpdaterAnnotations.lastDigest]: `app:${before[repository]}`,
      [annotations.rollback]: "digest",
      [annotations.maxRollbacks]: "1",
      [annotations.healthTimeout]: repository === "bad" ? "30s" : "10m",
    };
    await lab.follow(kind, { annotations: own, isBroken: repository === "bad" });
    return lab;
  }

  test.concurrent.for(killsOf(["ApplyUpdate"]))("a Deployment that becomes healthy: $state $at", async (kill) => {
    const lab = await restartable("good", "Deployment");
    await killAndResume(lab, kill);
    expect(await lab.messagesOf("AutoUpdateRollback")).toEqual([]);
    const { image, bookkeeping, inFlight, digests } = await lab.workload(name);
    expect({ image, inFlight }).toEqual({ image: lab.image, inFlight: null });
    expect(digests).toMatchObject({ last: { app: behind["good"] }, former: [{ app: before["good"] }] });
    expect(bookkeeping.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
    const events = await lab.eventsOf(name);
    expect(events.filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
  });

  test.concurrent.for(killsOf(["RollBack"]))("a StatefulSet that does not, and is pinned: $state $at", async (kill) => {
    const lab = await restartable("bad", "StatefulSet");
    await killAndResume(lab, kill);
    const { image, bookkeeping, inFlight, digests, isPinned } = await lab.workload(name);
    expect({ image, inFlight, isPinned }).toEqual({
      image: `${lab.image}@${before["bad"]}`,
      inFlight: null,
      isPinned: true,
    });
    expect(digests).toMatchObject({ last: { app: behind["bad"] }, former: [{ app: before["bad"] }] });
    expect(bookkeeping).toMatchObject({ rollbackCount: 1, circuitOpen: true });
    expect(bookkeeping.versionHistory.map(({ status }) => status)).toEqual(["RolledBack"]);
  });
});
