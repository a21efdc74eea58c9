import { expect, onTestFinished, test } from "vitest";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { createInProcessCheckRecorder } from "../../../../functions/workflows/poll/record/record-check.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { manifest } from "../../../contracts/cluster-fixtures.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { startCluster } from "../embedded-cluster.ts";
import {
  clusterAt,
  type RecordedRequest,
  type Reply,
  startScriptedServer,
  statusReply,
} from "../api/scripted-server.ts";

const workloads = 40;
const names = Array.from({ length: workloads }, (_, index) => `app-${String(index).padStart(2, "0")}`);

async function startShop() {
  const objects = names.map((name) => {
    const { metadata, ...rest } = manifest("Deployment", { name });
    return { ...rest, metadata: { ...metadata, namespace: "shop" } };
  });
  const cluster = await startCluster({ objects });
  onTestFinished(() => cluster.close());
  return cluster;
}

/** The writes that the API server accepted. */
interface Accepted {
  readonly created: string[];
  readonly statuses: string[];
}

interface Interference {
  /** The process ends after this many accepted writes, before it gets the last answer. */
  readonly killedAfter?: number;
  readonly isThrottled?: (write: number) => boolean;
}

/** Starts a proxy that notes accepted writes, and how many ran at a time. */
async function startObserver(url: string, { killedAfter = Infinity, isThrottled = () => false }: Interference = {}) {
  const accepted: Accepted = { created: [], statuses: [] };
  const writes = () => accepted.created.length + accepted.statuses.length;
  let [attempted, running, mostRunning] = [0, 0, 0];

  async function forward({ method, path, accept, contentType, body }: RecordedRequest): Promise<Reply> {
    const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
    const name = /autoupdates\/deployment-([^/?]+)/.exec(path)?.[1];
    if (method === "POST" && answer.ok)
      accepted.created.push((JSON.parse(body) as { metadata: { name: string } }).metadata.name);
    if (method === "PATCH" && answer.ok) accepted.statuses.push(String(name));
    return { code: answer.status, body: await answer.text() };
  }

  const proxy = await startScriptedServer(async (request) => {
    if (writes() >= killedAfter) return "hang up";
    if (request.method !== "GET" && isThrottled(attempted++)) {
      return statusReply(429, "TooManyRequests", { details: { retryAfterSeconds: 0.02 } });
    }
    mostRunning = Math.max(mostRunning, (running += 1));
    const reply = await forward(request);
    running -= 1;
    return writes() >= killedAfter ? "hang up" : reply;
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { cluster: clusterAt(proxy.url), accepted, mostRunning: () => mostRunning };
}

function poll(cluster: Cluster) {
  const base = { ...fakePorts({ tags: { "shop/app": ["1.0.0"] } }), cluster };
  return pollCluster({ ...base, checkRecorder: createInProcessCheckRecorder(base) });
}

test("the first poll creates each AutoUpdate once, at most 32 at a time; the next one writes nothing", async () => {
  const { url } = await startShop();
  const first = await startObserver(url);
  expect(await poll(first.cluster)).toMatchObject({ evaluated: workloads, recorded: workloads, failures: 0 });
  expect(first.accepted.created.toSorted()).toEqual(names.map((name) => `deployment-${name}`));
  expect(first.accepted.statuses.toSorted()).toEqual(names);
  expect(first.mostRunning()).toBeLessThanOrEqual(32);
  const next = await startObserver(url);
  expect(await poll(next.cluster)).toMatchObject({ evaluated: workloads, recorded: 0, failures: 0 });
  expect(next.accepted).toEqual({ created: [], statuses: [] });
});

test.for([1, 20, 40, 41, 79])(
  "killed after %s writes, the next poll completes it and creates nothing twice",
  async (killedAfter) => {
    const { url } = await startShop();
    const killed = await startObserver(url, { killedAfter });
    await poll(killed.cluster);
    const next = await startObserver(url);
    expect(await poll(next.cluster)).toMatchObject({ evaluated: workloads, failures: 0 });
    const created = [...killed.accepted.created, ...next.accepted.created];
    expect(created.toSorted()).toEqual(names.map((name) => `deployment-${name}`));
    expect([...killed.accepted.statuses, ...next.accepted.statuses].toSorted()).toEqual(names);
    expect(killed.accepted.created.length + killed.accepted.statuses.length).toBeGreaterThanOrEqual(killedAfter);
  },
);

test("a first poll that the API server throttles waits as it asks, and records everything", async () => {
  const { url } = await startShop();
  const throttling = await startObserver(url, { isThrottled: (write) => write % 7 === 3 });
  expect(await poll(throttling.cluster)).toMatchObject({ evaluated: workloads, failures: 0 });
  expect(throttling.accepted.created).toHaveLength(workloads);
  expect(throttling.accepted.statuses).toHaveLength(workloads);
});
