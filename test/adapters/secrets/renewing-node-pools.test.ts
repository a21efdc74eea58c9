import { describe, expect, test } from "vitest";
import { renewingNodePools } from "../../../functions/adapters/secrets/renewing-node-pools.ts";
import type { NodePools } from "../../../functions/ports/node-pools.ts";
import { bootcNode, kubeNode, pool } from "../../domain/node-pool/pools.ts";
import { web } from "../../handlers/pool-world.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { callsAcrossRotation, onePerKubeconfig, refusals, rotating } from "./rotating.ts";

const workers = pool();
const w1 = { name: "w1", node: kubeNode, bootcNode };
const secretRef = { namespace: "kube-system", name: "pull" };
const announcement = { type: "Normal", reason: "R", message: "m", key: "k" } as const;
const report = { images: null, activity: null, error: null, observedGeneration: 1, command: null };

/** A call of every method, and what reaches the cluster's own port of it. */
const calls = {
  list: [],
  read: [workers],
  nodes: ["outline"],
  write: [workers, w1, { kind: "uncordon" }],
  remember: [w1, "told"],
  pods: ["w1"],
  evict: [web],
  claim: [workers, "e-1"],
  release: [workers, true],
  saveStatus: [workers, workers.status],
  setPaused: [workers, true],
  report: [w1, report],
  pullSecret: [secretRef],
  announce: [{ kind: "pool", pool: workers }, announcement],
} as const satisfies { readonly [Method in keyof NodePools]: Parameters<NodePools[Method]> };

const methods = Object.keys(calls) as readonly (keyof NodePools)[];

/** Answers every call with what it was given. */
function echo(atMoment: AtMoment): NodePools {
  const answer =
    (method: string) =>
    async (...given: unknown[]) => {
      atMoment(`before ${method}`);
      return { method, given };
    };
  return Object.fromEntries(methods.map((method) => [method, answer(method)])) as unknown as NodePools;
}

function call(pools: NodePools, method: keyof NodePools): Promise<unknown> {
  return (pools[method] as (...given: readonly unknown[]) => Promise<unknown>)(...calls[method]);
}

function rotatingPools(options: { readonly valid: () => string; readonly refusal?: () => Error }) {
  const { source, ...rest } = rotating({ ...options, port: echo });
  return { ...rest, pools: renewingNodePools(source) };
}

describe.for(methods)("%s", (method) => {
  test("is handed on with all that it is given, and answered", async () => {
    const { pools } = rotatingPools({ valid: () => "old" });
    expect(await call(pools, method)).toEqual({ method, given: calls[method] });
  });

  test("is done again with a kubeconfig that was rotated since", async () => {
    const { pools, opened, rotate } = rotatingPools({ valid: () => "new" });
    await pools.list().catch(() => null);
    rotate("new");
    expect(await call(pools, method)).toMatchObject({ method });
    expect(opened).toEqual(["old", "new"]);
  });

  test.for(refusals)("fails where $why, having read the secret $reads times", async ({ refusal, reads }) => {
    const rotation = rotatingPools({ valid: () => "another", refusal });
    await expect(call(rotation.pools, method)).rejects.toThrow(refusal().message);
    expect([rotation.reads(), rotation.opened]).toEqual([reads, ["old"]]);
  });
});

test("one port serves until the kubeconfig changes, and its connections with it", async () => {
  const seen = callsAcrossRotation((valid) => {
    const { pools, ...rotation } = rotatingPools({ valid });
    return [rotation, () => pools.list()];
  });
  expect(await seen).toEqual(onePerKubeconfig);
});
