import { afterAll, beforeAll, expect, test } from "vitest";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { functionSpecs, handlerNames } from "../../infra/constructs/functions/function-specs.ts";
import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";
import { type FakeAws, fakeAws } from "../support/aws/aws-services.ts";
import { cloudWatchEndpoint } from "../support/aws/cloudwatch-endpoint.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { claimHolder, deploy, type Deployed } from "./deployed.ts";
import { imageTarget } from "../support/workloads.ts";

let deployed: Deployed;
let aws: FakeAws;

beforeAll(async () => {
  const errors = { namespace: "Shop", metricName: "Errors", dimensions: "", valueAt: () => 0 };
  aws = await fakeAws(cloudWatchEndpoint([errors]));
  deployed = await deploy({
    environment: { AWS_ENDPOINT_URL_CLOUDWATCH: aws.options.endpoint, PAWL_CLOUDWATCH_REGIONS: "eu-west-1" },
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

afterAll(async () => {
  await deployed?.close();
  await aws?.[Symbol.asyncDispose]();
});

test("the deployed bundles complete one update and roll back another", async () => {
  const { registry, emittedEvents } = deployed;
  expect(await deployed.poll()).toMatchObject({ evaluated: 2, started: 2, failed: [] });
  const claim = await eventually("the claim is written", async () => (await autoUpdate("failing"))?.status?.update);
  expect(claim).toMatchObject({ holder: claimHolder, target: imageTarget(`${registry.host}/shop/bad:1.1.0`) });
  await deployed.waitForExecutions();
  const web = await workload("web");
  expect(web.image).toBe(`${registry.host}/shop/good:1.1.0`);
  expect(web.updateRecord).toMatchObject({ currentVersion: "1.1.0", candidateVersion: "1.1.0" });
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
  // The version that failed is held, and both states are written once.
  expect(await deployed.poll()).toMatchObject({ evaluated: 2, started: 0, held: 1, recorded: 2, failed: [] });
  expect(await deployed.poll()).toMatchObject({ evaluated: 2, started: 0, held: 1, recorded: 0, failed: [] });
}, 300_000);

test("an AutoUpdate for each workload has what happened, and the workload only what people read", async () => {
  const { host } = deployed.registry;
  const [execution] = await executionsOf("web");
  expect(await autoUpdate("web")).toMatchObject({
    metadata: {
      labels: { "app.kubernetes.io/managed-by": "pawl" },
      ownerReferences: [{ kind: "Deployment", name: "web" }],
    },
    spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
    status: {
      currentVersion: "1.1.0",
      currentImage: `${host}/shop/good:1.1.0`,
      conditions: [{ type: "Ready", status: "True" }],
      history: [{ version: "1.1.0", result: "Healthy", execution }],
    },
  });
  expect((await autoUpdate("web"))?.status).not.toHaveProperty("update");
  expect((await autoUpdate("failing"))?.status).toMatchObject({
    rollbackCount: 1,
    failedVersions: ["1.1.0"],
    history: [{ version: "1.1.0", result: "RolledBack" }],
  });
  expect(await annotationsOf("web")).toEqual({
    "pawl.dev/auto-update": "true",
    "pawl.dev/target-image": `${host}/shop/good:1.1.0`,
    "pawl.dev/execution": execution,
    "kubernetes.io/change-cause": "pawl: update to 1.1.0",
  });
});

test("after opt-out, the deployed bundles delete the AutoUpdate", async () => {
  const body = { metadata: { annotations: { "pawl.dev/auto-update": null } } };
  const path = "/apis/apps/v1/namespaces/shop/deployments/web";
  const contentType = "application/merge-patch+json";
  expect((await rawRequest(deployed.kubeConfig, "PATCH", path, { body, contentType })).code).toBe(200);
  await eventually("it is deleted", async () => {
    expect(await deployed.poll()).toMatchObject({ started: 0, failed: [] });
    return (await autoUpdate("web")) === null;
  });
  expect(await autoUpdate("failing")).not.toBeNull();
}, 60_000);

test("the deployed bundles measure a canary by CloudWatch, whose client the poll does not have", async () => {
  const { kubeConfig, registry, enteredStates } = deployed;
  const stat = { metric: { namespace: "Shop", metricName: "Errors" }, period: 60, stat: "Sum" };
  const cloudWatch = { metricDataQueries: [{ id: "errors", metricStat: stat }] };
  const analysis = { count: 1, metrics: [{ name: "errors", cloudWatch, threshold: 1 }] };
  const annotations = { "pawl.dev/canary": "1", "pawl.dev/canary-analysis": JSON.stringify(analysis) };
  const body = deployment("measured", `${registry.host}/shop/good`, annotations);
  await rawRequest(kubeConfig, "POST", "/apis/apps/v1/namespaces/shop/deployments", { body });
  await eventually("its controller has observed it", async () => (await deployed.poll()).started === 1);
  await eventually(
    "its analysis has begun",
    async () => (await autoUpdate("measured"))?.status?.analysis !== undefined,
  );
  await beginAnalysisEarlier("measured");
  await deployed.waitForExecutions();
  expect(aws.calls.map(({ operation }) => operation)).toEqual(["GetMetricData"]);
  expect(enteredStates).toContain("AnalyzeCanary");
  expect((await workload("measured")).image).toBe(`${registry.host}/shop/good:1.1.0`);
}, 60_000);

test("a canary in progress ends on the functions that it began with, and the next update has those of the deployment", async () => {
  const { kubeConfig, registry, invoked } = deployed;
  const steps = JSON.stringify([{ size: 1 }, { pause: {} }]);
  const annotations = { "pawl.dev/canary-steps": steps, "pawl.dev/scale-down-delay": "0s" };
  const path = "/apis/apps/v1/namespaces/shop/deployments";
  const body = deployment("upgraded", `${registry.host}/shop/good`, annotations);
  await rawRequest(kubeConfig, "POST", path, { body });
  const pausedExecution = () =>
    eventually("its canary waits for a person", async () => {
      const status = (await autoUpdate("upgraded"))?.status;
      if (status?.update === undefined) await deployed.poll();
      return status?.canary?.waitsFor === "Promotion" && status.update?.execution;
    });
  const versionsOf = (execution: string) => [
    ...new Set(invoked.filter((one) => one.execution === execution).map(({ version }) => version)),
  ];
  const execution = await pausedExecution();

  await deployed.deployAgain();
  expect(await deployed.poll()).toMatchObject({ started: 0, adopted: 0, failed: [] });
  const contentType = "application/merge-patch+json";
  const request = { metadata: { annotations: { "pawl.dev/request": "promote full 1" } } };
  const record = "/apis/pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-upgraded";
  await rawRequest(kubeConfig, "PATCH", record, { body: request, contentType });
  await eventually("it has ended", async () => (await executionsOf("upgraded")).length === 1);
  expect(await executionsOf("upgraded")).toEqual([execution]);
  expect(versionsOf(execution)).toEqual([1]);

  registry.push("shop/good", "1.2.0");
  expect(versionsOf(await pausedExecution())).toEqual([2]);
}, 300_000);

test("a poll for another cluster is rejected", async () => {
  await expect(deployed.poll("elsewhere")).rejects.toMatchObject({ name: "InputInvalid" });
});

async function autoUpdate(name: string): Promise<AutoUpdate | null> {
  const path = `/apis/pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`;
  const { code, body } = await rawRequest(deployed.kubeConfig, "GET", path, {});
  return code === 404 ? null : (body as unknown as AutoUpdate);
}

/** A period of CloudWatch is complete minutes after it began. */
async function beginAnalysisEarlier(name: string): Promise<void> {
  const body = { status: { analysis: { startedAt: new Date(Date.now() - 600_000).toISOString() } } };
  const path = `/apis/pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}/status`;
  const contentType = "application/merge-patch+json";
  expect((await rawRequest(deployed.kubeConfig, "PATCH", path, { body, contentType })).code).toBe(200);
}

async function executionsOf(name: string): Promise<readonly (string | undefined)[]> {
  return ((await autoUpdate(name))?.status?.history ?? []).map(({ execution }) => execution);
}

async function annotationsOf(name: string): Promise<unknown> {
  const path = `/apis/apps/v1/namespaces/shop/deployments/${name}`;
  const { body } = await rawRequest(deployed.kubeConfig, "GET", path, {});
  const { annotations } = body.metadata as { readonly annotations: Record<string, string> };
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !key.startsWith("deployment.kubernetes.io/")),
  );
}

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
