import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { functionSpecs, handlerNames } from "../../infra/constructs/functions.ts";
import { deploy, type Deployed } from "./deployed.ts";

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy({
    functions: handlerNames.filter((name) => functionSpecs[name].part === "workloads"),
    machine: "workload-update",
    repositories: { "shop/good": ["1.0.0", "1.1.0"], "shop/bad": ["1.0.0", "1.1.0"] },
    cluster: (registry) => ({
      secondsToReady: 0.05,
      health: (image) => !image.endsWith("bad:1.1.0"),
      objects: [
        deployment("web", `${registry}/shop/good`, {}),
        deployment("doomed", `${registry}/shop/bad`, { "pawl.dev/health-timeout": "1s" }),
      ],
    }),
  });
}, 240_000);

afterAll(() => deployed?.close());

test("the deployed bundles carry an update from the schedule to the annotation, and another back", async () => {
  const { registry, told } = deployed;
  expect(await deployed.poll()).toMatchObject({ looked: 2, started: 2, failed: [] });
  await deployed.ended();
  const web = await workload("web");
  expect(web.image).toBe(`${registry.host}/shop/good:1.1.0`);
  expect(web.bookkeeping).toMatchObject({ currentVersion: "1.1.0", availableVersion: "1.1.0" });
  const doomed = await workload("doomed");
  expect(doomed.image).toBe(`${registry.host}/shop/bad:1.0.0`);
  expect(doomed.bookkeeping).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
  expect(told.toSorted()).toEqual([
    "Update Available",
    "Update Available",
    "Update Rolled Back",
    "Update Started",
    "Update Started",
    "Update Succeeded",
  ]);
  expect(await deployed.poll()).toMatchObject({ looked: 2, started: 0, held: 2, recorded: 0, failed: [] });
}, 60_000);

test("a poll for another cluster is refused", async () => {
  await expect(deployed.poll("elsewhere")).rejects.toMatchObject({ name: "InputInvalid" });
});

async function workload(name: string): Promise<Workload> {
  const { kubeConfig } = deployed;
  const now = () => new Date();
  const all = kubernetesCluster({ name: "production", kubeConfig, namespaces: null, now, warn: () => {} }).list();
  for await (const one of all) if (one.ref.name === name) return one;
  throw new Error(`there is no workload ${name}`);
}

function deployment(name: string, repository: string, own: Record<string, string>): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", annotations: { "pawl.dev/auto-update": "true", ...own } },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: `${repository}:1.0.0` }] },
      },
    },
  };
}
