import { expect, vi } from "vitest";
import type { Bench } from "./harness.ts";
import type { Doc } from "./raw-request.ts";
import { unique } from "./harness.ts";

export function configMapsIn({ namespace }: Bench): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

export function thingsIn({ group, namespace }: Bench): string {
  return `/apis/${group}/v1/namespaces/${namespace}/things`;
}

export function workloadsIn({ namespace }: Bench, plural: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/${plural}`;
}

export async function createConfigMap(bench: Bench, metadata: object = {}): Promise<{ path: string; object: Doc }> {
  const body = { metadata: { name: unique("cm"), ...metadata }, data: { a: "1" } };
  return createObject(bench, configMapsIn(bench), body);
}

export async function createThing(bench: Bench, fields: object = {}): Promise<{ path: string; object: Doc }> {
  const body = {
    apiVersion: `${bench.group}/v1`,
    kind: "Thing",
    metadata: { name: unique("thing") },
    spec: { a: 1 },
    ...fields,
  };
  return createObject(bench, thingsIn(bench), body);
}

/** Creates a workload without pods, and waits for the last status write of its controller. */
export async function createObserved(bench: Bench, plural: string): Promise<{ path: string; object: Doc }> {
  const { path, object } = await createObject(bench, workloadsIn(bench, plural), workload(unique("app"), plural));
  return { path, object: await waitUntilObserved(bench, path, object) };
}

export async function waitUntilObserved(bench: Bench, path: string, object: Doc): Promise<Doc> {
  return vi.waitFor(
    async () => {
      const { body } = await bench.request("GET", path);
      expect(body.status?.observedGeneration).toBeGreaterThanOrEqual(Number(object.metadata?.generation));
      if (object.kind === "Deployment") expect(body.status?.conditions).toHaveLength(2);
      return body;
    },
    { timeout: 10_000 },
  );
}

export function workload(name: string, plural: string, labels: object = { app: name }) {
  const containers = [
    { name: "first", image: "registry.invalid/first:1.0.0" },
    { name: "second", image: "registry.invalid/second:1.0.0" },
  ];
  const template = { metadata: { labels }, spec: { containers, nodeSelector: { nowhere: "true" } } };
  const replicas = plural === "daemonsets" ? {} : { replicas: 0 };
  return { metadata: { name }, spec: { ...replicas, selector: { matchLabels: { app: name } }, template } };
}

async function createObject(bench: Bench, collection: string, body: object): Promise<{ path: string; object: Doc }> {
  const made = await bench.request("POST", collection, { body });
  expect(made.body).toHaveProperty("metadata.uid");
  return { path: `${collection}/${String(made.body.metadata?.name)}`, object: made.body };
}
