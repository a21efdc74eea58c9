import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { listen } from "../../infra/local/listen.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { createClock } from "../../infra/local/runtime/clock.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../support/control-plane/eventually.ts";

/** Starts a proxy for an API server that refuses every Event, and counts them. */
async function refuseEvents(apiServer: string) {
  let refused = 0;
  const server = createServer((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    if (method === "POST" && /\/events(\?|$)/.test(url)) {
      refused += 1;
      response.writeHead(500).end();
      return;
    }
    incoming.pipe(
      forward(new URL(url, apiServer), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  const { host, close } = await listen(server);
  return { url: `http://${host}`, close, refused: () => refused };
}

function deployment(name: string, image: string) {
  const labels = { app: name };
  const annotations = { "pawl.dev/auto-update": "true", "pawl.dev/health-timeout": "1m" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", annotations },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: `${image}:1.0.0` }] } },
    },
  };
}

test("if the bus and the cluster refuse every event, a good update ends Updated and a bad one RolledBack, once", async () => {
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const clock = createClock({ speed: 200, since: new Date() });
  const registry = await startEmbeddedRegistry({
    repositories: { "shop/good": ["1.0.0", "1.1.0"], "shop/bad": ["1.0.0", "1.1.0"] },
  });
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.sleep,
    health: (image) => !image.endsWith("/bad:1.1.0"),
    objects: ["good", "bad"].map((name) => deployment(name, `${registry.host}/shop/${name}`)),
  });
  const proxy = await refuseEvents(cluster.url);
  const folder = await mkdtemp(join(tmpdir(), "pawl-refused-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig.replaceAll(cluster.url, proxy.url));
  let published = 0;
  const ends: string[] = [];
  const pawl = await startLocalPawl({
    cluster: "local",
    clock,
    environment: { PAWL_KUBECONFIG: kubeconfig, PAWL_INSECURE_REGISTRIES: registry.host },
    onStateChange: ({ type, state }) => void (/^(Succeed|Fail)StateEntered$/.test(type) && ends.push(state ?? "")),
    onEvent() {
      published += 1;
      throw new Error("the bus refuses everything");
    },
  });
  onTestFinished(async () => {
    await pawl.close();
    await proxy.close();
    await cluster.close();
    await registry.close();
    await rm(folder, { recursive: true });
  });
  expect(await pawl.poll()).toMatchObject({ started: 2, failed: [] });
  await eventually("all executions end", async () => pawl.running() === 0);
  expect(await pawl.poll()).toMatchObject({ started: 0, adopted: 0, failed: [] });
  expect(ends.toSorted()).toEqual(["RolledBack", "Updated"]);
  const records = new Map<string, unknown>();
  for await (const { ref, image, inFlight, updateRecord } of pawl.ports.cluster.list()) {
    const { versionHistory, rollbackCount, circuitOpen } = updateRecord;
    const results = versionHistory.map(({ version, status }) => `${version} ${status}`);
    records.set(ref.name, { image, inFlight, results, rollbackCount, circuitOpen });
  }
  const rest = { inFlight: null, circuitOpen: false };
  expect(Object.fromEntries(records)).toEqual({
    good: { ...rest, image: `${registry.host}/shop/good:1.1.0`, results: ["1.1.0 Healthy"], rollbackCount: 0 },
    bad: { ...rest, image: `${registry.host}/shop/bad:1.0.0`, results: ["1.1.0 RolledBack"], rollbackCount: 1 },
  });
  expect([published, proxy.refused()].every((count) => count >= 6)).toBe(true);
});
