import { expect, onTestFinished, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { checkClaim } from "../../../functions/domain/workload/claim.ts";
import { recordStart } from "../../../functions/domain/workload/update-record.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { assessUpdate } from "../../../functions/workflows/workload-update/assess-update.ts";
import { manifest, target } from "../../contracts/cluster-fixtures.ts";
import { after } from "../../support/workloads.ts";
import { startCluster } from "./embedded-cluster.ts";

const paused = manifest("Deployment", { name: "web", spec: { paused: true } });

/** Starts a cluster with a paused Deployment, and two installations of Pawl with one clock. */
async function startInstallations() {
  const clock = { minutes: 0 };
  const now = () => after(clock.minutes);
  const objects = [{ ...paused, metadata: { ...paused.metadata, namespace: "shop" } }];
  const { kubeConfig, close } = await startCluster({ objects });
  onTestFinished(close);
  const install = (id: string) =>
    createKubernetesCluster({
      name: id,
      kubeConfig,
      namespaces: null,
      now,
      holder: { id, isLost: () => false },
      warn: () => {},
    });
  return { clock, now, first: install("first"), second: install("second") };
}

async function readOnly(cluster: Cluster): Promise<Workload> {
  for await (const workload of cluster.list(() => {})) return workload;
  throw new Error("no workload is listed");
}

test("an update that waits for hours keeps its claim, with few writes", async () => {
  const { clock, now, first, second } = await startInstallations();
  await first.change(await readOnly(first), {});
  await first.change(await readOnly(first), recordStart(await readOnly(first), { image: target }, "e-1", now()));
  const versions = new Set<string | null>();
  for (; clock.minutes < 3 * 60; clock.minutes += 5) {
    const claim = checkClaim(await readOnly(first), "e-1", target);
    if (claim.kind === "lost") throw new Error(claim.reason);
    expect(await assessUpdate({ cluster: first, now }, claim)).toMatchObject({ kind: "waiting" });
    const { record } = await readOnly(second);
    expect(record.claimedElsewhereUntil).not.toBeNull();
    versions.add(record.resourceVersion);
  }
  expect(versions.size).toBeLessThanOrEqual(3 * 4 + 1);
});
