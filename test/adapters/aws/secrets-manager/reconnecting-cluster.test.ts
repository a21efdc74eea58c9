import { describe, expect, test } from "vitest";
import { createExpiringCache } from "../../../../functions/adapters/expiring-cache.ts";
import { openReconnecting } from "../../../../functions/adapters/aws/secrets-manager/reconnecting.ts";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { fakeCluster } from "../../../support/fake-cluster.ts";
import { after, noon, workload } from "../../../support/workloads.ts";
import { listAll } from "../../kubernetes/api/scripted-server.ts";
import { callsAcrossRotation, onePerKubeconfig, errors, createRotation, unauthorized } from "./rotating-secret.ts";

async function rotatingCluster(options: { readonly valid: () => string; readonly error?: () => Error }) {
  const { source, ...rest } = createRotation({ ...options, port: (atMoment) => fakeCluster([workload()], atMoment) });
  return { ...rest, cluster: await openReconnecting(source, ["list"]) };
}

const calls: readonly { call: string; run: (cluster: Cluster) => Promise<unknown> }[] = [
  { call: "list", run: (cluster) => listAll(cluster) },
  { call: "read", run: (cluster) => cluster.read(workload().ref) },
  { call: "change", run: (cluster) => cluster.change(workload(), {}) },
  { call: "deleteStuckPods", run: (cluster) => cluster.deleteStuckPods(workload(), null) },
  {
    call: "emitEvent",
    run: (cluster) => cluster.emitEvent(workload(), { type: "Normal", reason: "R", message: "m", key: "k" }),
  },
];

describe.for(calls)("$call", ({ run }) => {
  test("is repeated with a kubeconfig that was rotated since", async () => {
    const { cluster, kubeconfigs, rotate } = await rotatingCluster({ valid: () => "new" });
    await cluster.read(workload().ref).catch(() => null);
    rotate("new");
    await run(cluster);
    expect(kubeconfigs).toEqual(["old", "new"]);
  });

  test.for(errors)("fails if $when, after $reads reads of the secret", async ({ error, reads }) => {
    const rotation = await rotatingCluster({ valid: () => "another", error });
    await expect(run(rotation.cluster)).rejects.toThrow(error().message);
    expect(rotation.reads()).toBe(reads);
    expect(rotation.kubeconfigs).toEqual(["old"]);
  });
});

test("a list that fails halfway is not restarted, so that nothing is returned twice", async () => {
  const kubeconfigs: string[] = [];
  let reads = 0;
  const secret = createExpiringCache(
    async () => ({ value: `version ${(reads += 1)}`, expiresAt: after(5) }),
    () => noon,
  );
  function open(kubeconfig: string): Cluster {
    kubeconfigs.push(kubeconfig);
    return {
      ...fakeCluster([], () => undefined),
      async *list() {
        yield workload();
        throw unauthorized();
      },
    };
  }
  const cluster = await openReconnecting({ secret, open }, ["list"]);
  const listed: unknown[] = [];
  const all = async () => {
    for await (const found of cluster.list()) listed.push(found);
  };
  await expect(all()).rejects.toMatchObject({ name: "Forbidden" });
  expect([listed.length, kubeconfigs]).toEqual([1, ["version 1"]]);
});

test("one cluster and its connections are used until the kubeconfig changes", async () => {
  const result = callsAcrossRotation(async (valid) => {
    const { cluster, ...rotation } = await rotatingCluster({ valid });
    return [rotation, () => cluster.read(workload().ref)];
  });
  expect(await result).toEqual(onePerKubeconfig);
});
