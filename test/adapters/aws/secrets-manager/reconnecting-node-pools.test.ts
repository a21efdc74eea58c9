import { describe, expect, test } from "vitest";
import { openReconnecting } from "../../../../functions/adapters/aws/secrets-manager/reconnecting.ts";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import { bootcNode, kubeNode, pool } from "../../../domain/node-pool/pools.ts";
import { web } from "../../../handlers/node-pool/node-pool-fixtures.ts";
import type { AtMoment } from "../../../support/fake-cluster.ts";
import { callsAcrossRotation, onePerKubeconfig, errors, createRotation } from "./rotating-secret.ts";

const workers = pool();
const w1 = { name: "w1", node: kubeNode, bootcNode };
const secretRef = { namespace: "kube-system", name: "pull" };
const announcement = { type: "Normal", reason: "R", message: "m", key: "k" } as const;
const report = { images: null, activity: null, error: null, observedGeneration: 1, command: null };

/** The arguments of every method. */
const calls = {
  list: [],
  read: [workers],
  listNodes: ["metadata"],
  etcdNodes: [],
  write: [workers, w1, { kind: "uncordon" }],
  recordEmittedEvents: [w1, "staged=1"],
  listPods: ["w1"],
  evict: [web],
  deletePod: [web],
  claim: [workers, "e-1"],
  release: [workers, true],
  saveStatus: [workers, workers.status],
  setPaused: [workers, true],
  request: [workers, "promote t-1"],
  writeAgentReport: [w1, report],
  pullSecret: [secretRef],
  emitEvent: [{ kind: "pool", pool: workers }, announcement],
} as const satisfies { readonly [Method in keyof NodePools]: Parameters<NodePools[Method]> };

const methods = Object.keys(calls) as readonly (keyof NodePools)[];

/** Returns the arguments of every call. */
function echo(atMoment: AtMoment): NodePools {
  const respond =
    (method: string) =>
    async (...args: unknown[]) => {
      atMoment(`before ${method}`);
      return { method, args };
    };
  return Object.fromEntries(methods.map((method) => [method, respond(method)])) as unknown as NodePools;
}

function call(pools: NodePools, method: keyof NodePools): Promise<unknown> {
  return (pools[method] as (...args: readonly unknown[]) => Promise<unknown>)(...calls[method]);
}

async function rotatingPools(options: { readonly valid: () => string; readonly error?: () => Error }) {
  const { source, ...rest } = createRotation({ ...options, port: echo });
  return { ...rest, pools: await openReconnecting(source) };
}

describe.for(methods)("%s", (method) => {
  test("is forwarded with its arguments, and returns the result", async () => {
    const { pools } = await rotatingPools({ valid: () => "old" });
    expect(await call(pools, method)).toEqual({ method, args: calls[method] });
  });

  test("is repeated with a kubeconfig that was rotated since", async () => {
    const { pools, kubeconfigs, rotate } = await rotatingPools({ valid: () => "new" });
    await pools.list().catch(() => null);
    rotate("new");
    expect(await call(pools, method)).toMatchObject({ method });
    expect(kubeconfigs).toEqual(["old", "new"]);
  });

  test.for(errors)("fails if $when, after $reads reads of the secret", async ({ error, reads }) => {
    const rotation = await rotatingPools({ valid: () => "another", error });
    await expect(call(rotation.pools, method)).rejects.toThrow(error().message);
    expect([rotation.reads(), rotation.kubeconfigs]).toEqual([reads, ["old"]]);
  });
});

test("one port and its connections are used until the kubeconfig changes", async () => {
  const result = callsAcrossRotation(async (valid) => {
    const { pools, ...rotation } = await rotatingPools({ valid });
    return [rotation, () => pools.list()];
  });
  expect(await result).toEqual(onePerKubeconfig);
});
