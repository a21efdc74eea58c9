import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { approvalKey, formatApproval } from "../../functions/domain/gates/approval.ts";
import type { ClusterAccess, Scenario } from "./scenario.ts";
import { about, bystanders, workload } from "./scenarios.ts";

/** Its version has an approval, is healthy in another namespace, and comes in a window: nothing holds it, if that is known. */
const gated = {
  healthTimeout: "1m",
  windows: [{ start: "00:00", duration: "24h" }],
  approval: { by: ["user:anna"] },
  after: [{ namespace: "staging", name: "stage", soak: "1h" }],
  minimumReleaseAge: "1m",
};

/** The API server of the tests has no admission policies: these are read, and do nothing. */
function admissionPolicies(): readonly object[] {
  const file = new URL("../../infra/cluster/admission-policies/approvals.yaml", import.meta.url);
  const documents = parseAllDocuments(readFileSync(file, "utf8")).map((one) => one.toJS() as object);
  return [...["Policy", "PolicyBinding"].map((kind) => definitionOf(`ValidatingAdmission${kind}`)), ...documents];
}

function definitionOf(kind: string): object {
  const singular = kind.toLowerCase();
  const plural = singular.replace(/y$/, "ies").replace(/g$/, "gs");
  const group = "admissionregistration.k8s.io";
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const targetRef = (name: string) => ({ apiVersion: "apps/v1", kind: "Deployment", name });
const autoUpdate = (namespace: string, name: string, policy: object) => ({
  apiVersion: "pawl.dev/v1alpha1",
  kind: "AutoUpdate",
  metadata: { name: `deployment-${name}`, namespace },
  spec: { targetRef: targetRef(name), policy },
});

/** Anna approves, and staging has been healthy since yesterday. */
async function prepare(cluster: ClusterAccess): Promise<void> {
  const image = `${cluster.registry}/shop/good:1.1.0`;
  const digest = cluster.digestOf(image) ?? "";
  const { uid } = await read(cluster, "pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-web");
  const common = { groups: [], verdict: "approve", skipsAge: true, at: "2026-11-23T08:00:00Z", message: "" } as const;
  const approval = formatApproval({ ...common, user: "anna", version: "1.1.0", digest }, uid);
  await write(cluster, "shop/autoupdates/deployment-web", {
    metadata: { annotations: { [approvalKey("anna")]: approval } },
  });
  const target = {
    uid: (await read(cluster, "apps/v1/namespaces/staging/deployments/stage")).uid,
    recordUID: (await read(cluster, "pawl.dev/v1alpha1/namespaces/staging/autoupdates/deployment-stage")).uid,
    repository: `${cluster.registry}/shop/good`,
  };
  const [startedAt, finishedAt] = ["2026-11-22T08:00:00Z", "2026-11-22T08:05:00Z"];
  const times = { startedAt, finishedAt, result: "Healthy", execution: "x" };
  const history = [{ version: "1.1.0", kind: "image", image: `${image}@${digest}`, ...times }];
  await write(cluster, "staging/autoupdates/deployment-stage/status", { status: { target, history } });
}

async function read({ url }: ClusterAccess, path: string): Promise<{ readonly uid: string }> {
  const response = await fetch(`${url}/apis/${path}`);
  return ((await response.json()) as { readonly metadata: { readonly uid: string } }).metadata;
}

async function write({ url }: ClusterAccess, path: string, body: object): Promise<void> {
  const { ok, status } = await fetch(`${url}/apis/pawl.dev/v1alpha1/namespaces/${path}`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify(body),
  });
  if (!ok) throw new Error(`PATCH ${path}: ${status}`);
}

const gatedUpdate: Scenario = {
  ...about("update behind gates"),
  prepare,
  objects: (around) => [
    ...admissionPolicies(),
    workload("Deployment", "web", `${around.registry}/shop/good:1.0.0`, {}),
    autoUpdate("shop", "web", gated),
    inNamespace("staging", workload("Deployment", "stage", `${around.registry}/shop/good:1.1.0`, {}, { replicas: 1 })),
    autoUpdate("staging", "stage", { visibleTo: ["shop"] }),
    ...bystanders(around),
  ],
};

function inNamespace(namespace: string, object: object): object {
  const { metadata } = object as { readonly metadata: object };
  return { ...object, metadata: { ...metadata, namespace } };
}

export const gateScenarios: readonly Scenario[] = [
  gatedUpdate,
  { ...gatedUpdate, name: "adopted update behind gates", killedAfter: "ApplyUpdate: PATCH deployments/web" },
];
