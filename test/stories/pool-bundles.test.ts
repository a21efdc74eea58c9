import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesNodePools } from "../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { functionSpecs, handlerNames } from "../../infra/constructs/functions.ts";
import { demoNodePool, osRepository } from "../../infra/local/demo/node-pool.ts";
import { digestA } from "../domain/node-pool/pools.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { deploy, type Deployed } from "./deployed.ts";

const workers = ["worker-1", "worker-2", "worker-3"];
let deployed: Deployed;
let nodePools: NodePools;

beforeAll(async () => {
  deployed = await deploy({
    functions: ["poll", ...handlerNames.filter((name) => functionSpecs[name].part === "node-pools")],
    machine: "node-pool-rollout",
    repositories: { [osRepository]: ["stable"] },
    environment: { PAWL_NODE_POOLS: "1", PAWL_TAG_RESOLUTION_SECONDS: "1" },
    cluster: (registry) => ({
      nodes: 0,
      secondsToReady: 0.05,
      secondsToEnd: 0.05,
      objects: [...demoNodePool(registry), web],
      bootcAgent: {
        bootedAtFirst: () => `${registry}/${osRepository}@${digestA}`,
        secondsToStage: 0.1,
        secondsToReboot: 0.1,
      },
    }),
  });
  nodePools = kubernetesNodePools({ kubeConfig: deployed.kubeConfig, now: () => new Date() });
}, 240_000);

afterAll(() => deployed?.close());

test("the deployed bundles carry a node pool from the poll to Settled", async () => {
  const { registry, told, entered } = deployed;
  const stable = registry.digestOf(`${registry.host}/${osRepository}:stable`);
  expect((await deployed.poll()).pools).toMatchObject({ looked: 1, started: 1, recorded: 1, failed: [] });
  await deployed.ended();
  expect(await standing()).toEqual(workers.map((name) => [name, stable, { unschedulable: false, cordonedFor: null }]));
  expect(await pool()).toMatchObject({
    execution: null,
    status: { targetDigest: stable, deployedDigest: stable, updatedCount: 3 },
  });
  expect(entered.at(0)).toBe("ClaimPool");
  expect(entered).toContain("DrainNodes");
  expect(entered.slice(-3)).toEqual(["ReleasePool", "Released?", "Settled"]);
  expect(told).toEqual(["Node Pool Rollout Started", "Node Pool Rollout Completed"]);
}, 60_000);

test("and again when the tag has moved, which a poll finds out and record-pool writes down", async () => {
  const [moved] = deployed.registry.rebuild(osRepository, "stable");
  await eventually("a poll starts a rollout", async () => (await deployed.poll()).pools.started === 1);
  await deployed.ended();
  expect((await standing()).map(([, digest]) => digest)).toEqual(workers.map(() => moved));
  expect(deployed.told.slice(2)).toEqual([
    "Node Pool Update Available",
    "Node Pool Rollout Started",
    "Node Pool Rollout Completed",
  ]);
}, 60_000);

async function pool() {
  return (await nodePools.list())[0];
}

async function standing() {
  const nodes = await nodePools.nodes("whole");
  return nodes
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, node, bootcNode }) => {
      const { unschedulable, cordonedFor } = node ?? {};
      return [name, bootcNode?.bootedDigest, { unschedulable, cordonedFor }] as const;
    });
}

/** On every node, and never fewer than two of it by its PodDisruptionBudget. */
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
