import { expect, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { Kind } from "../cluster-fixtures.ts";
import { createAutoUpdate, patchStatus, updateOf } from "./auto-update/harness.ts";
import { createWorkload, openHarness, read, type At } from "./harness.ts";

export function testListing(at: At, kind: Kind): void {
  test("lists workloads that opted in or are in flight, as read, and no others", async () => {
    const optedIn = await createWorkload(at(), kind, { name: "opted-in" });
    await createInFlight("in-flight", "rollout");
    await createInFlight("rolling-back", "rollback");
    await createWorkload(at(), kind, { name: "opted-out", optIn: false });
    await createWorkload(at(), kind, { name: "silent", optIn: null });
    const found = await all(at().cluster);
    expect(found.map(({ ref }) => `${ref.kind} ${ref.name}`).toSorted()).toEqual([
      `${kind} in-flight`,
      `${kind} opted-in`,
      `${kind} rolling-back`,
    ]);
    const listed = found.find(({ ref }) => ref.name === "opted-in");
    const { resourceVersion: _listed, rollout: _then, ...rest } = { ...listed };
    const { resourceVersion: _read, rollout: _now, ...same } = await read(at(), optedIn);
    expect(rest).toEqual(same);
    expect(found.flatMap(({ inFlight }) => inFlight?.phase ?? []).toSorted()).toEqual(["rollback", "rollout"]);
  });

  /** Creates a workload that opted out during an update. */
  async function createInFlight(name: string, phase: "rollout" | "rollback"): Promise<void> {
    if (kind === "Claw") {
      const claimed = { "claw.prismer.ai/update-phase": "HealthCheck", "claw.prismer.ai/target-image": "app:2.0.0" };
      const annotations = phase === "rollout" ? claimed : { "pawl.dev/rolling-back": "app:2.0.0" };
      await createWorkload(at(), kind, { name, optIn: false, annotations });
      return;
    }
    const ref = await createWorkload(at(), kind, { name, optIn: false });
    await createAutoUpdate(at(), ref, {});
    await patchStatus(at(), ref, { update: updateOf(ref, { phase: phase === "rollout" ? "Applied" : "RollingBack" }) });
  }

  test("lists its namespaces, or all of them", async () => {
    const { kubeConfig, namespace } = at();
    const elsewhere = await openHarness(kubeConfig);
    await createWorkload(at(), kind, { name: "here" });
    await createWorkload(elsewhere, kind, { name: "there" });
    const settings = { name: "all", kubeConfig, now: () => new Date(), warn: () => undefined };
    const both = [namespace, elsewhere.namespace];
    const inTwo = await all(createKubernetesCluster({ ...settings, namespaces: both }));
    expect(inTwo.map(({ ref }) => ref.name)).toEqual(["here", "there"]);
    const everywhere = await all(createKubernetesCluster({ ...settings, namespaces: null }));
    const ours = everywhere.filter(({ ref }) => both.includes(ref.namespace));
    expect(ours.map(({ ref }) => ref.name).toSorted()).toEqual(["here", "there"]);
    expect((await all(elsewhere.cluster)).map(({ ref }) => ref.name)).toEqual(["there"]);
    await elsewhere.close();
  });
}

async function all(cluster: Cluster): Promise<readonly Workload[]> {
  const found: Workload[] = [];
  for await (const workload of cluster.list()) found.push(workload);
  return found;
}
