import { createServer, type IncomingMessage } from "node:http";
import { readFileSync } from "node:fs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { ChildProcess } from "node:child_process";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { listen } from "../../infra/local/listen.ts";
import type { PollReport } from "../../functions/workflows/poll/report.ts";
import { expectedTag, repositoryName } from "../poll/images.ts";
import { startRegistry } from "../poll/registry/start.ts";
import { asPoll, runAsLambda } from "./lambda.ts";

// Runs the deployed poll with as many Deployments as a tenant may make large, opted in or not, in a process that is killed above 512 MiB.

const objects = Number(process.argv[2] ?? 2000);
const annotationBytes = 250 * 1024;
const maxBytes = functionSpecs.poll.memoryMegabytes * 1024 * 1024;
const images = 200;
const content = { images, tags: 50, latencyMilliseconds: 10, pageSize: 100 };
const notes = "a".repeat(annotationBytes);

const registry = await startRegistry(content);
const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
try {
  for (const isOptedIn of [false, true]) await measure(isOptedIn);
} finally {
  registry.close();
  rmSync(folder, { recursive: true });
}

async function measure(isOptedIn: boolean): Promise<void> {
  const { host, close } = await listen(
    createServer(
      (request, response) =>
        void answer(request, isOptedIn).then(([code, body]) =>
          response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body)),
        ),
    ),
  );
  const kubeconfig = join(folder, "kubeconfig");
  const server = { name: "bench", cluster: { server: `http://${host}`, "insecure-skip-tls-verify": true } };
  const context = { name: "bench", context: { cluster: "bench", user: "bench" } };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [server],
      contexts: [context],
      users: [{ name: "bench", user: {} }],
      "current-context": "bench",
    }),
  );
  const environment = {
    PAWL_KUBECONFIG: kubeconfig,
    PAWL_INSECURE_REGISTRIES: registry.host,
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const options = { ...asPoll(environment, functionSpecs.poll), onSpawn: killAboveLimit };
  const { output, peakBytes, seconds } = await runAsLambda<PollReport>("poll", { cluster: "bench" }, options);
  await close();
  const { evaluated, failures } = output;
  const expected = isOptedIn ? objects : 0;
  if (evaluated !== expected || failures > 0)
    throw new Error(`evaluated ${evaluated} of ${expected}: ${JSON.stringify(output)}`);
  console.log(
    `${objects} Deployments of ${annotationBytes / 1024} KiB, ${isOptedIn ? "" : "not "}opted in: evaluated ${evaluated}, ` +
      `peak ${(peakBytes / 1024 / 1024).toFixed(0)} of ${maxBytes / 1024 / 1024} MiB, ${seconds.toFixed(1)} s`,
  );
}

/** Kills a process as Lambda does. Linux only. */
function killAboveLimit(child: ChildProcess): void {
  const timer = setInterval(() => {
    const kiB = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0;
    if (Number(kiB) * 1024 > maxBytes) child.kill("SIGKILL");
  }, 5);
  child.on("exit", () => clearInterval(timer));
}

/** Answers as an API server that has only these Deployments and stores nothing. */
async function answer(request: IncomingMessage, isOptedIn: boolean): Promise<readonly [code: number, body: object]> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://bench");
  const name = pathname.split("/").at(-1) ?? "";
  if (request.method === "POST" || request.method === "PATCH")
    return [200, stored((await json(request)) as Sent, name)];
  if (/^app-\d+$/.test(name)) return [200, deployment(Number(name.slice(4)), isOptedIn)];
  if (name === "deployments") return [200, page(searchParams, request.headers.accept ?? "", isOptedIn)];
  if (["statefulsets", "daemonsets", "cronjobs", "autoupdates"].includes(name))
    return [200, { metadata: {}, items: [], rows: [] }];
  return [404, { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404 }];
}

interface Sent {
  readonly metadata?: object;
}

function stored(body: Sent, name: string): object {
  return {
    ...body,
    metadata: { name, namespace: "greedy", uid: `uid-${name}`, resourceVersion: "1", ...body.metadata },
  };
}

function page(query: URLSearchParams, accept: string, isOptedIn: boolean): object {
  const from = Number(query.get("continue") ?? 0);
  const next = Math.min(objects, from + Number(query.get("limit") ?? objects));
  const items = Array.from({ length: next - from }, (_, index) => deployment(from + index, isOptedIn));
  const metadata = { resourceVersion: "1", ...(next < objects ? { continue: String(next) } : {}) };
  if (!accept.includes("as=Table")) return { metadata, items };
  return { metadata, rows: items.map((object) => ({ object: { metadata: object.metadata } })) };
}

function deployment(index: number, isOptedIn: boolean) {
  const repository = index % images;
  const image = `${registry.host}/${repositoryName(repository)}:${expectedTag(repository, content)}`;
  const optIn = isOptedIn ? { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": "^1" } : {};
  const labels = { app: `app-${index}` };
  const annotations = { ...optIn, "example.com/notes": notes };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: `app-${index}`,
      namespace: "greedy",
      uid: `uid-${index}`,
      resourceVersion: "1",
      generation: 1,
      labels,
      annotations,
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}
