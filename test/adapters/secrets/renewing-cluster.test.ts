import { describe, expect, test } from "vitest";
import { renewed } from "../../../functions/adapters/renewed.ts";
import { renewingCluster } from "../../../functions/adapters/secrets/renewing-cluster.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { after, noon, workload } from "../../support/workloads.ts";
import { allOf } from "../kubernetes/scripted.ts";
import { callsAcrossRotation, onePerKubeconfig, refusals, rotating, unauthorized } from "./rotating.ts";

function rotatingCluster(options: { readonly valid: () => string; readonly refusal?: () => Error }) {
  const { source, ...rest } = rotating({ ...options, port: (atMoment) => fakeCluster([workload()], atMoment) });
  return { ...rest, cluster: renewingCluster({ name: "production", ...source }) };
}

const calls: readonly { call: string; run: (cluster: Cluster) => Promise<unknown> }[] = [
  { call: "list", run: (cluster) => allOf(cluster) },
  { call: "read", run: (cluster) => cluster.read(workload().ref) },
  { call: "change", run: (cluster) => cluster.change(workload(), {}) },
  { call: "freeStuckPods", run: (cluster) => cluster.freeStuckPods(workload(), "app:1") },
  {
    call: "announce",
    run: (cluster) => cluster.announce(workload(), { type: "Normal", reason: "R", message: "m", key: "k" }),
  },
];

describe.for(calls)("$call", ({ run }) => {
  test("is done again with a kubeconfig that was rotated since", async () => {
    const { cluster, opened, rotate } = rotatingCluster({ valid: () => "new" });
    await cluster.read(workload().ref).catch(() => null);
    rotate("new");
    await run(cluster);
    expect(opened).toEqual(["old", "new"]);
  });

  test.for(refusals)("fails where $why, having read the secret $reads times", async ({ refusal, reads }) => {
    const rotation = rotatingCluster({ valid: () => "another", refusal });
    await expect(run(rotation.cluster)).rejects.toThrow(refusal().message);
    expect(rotation.reads()).toBe(reads);
    expect(rotation.opened).toEqual(["old"]);
  });
});

test("a list that breaks off halfway is not begun again: nothing is given twice", async () => {
  const opened: string[] = [];
  let reads = 0;
  const secret = renewed(
    async () => ({ value: `version ${(reads += 1)}`, usableUntil: after(5) }),
    () => noon,
  );
  function open(kubeconfig: string): Cluster {
    opened.push(kubeconfig);
    return {
      ...fakeCluster([], () => undefined),
      async *list() {
        yield workload();
        throw unauthorized();
      },
    };
  }
  const cluster = renewingCluster({ name: "production", secret, open });
  const given: unknown[] = [];
  const all = async () => {
    for await (const one of cluster.list()) given.push(one);
  };
  await expect(all()).rejects.toMatchObject({ name: "Forbidden" });
  expect([given.length, opened]).toEqual([1, ["version 1"]]);
});

test("one cluster serves until the kubeconfig changes, and its connections with it", async () => {
  const seen = callsAcrossRotation((valid) => {
    const { cluster, ...rotation } = rotatingCluster({ valid });
    return [rotation, () => cluster.read(workload().ref)];
  });
  expect(await seen).toEqual(onePerKubeconfig);
});
