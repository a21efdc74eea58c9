import { randomUUID } from "node:crypto";
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  Watch,
  type KubeConfig,
} from "@kubernetes/client-node";
import { expect, vi } from "vitest";
import { rawRequest, type RawResponse, type RawRequest } from "./raw-request.ts";

/** A server under test, with a namespace and a kind of custom resource (`Thing`, with a status) of its own. */
export interface Harness {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly custom: CustomObjectsApi;
  readonly objects: KubernetesObjectApi;
  readonly watch: Watch;
  readonly namespace: string;
  /** The group of `Thing`, which is served as v1. */
  readonly group: string;
  request(method: string, path: string, request?: RawRequest): Promise<RawResponse>;
  close(): Promise<void>;
}

export type At = () => Harness;

export const mergePatch = "application/merge-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const jsonPatch = "application/json-patch+json";

export async function openHarness(kubeConfig: KubeConfig): Promise<Harness> {
  const namespace = unique("contract");
  const group = `${unique("g")}.pawl.dev`;
  const request = (method: string, path: string, options: RawRequest = {}) =>
    rawRequest(kubeConfig, method, path, options);
  await request("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await request("POST", definitions, { body: thingDefinition(group) });
  await vi.waitFor(async () => {
    const condition = (await request("GET", `${definitions}/things.${group}`)).body.status?.conditions;
    expect(condition).toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
    expect((await request("GET", `/apis/${group}/v1/things`)).code).toBe(200);
  }, 60_000);
  return {
    core: kubeConfig.makeApiClient(CoreV1Api),
    apps: kubeConfig.makeApiClient(AppsV1Api),
    custom: kubeConfig.makeApiClient(CustomObjectsApi),
    objects: KubernetesObjectApi.makeApiClient(kubeConfig),
    watch: new Watch(kubeConfig),
    namespace,
    group,
    request,
    async close() {
      await request("DELETE", `${definitions}/things.${group}`);
      await request("DELETE", `/api/v1/namespaces/${namespace}`);
    },
  };
}

function thingDefinition(group: string) {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}
