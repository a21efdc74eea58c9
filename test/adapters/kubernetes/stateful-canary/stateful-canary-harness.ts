import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import type { StatefulCanary } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/object.ts";
import type { StepInput } from "../../../../functions/contract/workload-update.ts";
import { applyUpdate } from "../../../../functions/handlers/apply-update.ts";
import type { Ports } from "../../../../functions/contract/ports.ts";
import { openHarness } from "../../../contracts/cluster/harness.ts";
import { rawRequest } from "../../../contracts/kubernetes-api/raw-request.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { startCluster } from "../embedded-cluster.ts";
import { clusterAt, type RecordedRequest, type Reply, startScriptedServer } from "../api/scripted-server.ts";

export const first = "registry.invalid/shop/db:1.0.0";
export const target = "registry.invalid/shop/db:1.1.0";

export type Step = (ports: Ports, input: StepInput) => Promise<unknown>;

/** Applies an update as its machine does: again while the canary is not ready. Its pods become ready by themselves. */
export async function applyWhenReady(ports: Ports, input: StepInput) {
  for (;;) {
    const result = await applyUpdate(ports, input);
    if (result.kind !== "not-ready") return result;
    await sleep(20);
  }
}

/** The write whose connection is closed, counted from 1, and whether the server stores it first. */
export interface InterruptedWrite {
  readonly cut: number;
  readonly isWritten: boolean;
}

interface SetObject {
  readonly metadata: { readonly annotations?: object };
  readonly status: { readonly updatedReplicas?: number; readonly readyReplicas?: number };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

/** Starts an embedded cluster with the CRD of StatefulCanaries. */
export async function startCanaryCluster() {
  const cluster = await startCluster();
  const crd = new URL("../../../../infra/cluster/crds/stateful-canary.yaml", import.meta.url);
  const body = parse(await readFile(crd, "utf8")) as object;
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const { code, text } = await rawRequest(cluster.kubeConfig, "POST", path, { body });
  if (code !== 201) throw new Error(text);
  return cluster;
}

/** Creates a StatefulCanary in a namespace of its own, with ports for its steps. */
export async function openCanary(
  cluster: Awaited<ReturnType<typeof startCanaryCluster>>,
  { cut, isWritten }: InterruptedWrite = { cut: 0, isWritten: false },
  spec: object = { canaryReplicas: 1 },
) {
  const harness = await openHarness(cluster.kubeConfig);
  const collection = `/apis/pawl.dev/v1alpha1/namespaces/${harness.namespace}/statefulcanaries`;
  const created = await harness.request("POST", collection, {
    body: { ...manifest, spec: { ...manifest.spec, ...spec } },
  });
  const ref = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", namespace: harness.namespace, name: "db" };
  let writes = 0;
  const proxy = await startScriptedServer(async (request) => {
    const isCounted = request.method !== "GET" && !request.path.includes("/events");
    if (isCounted) writes += 1;
    if (!isCounted || writes !== cut) return pass(cluster.url, request);
    if (isWritten) await pass(cluster.url, request);
    return "hang up";
  });
  const path = `${collection}/db`;
  const get = async (where: string) => (await harness.request("GET", where)).body as unknown;
  return {
    harness,
    proxy,
    path,
    setPath: (role: string) => `/apis/apps/v1/namespaces/${harness.namespace}/statefulsets/db-${role}`,
    writes: () => writes,
    ports: { ...fakePorts({}), cluster: clusterAt(proxy.url, { namespaces: [harness.namespace] }) } satisfies Ports,
    input: {
      cluster: "embedded",
      workload: { ...ref, uid: created.body.metadata?.uid ?? "" },
      target: { kind: "image", image: target },
      strategy: "canary",
      digests: "",
      adopting: false,
      execution: "e-1",
    } satisfies StepInput,
    object: async () => (await get(path)) as StatefulCanary,
    async set(role: string) {
      return (await get(this.setPath(role))) as SetObject;
    },
  };
}

async function pass(url: string, { method, path, accept, contentType, body }: RecordedRequest): Promise<Reply> {
  const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
  const type = answer.headers.get("content-type") ?? "";
  return { code: answer.status, body: await answer.text(), headers: { "content-type": type } };
}

const manifest = {
  apiVersion: "pawl.dev/v1alpha1",
  kind: "StatefulCanary",
  metadata: { name: "db" },
  spec: {
    totalReplicas: 3,
    canaryImage: target,
    template: {
      replicas: 7,
      selector: { matchLabels: { app: "db" } },
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }],
      template: {
        metadata: { labels: { app: "db" } },
        spec: {
          containers: [
            { name: "db", image: first },
            { name: "sidecar", image: "registry.invalid/proxy:3.1.4" },
          ],
        },
      },
    },
  },
};
