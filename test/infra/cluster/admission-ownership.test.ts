import { expect, test } from "vitest";
import { createDenials, deleteDenials } from "./admission.ts";
import { owner as ofPool } from "./admission-pool-samples.ts";

type Resource = "deployments.apps" | "statefulsets.apps" | "bootcnodes.node.bootc.dev" | "pods";
type Allowed = keyof typeof denialCounts;

interface Row {
  readonly object: string;
  readonly resource: Resource;
  readonly name: string;
  readonly owners: readonly object[] | undefined;
  readonly spec?: object;
  readonly allowed: Allowed;
}

/** Denials of the creation and of the deletion. */
const denialCounts = { both: [0, 0], create: [0, 1], delete: [1, 0], none: [1, 1] } as const;

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
  ({ resource, name, owners, spec = {}, allowed }) => {
    const object = { metadata: { name, ...(owners === undefined ? {} : { ownerReferences: owners }) }, spec };
    const count = (group: string) => [
      createDenials(resource, group, object).length,
      deleteDenials(resource, group, object).length,
    ];
    expect(count(resource === nodes ? "pawl:node-updaters" : "pawl:updaters")).toEqual(denialCounts[allowed]);
    for (const group of ["shop:owners", "system:nodes"]) expect(count(group)).toEqual([0, 0]);
  },
);

test("a BootcNode is not created with an approved reboot", () => {
  const object = { metadata: { name: "worker-1", ownerReferences: [ofPool] }, spec: booted };
  expect(createDenials(nodes, "pawl:node-updaters", object)).toEqual([
    "pawl-bootc-node-owners: creation denied; desiredImageState must not be Booted",
  ]);
});
