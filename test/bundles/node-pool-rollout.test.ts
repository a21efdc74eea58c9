import { afterAll, beforeAll, expect, test } from "vitest";
import { createKubernetesNodePools } from "../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { functionSpecs, handlerNames } from "../../infra/constructs/functions/function-specs.ts";
import { demoNodePool, osRepository } from "../../infra/local/demo/node-pool.ts";
import { digestA } from "../domain/node-pool/pools.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { deploy, type Deployed } from "./deployed.ts";

const workers = ["worker-1", "worker-2", "worker-3"];
let deployed: Deployed;
let nodePools: NodePools;

beforeAll(async () => {
  deployed = await deploy({
    functions: ["poll", ...handlerNames.filter((name) => functionSpecs[name].feature === "node-pools")],
    machine: "node-pool-rollout",
    repositories: { [osRepository]: ["stable"] },
    environment: { PAWL_NODE_POOLS: "1", PAWL_TAG_CACHE_SECONDS: "1" },
    cluster: (registry) => ({
      nodes: 0,
      secondsToReady: 0.05,
      secondsToTerminate: 0.05,
      objects: [...demoNodePool(registry, { maxUnavailable: 1, minReadySeconds: 0 }), web],
      bootcAgent: {
        initialImage: () => `${registry}/${osRepository}@${digestA}`,
        secondsToStage: 0.1,
        secondsToReboot: 0.1,
      },
    }),
  });
  nodePools = createKubernetesNodePools({ kubeConfig: deployed.kubeConfig, now: () => new Date() });
}, 240_000);

afterAll(() => deployed?.close());

test("the deployed bundles roll out a node pool from the poll to Completed", async () => {
  const { registry, emittedEvents, enteredStates } = deployed;
  const stable = registry.digestOf(`${registry.host}/${osRepository}:stable`);
  expect((await deployed.poll()).pools).toMatchObject({ evaluated: 1, started: 1, recorded: 1, failed: [] });
  await deployed.waitForExecutions();
  expect(await readNodes()).toEqual(
    workers.map((name) => [name, stable, { unschedulable: false, cordonedByPool: null }]),
  );
  expect(await pool()).toMatchObject({
    execution: null,
    status: { targetDigest: stable, deployedDigest: stable, updatedCount: 3 },
  });
  expect(enteredStates.at(0)).toBe("ClaimPool");
  expect(enteredStates).toContain("DrainNodes");
  expect(enteredStates.slice(-3)).toEqual(["ReleasePool", "Released?", "Completed"]);
  expect(emittedEvents).toEqual(["Node Pool Rollout Started", "Node Pool Rollout Completed"]);
}, 60_000);

test("a moved tag is detected by a poll, recorded by record-pool and rolled out", async () => {
  const [moved] = deployed.registry.rebuild(osRepository, "stable");
  await eventually("a poll starts a rollout", async () => (await deployed.poll()).pools.started === 1);
  await deployed.waitForExecutions();
  expect((await readNodes()).map(([, digest]) => digest)).toEqual(workers.map(() => moved));
  expect(deployed.emittedEvents.slice(2)).toEqual([
    "Node Pool Update Available",
    "Node Pool Rollout Started",
    "Node Pool Rollout Completed",
  ]);
}, 60_000);

async function pool() {
  return (await nodePools.list())[0];
}

async function readNodes() {
  const nodes = await nodePools.listNodes("full");
  return nodes
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, node, bootcNode }) => {
      const { unschedulable, cordonedByPool } = node ?? {};
      return [name, bootcNode?.bootedDigest, { unschedulable, cordonedByPool }] as const;
    });
}

/** Runs on every node; its PodDisruptionBudget requires two pods. */
const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "app", image: "registry.example/shop/web:1.0.0" }] },
    },
  },
};
