import { describe, expect, test } from "vitest";
import { createDenials, deleteDenials } from "./admission.ts";
import { changed } from "./admission-samples.ts";
import { owner as ofPool } from "./admission-pool-samples.ts";

type Resource = "deployments.apps" | "statefulsets.apps" | "bootcnodes.node.bootc.dev" | "pods";
type Allowed = keyof typeof isDenied;

interface Row {
  readonly object: string;
  readonly resource: Resource;
  readonly name: string;
  readonly owners: readonly object[] | undefined;
  readonly spec?: object;
  readonly allowed: Allowed;
}

/** Whether creation and deletion are denied. */
const isDenied = { both: [false, false], create: [false, true], delete: [true, false], none: [true, true] } as const;

const ofDeployment = { apiVersion: "apps/v1", kind: "Deployment", name: "app", uid: "u-1" };
const ofStatefulCanary = { apiVersion: "pawl.dev/v1alpha1", kind: "StatefulCanary", name: "db", uid: "u-2" };

const [deployments, sets, nodes] = ["deployments.apps", "statefulsets.apps", "bootcnodes.node.bootc.dev"] as const;
const booted = { desiredImageState: "Booted" };

const rows: readonly Row[] = [
  {
    object: "the canary of a Deployment",
    resource: deployments,
    name: "app-canary",
    owners: [ofDeployment],
    allowed: "both",
  },
  { object: "another name", resource: deployments, name: "other-canary", owners: [ofDeployment], allowed: "none" },
  { object: "no suffix", resource: deployments, name: "app", owners: [ofDeployment], allowed: "none" },
  { object: "no owner", resource: deployments, name: "app-canary", owners: undefined, allowed: "none" },
  { object: "a canary set", resource: sets, name: "db-canary", owners: [ofStatefulCanary], allowed: "both" },
  { object: "a stable set", resource: sets, name: "db-stable", owners: [ofStatefulCanary], allowed: "create" },
  { object: "another name", resource: sets, name: "db-other", owners: [ofStatefulCanary], allowed: "none" },
  { object: "a Deployment as owner", resource: sets, name: "app-canary", owners: [ofDeployment], allowed: "none" },
  { object: "no owner", resource: sets, name: "db-canary", owners: undefined, allowed: "none" },
  { object: "a pool as owner", resource: nodes, name: "worker-1", owners: [ofPool], allowed: "both" },
  {
    object: "an approved reboot",
    resource: nodes,
    name: "worker-1",
    owners: [ofPool],
    spec: booted,
    allowed: "delete",
  },
  { object: "no owner", resource: nodes, name: "worker-1", owners: undefined, allowed: "none" },
  { object: "an empty owner list", resource: nodes, name: "worker-1", owners: [], allowed: "none" },
  {
    object: "a Machine as owner",
    resource: nodes,
    name: "worker-1",
    owners: [{ ...ofPool, kind: "Machine" }],
    allowed: "none",
  },
  {
    object: "a pool of another group",
    resource: nodes,
    name: "worker-1",
    owners: [{ ...ofPool, apiVersion: "v1" }],
    allowed: "none",
  },
  // The role of no group creates pods.
  {
    object: "a StatefulSet as owner",
    resource: "pods",
    name: "app-0",
    owners: [{ kind: "StatefulSet", apiVersion: "apps/v1" }],
    allowed: "both",
  },
  {
    object: "a ReplicaSet as owner",
    resource: "pods",
    name: "app-0",
    owners: [{ kind: "ReplicaSet", apiVersion: "apps/v1" }],
    allowed: "create",
  },
  {
    object: "a Job as owner",
    resource: "pods",
    name: "app-0",
    owners: [{ kind: "Job", apiVersion: "batch/v1" }],
    allowed: "create",
  },
  {
    object: "a StatefulSet of another group",
    resource: "pods",
    name: "app-0",
    owners: [{ kind: "StatefulSet", apiVersion: "apps.kruise.io/v1" }],
    allowed: "create",
  },
  { object: "no owner", resource: "pods", name: "app-0", owners: undefined, allowed: "create" },
];

test.for(rows)(
  "$resource with $object: the policies allow $allowed",
  ({ resource, name, owners, spec = selecting(resource, name), allowed }) => {
    const object = { metadata: { name, ...(owners === undefined ? {} : { ownerReferences: owners }) }, spec };
    const denialsOf = (group: string) =>
      [createDenials(resource, group, object), deleteDenials(resource, group, object)].map((all) => all.length > 0);
    expect(denialsOf(resource === nodes ? "pawl:node-updaters" : "pawl:updaters")).toEqual(isDenied[allowed]);
    for (const group of ["shop:owners", "system:nodes"]) expect(denialsOf(group)).toEqual([false, false]);
  },
);

/** The spec of a canary, or of a set of a StatefulCanary, as far as the policies read it. */
function selecting(resource: Resource, name: string): Record<string, unknown> {
  const role = name.slice(name.lastIndexOf("-") + 1);
  const matchLabels = resource === deployments ? { "pawl.dev/role": "canary" } : { "app.kubernetes.io/role": role };
  return { selector: { matchLabels } };
}

interface Created {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

describe("what an updater creates", () => {
  const kinds = [
    { resource: deployments, name: "app-canary", owner: ofDeployment },
    { resource: sets, name: "db-canary", owner: ofStatefulCanary },
    { resource: sets, name: "db-stable", owner: ofStatefulCanary },
  ] as const;
  const edits: readonly { readonly what: string; readonly message: string; readonly edit: (it: Created) => void }[] = [
    {
      what: "an opt-in",
      message: "no annotation but pawl.dev/containers",
      edit: ({ metadata }) => void (metadata["annotations"] = { "pawl.dev/auto-update": "true" }),
    },
    {
      what: "a second owner",
      message: "one owner",
      edit: ({ metadata }) => void (metadata["ownerReferences"] as object[]).push({ kind: "Node", name: "worker-1" }),
    },
    { what: "a finalizer", message: "no finalizer", edit: ({ metadata }) => void (metadata["finalizers"] = ["a/b"]) },
    { what: "no selector", message: "label of the role", edit: (it) => void (it.spec = {}) },
    {
      what: "the selector of its owner",
      message: "label of the role",
      edit: ({ spec }) => void (spec["selector"] = { matchLabels: { app: "app", "pawl.dev/role": "stable" } }),
    },
    {
      what: "volume claims that are deleted with it",
      message: "volume claims must be retained",
      edit: ({ spec }) =>
        void (spec["persistentVolumeClaimRetentionPolicy"] = { whenDeleted: "Retain", whenScaled: "Delete" }),
    },
  ];

  test.for(kinds.flatMap((kind) => edits.map((edit) => ({ ...kind, ...edit }))))(
    "$name may not have $what",
    ({ resource, name, owner, message, edit }) => {
      const sample: Created = { metadata: { name, ownerReferences: [owner] }, spec: selecting(resource, name) };
      sample.metadata["annotations"] = { "pawl.dev/containers": "app" };
      sample.spec["persistentVolumeClaimRetentionPolicy"] = { whenDeleted: "Retain", whenScaled: "Retain" };
      expect(createDenials(resource, "pawl:updaters", sample)).toEqual([]);
      const object = changed(sample, edit);
      expect(createDenials(resource, "pawl:updaters", object)).toEqual([expect.stringContaining(message)]);
      expect(createDenials(resource, "shop:owners", object)).toEqual([]);
    },
  );
});

test.for([
  { options: undefined, isDenied: false },
  { options: null, isDenied: false },
  { options: { kind: "DeleteOptions", preconditions: { uid: "u-1" } }, isDenied: false },
  { options: { gracePeriodSeconds: 30 }, isDenied: false },
  { options: { gracePeriodSeconds: 0n }, isDenied: true },
  { options: { gracePeriodSeconds: 0 }, isDenied: true },
])("a pod may be deleted with $options: denied $isDenied", ({ options, isDenied: expected }) => {
  const pod = { metadata: { name: "db-0", ownerReferences: [{ kind: "StatefulSet", apiVersion: "apps/v1" }] } };
  const denied = expected ? ["pawl-pods: deletion denied; the grace period must not be 0"] : [];
  expect(deleteDenials("pods", "pawl:updaters", pod, options)).toEqual(denied);
  expect(deleteDenials("pods", "shop:owners", pod, options)).toEqual([]);
});

test.for([
  { labels: { "pawl.dev/hook": "migrate" }, denials: 0 },
  { labels: { app: "reports" }, denials: 1 },
  { labels: undefined, denials: 1 },
])("a hook runner creates and deletes a Job with the labels $labels: $denials denials", ({ labels, denials }) => {
  const job = { metadata: { name: "migrate", ...(labels && { labels }) } };
  for (const denialsOf of [createDenials, deleteDenials]) {
    const denied = denialsOf("jobs.batch", "pawl:hook-runners", job);
    expect(denied.filter((denial) => denial.includes("only Jobs with the label pawl.dev/hook"))).toHaveLength(denials);
    expect(denied).toHaveLength(denials);
    expect(denialsOf("jobs.batch", "shop:owners", job)).toEqual([]);
  }
});

test("a BootcNode is not created with an approved reboot", () => {
  const object = { metadata: { name: "worker-1", ownerReferences: [ofPool] }, spec: booted };
  expect(createDenials(nodes, "pawl:node-updaters", object)).toEqual([
    "pawl-bootc-node-owners: creation denied; desiredImageState must not be Booted",
  ]);
});
