import { expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, createDenial, deleteDenial, type Sample } from "./admission.ts";
import { bootedImage, owner as ofPool } from "./pool-samples.ts";
import { changed } from "./samples.ts";

type Resource = "deployments.apps" | "statefulsets.apps" | "bootcnodes.node.bootc.dev";
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
const booted = { desiredImage: bootedImage, desiredImageState: "Booted" };

const rows: readonly Row[] = [
  {
    object: "the canary of a Deployment",
    resource: deployments,
    name: "app-canary",
    owners: [ofDeployment],
    allowed: "both",
  },
  { object: "the baseline", resource: deployments, name: "app-baseline", owners: [ofDeployment], allowed: "both" },
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
];

describeOnRealCluster("what updaters and node-updaters create and delete", () => {
  test.for(rows)("$resource with $object: allowed $allowed", async ({ resource, name, owners, spec, allowed }) => {
    const object = {
      metadata: { name, ...(owners && { ownerReferences: owners }) },
      spec: specOf(resource, name, spec),
    };
    const group = resource === nodes ? "pawl:node-updaters" : "pawl:updaters";
    const denials = [await createDenial(resource, group, object), await deleteDenial(resource, group, object)];
    expect(denials.map((denial) => denial !== null)).toEqual(isDenied[allowed]);
    for (const denial of denials.filter((one) => one !== null))
      expect(denial).toMatch(/^pawl-(canaries|bootc-node-owners): /);
    expect(await createDenial(resource, ["shop:owners", anything], object)).toBeNull();
    expect(await deleteDenial(resource, ["shop:owners", anything], object)).toBeNull();
  });

  test("a BootcNode is not created with an approved reboot", async () => {
    const object = { metadata: { name: "worker-1", ownerReferences: [ofPool] }, spec: booted };
    expect(await createDenial(nodes, "pawl:node-updaters", object)).toBe(
      "pawl-bootc-node-owners: creation denied; desiredImageState must not be Booted",
    );
  });
});

/** The spec of a canary, of a set of a StatefulCanary or of a BootcNode. */
function specOf(resource: Resource, name: string, fields: object = {}): Record<string, unknown> {
  if (resource === nodes) return { desiredImage: bootedImage, ...fields };
  const role = name.slice(name.lastIndexOf("-") + 1);
  const labels = { [resource === deployments ? "pawl.dev/role" : "app.kubernetes.io/role"]: role };
  const template = { metadata: { labels: { ...labels, app: "app" } }, spec: { containers: [container] } };
  return { selector: { matchLabels: labels }, template };
}

const container = { name: "app", image: "registry.example/shop/app:1.0.0" };

interface Created extends Sample {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

describeOnRealCluster("what an updater creates", () => {
  const kinds = [
    { resource: deployments, name: "app-canary", owner: ofDeployment },
    { resource: deployments, name: "app-baseline", owner: ofDeployment },
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
      edit: ({ metadata }) => {
        const node = { apiVersion: "v1", kind: "Node", name: "worker-1", uid: "u-3" };
        (metadata["ownerReferences"] as object[]).push(node);
      },
    },
    {
      what: "a finalizer",
      message: "no finalizer",
      edit: ({ metadata }) => void (metadata["finalizers"] = ["a.example/b"]),
    },
    {
      what: "the selector of its owner",
      message: "label of the role",
      edit: ({ spec }) => void (spec["selector"] = { matchLabels: { app: "app" } }),
    },
    {
      what: "the role of another",
      message: "label of the role",
      edit: ({ spec }) => {
        const labels = { "pawl.dev/role": "app", "app.kubernetes.io/role": "app" };
        const template = { ...(spec["template"] as object), metadata: { labels } };
        Object.assign(spec, { selector: { matchLabels: labels }, template });
      },
    },
  ];
  const deleted = {
    what: "volume claims that are deleted with it",
    message: "volume claims must be retained",
    edit: ({ spec }: Created) =>
      void (spec["persistentVolumeClaimRetentionPolicy"] = { whenDeleted: "Retain", whenScaled: "Delete" }),
  };
  const cases = kinds.flatMap((kind) => edits.map((edit) => ({ ...kind, ...edit })));

  test.for([...cases, ...kinds.filter(({ resource }) => resource === sets).map((kind) => ({ ...kind, ...deleted }))])(
    "$name may not have $what",
    async ({ resource, name, owner, message, edit }) => {
      const sample: Created = { metadata: { name, ownerReferences: [owner] }, spec: specOf(resource, name) };
      sample.metadata["annotations"] = { "pawl.dev/containers": "app" };
      expect(await createDenial(resource, "pawl:updaters", sample)).toBeNull();
      const object = changed(sample, edit);
      expect(await createDenial(resource, "pawl:updaters", object)).toContain(message);
      expect(await createDenial(resource, ["shop:owners", anything], object)).toBeNull();
    },
  );
});
