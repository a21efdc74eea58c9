import { randomUUID } from "node:crypto";
import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { collectionOf, manifest, pathOf, type Kind, type Parts } from "../cluster-fixtures.ts";
import { rawRequest, type Doc, type RawResponse, type RawRequest } from "../kubernetes-api/raw-request.ts";

/** The cluster under test, through the port and through the API, with a namespace of its own. */
export interface Harness {
  readonly cluster: Cluster;
  readonly kubeConfig: KubeConfig;
  readonly namespace: string;
  readonly warnings: readonly string[];
  /** The clock of the adapter. */
  now: Date;
  request(method: string, path: string, request?: RawRequest): Promise<RawResponse>;
  close(): Promise<void>;
}

export type At = () => Harness;

const noon = new Date("2026-11-20T12:00:00Z");
const maxAttempts = 20;

export async function openHarness(kubeConfig: KubeConfig): Promise<Harness> {
  const namespace = `contract-${randomUUID().slice(0, 8)}`;
  const warnings: string[] = [];
  const request = (method: string, path: string, options: RawRequest = {}) =>
    rawRequest(kubeConfig, method, path, options);
  await request("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
  const harness: Harness = {
    cluster: createKubernetesCluster({
      name: "under-test",
      kubeConfig,
      namespaces: [namespace],
      now: () => harness.now,
      warn: (message) => void warnings.push(message),
    }),
    kubeConfig,
    namespace,
    warnings,
    now: noon,
    request,
    close: async () => void (await request("DELETE", `/api/v1/namespaces/${namespace}`)),
  };
  return harness;
}

export async function createWorkload(harness: Harness, kind: Kind, parts: Parts = {}): Promise<WorkloadRef> {
  return createObject(harness, kind, manifest(kind, parts));
}

export async function createObject(harness: Harness, kind: Kind, body: object): Promise<WorkloadRef> {
  const created = await harness.request("POST", collectionOf(kind, harness.namespace), { body });
  if (created.code !== 201) throw new Error(created.text);
  const { apiVersion = "", metadata: { name = "", uid = "" } = {} } = created.body;
  return { apiVersion, kind, namespace: harness.namespace, name, uid };
}

/** Creates or replaces the ConfigMap and the Secret `app`, with these values. */
export async function requestConfig(
  { request, namespace }: Harness,
  method: "POST" | "PUT",
  { configmap, secret }: { readonly configmap: string; readonly secret: string },
): Promise<void> {
  const objects = [
    ["configmaps", { data: { value: configmap } }],
    ["secrets", { type: "Opaque", data: { value: Buffer.from(secret).toString("base64") } }],
  ] as const;
  for (const [plural, content] of objects) {
    const path = `/api/v1/namespaces/${namespace}/${plural}${method === "PUT" ? "/app" : ""}`;
    const { code, text } = await request(method, path, { body: { metadata: { name: "app" }, ...content } });
    if (code >= 300) throw new Error(text);
  }
}

/** Returns the object as stored by the server. */
export async function getObject(harness: Harness, ref: WorkloadRef): Promise<Doc> {
  return (await harness.request("GET", pathOf(ref))).body;
}

/** Patches an object as another client. */
export async function patchObject(
  harness: Harness,
  ref: WorkloadRef,
  body: object,
  { contentType = "application/merge-patch+json", subresource = "" } = {},
): Promise<void> {
  const answer = await harness.request("PATCH", `${pathOf(ref)}${subresource}`, { body, contentType });
  if (answer.code !== 200) throw new Error(answer.text);
}

export async function read({ cluster }: Harness, ref: WorkloadRef): Promise<Workload> {
  const workload = await cluster.read(ref);
  if (workload === null) throw new Error(`${ref.kind} ${ref.namespace}/${ref.name} not found`);
  return workload;
}

/** Reads, decides and writes, like every step; retries if a controller wrote in between. */
export async function change(
  harness: Harness,
  ref: WorkloadRef,
  decide: (workload: Workload) => Change,
): Promise<Workload> {
  for (let attempt = 1; ; attempt += 1) {
    const workload = await read(harness, ref);
    try {
      await harness.cluster.change(workload, decide(workload));
      return await read(harness, ref);
    } catch (error) {
      if (attempt === maxAttempts || (error as Error).name !== "Conflict") throw error;
    }
  }
}

/** Returns the annotations, without those that controllers write. */
export function annotationsOf({ metadata }: Doc): Readonly<Record<string, string>> {
  const all = Object.entries((metadata?.annotations ?? {}) as Readonly<Record<string, string>>);
  return Object.fromEntries(all.filter(([key]) => !/^(deployment|deprecated\.daemonset)\./.test(key)));
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly object[];
}

export function containersOf({ spec }: Doc): readonly Container[] {
  return (spec?.["template"]?.["spec"]?.["containers"] ?? []) as unknown as readonly Container[];
}
