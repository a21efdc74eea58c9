import { afterAll, beforeAll, expect, test } from "vitest";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { functionSpecs, handlerNames } from "../../infra/constructs/function-specs.ts";
import { deploy, type Deployed } from "./deployed.ts";

let deployed: Deployed;

beforeAll(async () => {
  deployed = await deploy({
    functions: handlerNames.filter((name) => functionSpecs[name].feature === "workloads"),
    machine: "workload-update",
    repositories: { "shop/good": ["1.0.0", "1.1.0"], "shop/bad": ["1.0.0", "1.1.0"] },
    cluster: (registry) => ({
      secondsToReady: 0.05,
      health: (image) => !image.endsWith("bad:1.1.0"),
      objects: [
        deployment("web", `${registry}/shop/good`, {}),
        deployment("failing", `${registry}/shop/bad`, { "pawl.dev/health-timeout": "1s" }),
      ],
    }),
  });
}, 240_000);

afterAll(() => deployed?.close());

test("the deployed bundles complete one update and roll back another", async () => {
  const { registry, emittedEvents } = deployed;
  expect(await deployed.poll()).toMatchObject({ evaluated: 2, started: 2, failed: [] });
  await deployed.waitForExecutions();
  const web = await workload("web");
  expect(web.image).toBe(`${registry.host}/shop/good:1.1.0`);
  expect(web.updateRecord).toMatchObject({ currentVersion: "1.1.0", availableVersion: "1.1.0" });
  const failing = await workload("failing");
  expect(failing.image).toBe(`${registry.host}/shop/bad:1.0.0`);
  expect(failing.updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
  expect(emittedEvents.toSorted()).toEqual([
    "Update Available",
    "Update Available",
    "Update Rolled Back",
    "Update Started",
    "Update Started",
    "Update Succeeded",
  ]);
  expect(await deployed.poll()).toMatchObject({ evaluated: 2, started: 0, held: 2, recorded: 0, failed: [] });
}, 60_000);

test("a poll for another cluster is rejected", async () => {
  await expect(deployed.poll("elsewhere")).rejects.toMatchObject({ name: "InputInvalid" });
});

async function workload(name: string): Promise<Workload> {
  const { kubeConfig } = deployed;
  const now = () => new Date();
  const all = createKubernetesCluster({ name: "production", kubeConfig, namespaces: null, now, warn: () => {} }).list();
  for await (const one of all) if (one.ref.name === name) return one;
  throw new Error(`there is no workload ${name}`);
}

function deployment(name: string, repository: string, annotations: Record<string, string>): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", annotations: { "pawl.dev/auto-update": "true", ...annotations } },
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
