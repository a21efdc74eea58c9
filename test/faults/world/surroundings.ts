import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoBootcAgent } from "../../../infra/local/demo/node-pool.ts";
import { startEmbeddedCluster } from "../../../infra/local/kubernetes/cluster.ts";
import { listen } from "../../../infra/local/listen.ts";
import { startEmbeddedRegistry } from "../../../infra/local/registry/embedded-registry.ts";
import { fakeAws } from "../../support/aws/aws-services.ts";
import { cloudWatchEndpoint } from "../../support/aws/cloudwatch-endpoint.ts";
import type { Scenario } from "../scenario.ts";
import { createOutage } from "./outage.ts";
import { startRepository } from "./repository.ts";
import { startSignedImages } from "./signed-images.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Starts what Pawl works on: a cluster with the objects of a scenario, a registry, a Prometheus and CloudWatch. */
export async function startSurroundings(scenario: Scenario, time: VirtualTime) {
  const registry = await startEmbeddedRegistry({ repositories: scenario.repositories });
  const signed = scenario.isSigned ? await startSignedImages() : null;
  const prometheus = await startPrometheus(scenario.measurement ?? 0);
  const cloudWatch = await startCloudWatch(scenario.measurement ?? 0);
  let clusterUrl = "";
  let isScaled = scenario.parkedSeconds === undefined;
  const isAvailable = scenario.outage ? createOutage(scenario.outage, () => clusterUrl, time) : () => true;
  const around = { registry: registry.host, prometheus: prometheus.url, signed: signed?.host ?? "" };
  const text = scenario.manifest?.(around);
  const repository = text === undefined ? null : await startRepository(text, () => clusterUrl, time);
  const cluster = await startEmbeddedCluster({
    now: time.now,
    sleep: time.sleep,
    secondsToReady: 5,
    health(image) {
      if (isCrashing(image)) registry.push("shop/crashing", "1.2.0");
      if (!isScaled && image.endsWith("/bad:1.1.0")) {
        isScaled = true;
        time.schedule(secondsToScale, () => void scaleWeb(clusterUrl, 0));
        time.schedule(secondsToScale + (scenario.parkedSeconds ?? 0), () => void scaleWeb(clusterUrl, 2));
      }
      return isAvailable(image) && !image.endsWith("/bad:1.1.0") && !isCrashing(image);
    },
    crashes: isCrashing,
    digestOf: (image) => signed?.digestOf(image) ?? registry.digestOf(image),
    objects: scenario.objects(around),
    ...(scenario.plural === null ? { nodes: 0, bootcAgent: demoBootcAgent(registry.host) } : {}),
  });
  clusterUrl = cluster.url;
  const kubeconfig = writeFile("kubeconfig", cluster.kubeconfig);
  const rules = signed === null ? null : writeFile("verify.json", signed.rules);
  return {
    url: cluster.url,
    repository,
    prepare: () => scenario.prepare?.({ url: cluster.url, registry: registry.host, digestOf: registry.digestOf }),
    environment: {
      PAWL_KUBECONFIG: kubeconfig.path,
      PAWL_INSECURE_REGISTRIES: [registry.host, ...(signed === null ? [] : [signed.host])].join(","),
      ...(rules === null ? {} : { PAWL_VERIFY_FILE: rules.path }),
      PAWL_PROMETHEUS: prometheus.url,
      PAWL_CLOUDWATCH_REGIONS: "eu-west-1",
      ...(repository === null
        ? {}
        : { PAWL_GIT: JSON.stringify([{ name: "config", namespaces: null, access: null }]) }),
      ...(scenario.changeCalendar === undefined ? {} : { PAWL_CHANGE_CALENDARS: scenario.changeCalendar }),
    },
    async close() {
      kubeconfig.remove();
      rules?.remove();
      await signed?.close();
      await repository?.close();
      await Promise.all([cluster.close(), registry.close(), prometheus.close(), cloudWatch.close()]);
    },
  };
}

/** Before its first pod could have failed. */
const secondsToScale = 10;

async function scaleWeb(cluster: string, replicas: number): Promise<void> {
  await fetch(`${cluster}/apis/apps/v1/namespaces/shop/deployments/web`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { replicas } }),
  });
}

/** Its fix is pushed once it runs. */
const isCrashing = (image: string) => image.endsWith("/crashing:1.1.0");

/** Returns the same number for every query. */
async function startPrometheus(value: number) {
  const result = [{ metric: {}, value: [1, `${value}`] }];
  const body = JSON.stringify({ status: "success", data: { resultType: "vector", result } });
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  const { host, close } = await listen(server);
  return { url: `http://${host}`, close };
}

/** Returns the same number for the metric `Shop/Errors`. Clients find it by the environment, as those of AWS find an endpoint of their own. */
async function startCloudWatch(value: number) {
  const errors = { namespace: "Shop", metricName: "Errors", dimensions: "", valueAt: () => value };
  const aws = await fakeAws(cloudWatchEndpoint([errors]));
  const { accessKeyId, secretAccessKey } = aws.options.credentials;
  const variables = {
    AWS_ENDPOINT_URL_CLOUDWATCH: aws.options.endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return {
    async close() {
      for (const name of Object.keys(variables)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      await aws[Symbol.asyncDispose]();
    },
  };
}

/** Writes a file to a new folder. */
function writeFile(name: string, text: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "pawl-faults-"));
  const path = join(folder, name);
  writeFileSync(path, text);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
