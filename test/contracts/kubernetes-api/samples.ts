import { expect, vi } from "vitest";
import type { Harness } from "./harness.ts";
import type { Doc } from "./raw-request.ts";
import { unique } from "./harness.ts";

export function configMapsIn({ namespace }: Harness): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

export function thingsIn({ group, namespace }: Harness): string {
  return `/apis/${group}/v1/namespaces/${namespace}/things`;
}

export function workloadsIn({ namespace }: Harness, plural: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/${plural}`;
}

export async function createConfigMap(harness: Harness, metadata: object = {}): Promise<{ path: string; object: Doc }> {
  const body = { metadata: { name: unique("cm"), ...metadata }, data: { a: "1" } };
  return createObject(harness, configMapsIn(harness), body);
}

export async function createThing(harness: Harness, fields: object = {}): Promise<{ path: string; object: Doc }> {
  const body = {
    apiVersion: `${harness.group}/v1`,
    kind: "Thing",
    metadata: { name: unique("thing") },
    spec: { a: 1 },
    ...fields,
  };
  return createObject(harness, thingsIn(harness), body);
}

/** Creates a workload without pods, and waits for the last status write of its controller. */
export async function createObserved(harness: Harness, plural: string): Promise<{ path: string; object: Doc }> {
  const { path, object } = await createObject(harness, workloadsIn(harness, plural), workload(unique("app"), plural));
  return { path, object: await waitUntilObserved(harness, path, object) };
}

export async function waitUntilObserved(harness: Harness, path: string, object: Doc): Promise<Doc> {
  return vi.waitFor(
    async () => {
      const { body } = await harness.request("GET", path);
      expect(body.status?.observedGeneration).toBeGreaterThanOrEqual(Number(object.metadata?.generation));
      if (object.kind === "Deployment") expect(body.status?.conditions).toHaveLength(2);
      return body;
    },
    { timeout: 60_000 },
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

async function createObject(
  harness: Harness,
  collection: string,
  body: object,
): Promise<{ path: string; object: Doc }> {
  const created = await harness.request("POST", collection, { body });
  expect(created.body).toHaveProperty("metadata.uid");
  return { path: `${collection}/${String(created.body.metadata?.name)}`, object: created.body };
}
