import { randomUUID } from "node:crypto";
import { CoreV1Api, CustomObjectsApi, RbacAuthorizationV1Api, type KubeConfig } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { createApprovalWriter } from "../../../functions/adapters/kubernetes/approvals.ts";
import type { AutoUpdate } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import { readIdentityProblem } from "../../../functions/adapters/kubernetes/identity.ts";
import { type Approval, approvalKey, formatApproval, readApprovals } from "../../../functions/domain/gates/approval.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { anything, denialOf, type Person, type Sample } from "./admission.ts";

const anna: Person = { user: "anna", groups: ["releasers", anything] };
const mallory: Person = { user: "mallory", groups: ["developers", anything] };

function approvalOf(user: string, groups: readonly string[] = [], parts: Partial<Approval> = {}): Approval {
  const at = "2026-11-20T12:00:00Z";
  return {
    user,
    groups,
    verdict: "approve",
    version: "1.1.0",
    digest: "sha256:a",
    skipsAge: false,
    at,
    message: "",
    ...parts,
  };
}

/** In place of the uid, which an object has only once it is created. */
const itsUID = "UID";
type Annotations = Readonly<Record<string, string>>;

const text = (user: string, groups: readonly string[] = []) => formatApproval(approvalOf(user, groups), itsUID);

const withUID = (annotations: Annotations, uid: string) =>
  Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, value.replaceAll(itsUID, uid)]));

function autoUpdate(annotations: Annotations): Sample {
  const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  return {
    apiVersion: "pawl.dev/v1alpha1",
    kind: "AutoUpdate",
    metadata: { name: "deployment-web", annotations },
    spec: { targetRef, policy: {} },
  } as Sample;
}

/** Without controllers, no pod is ever admitted to it. */
async function openNamespace(admin: KubeConfig): Promise<string> {
  const name = `approvals-${randomUUID().slice(0, 8)}`;
  await admin.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name } } });
  return name;
}

const path = { group: "pawl.dev", version: "v1alpha1", plural: "autoupdates" } as const;

/** Creates an AutoUpdate with annotations in a namespace of its own. Returns it as it was created. */
async function created(annotations: Annotations) {
  const admin = realKubeConfig();
  const namespace = await openNamespace(admin);
  const objects = admin.makeApiClient(CustomObjectsApi);
  const body = autoUpdate(annotations);
  const { metadata } = (await objects.createNamespacedCustomObject({ ...path, namespace, body })) as AutoUpdate;
  return { namespace, name: "deployment-web", uid: metadata.uid };
}

type Created = Awaited<ReturnType<typeof created>>;

async function read({ namespace, name }: Pick<Created, "namespace" | "name">): Promise<AutoUpdate> {
  const objects = realKubeConfig().makeApiClient(CustomObjectsApi);
  return (await objects.getNamespacedCustomObject({ ...path, namespace, name })) as AutoUpdate;
}

async function approvalsOf(object: Pick<Created, "namespace" | "name">): Promise<readonly Approval[]> {
  const { metadata } = await read(object);
  return readApprovals(metadata.annotations ?? {}, metadata.uid);
}

/** Replaces the annotations of an object as a person. Returns why that is denied; null if it is not. */
async function annotate(person: Person, object: Created, annotations: Annotations, method: "PATCH" | "PUT" = "PATCH") {
  const { namespace, name, uid } = object;
  const url = `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates/${name}`;
  const value = withUID(annotations, uid);
  if (method === "PATCH") return denialOf(person, method, url, [{ op: "add", path: "/metadata/annotations", value }]);
  // Without a uid, as people write it.
  const { resourceVersion } = (await read(object)).metadata;
  return denialOf(person, method, url, {
    ...autoUpdate(value),
    metadata: { name, resourceVersion, annotations: value },
  });
}

const plain: Annotations = { other: "x" };
const annas: Annotations = { ...plain, [approvalKey("anna")]: text("anna") };

/** Creates a node pool, and approves its image in the name of anna. Returns why that is denied; null if it is not. */
async function approvePool(person: Person): Promise<string | null> {
  const objects = realKubeConfig().makeApiClient(CustomObjectsApi);
  const name = `approved-${randomUUID().slice(0, 8)}`;
  const group = "node.bootc.dev";
  const spec = { nodeSelector: { matchLabels: { role: "none" } }, image: { ref: "quay.io/example/myos:stable" } };
  const body = { apiVersion: `${group}/v1alpha1`, kind: "BootcNodePool", metadata: { name }, spec };
  const named = { group, version: "v1alpha1", plural: "bootcnodepools" };
  const { metadata } = (await objects.createClusterCustomObject({ ...named, body })) as AutoUpdate;
  const value = withUID(annas, metadata.uid);
  const url = `/apis/${group}/v1alpha1/bootcnodepools/${name}`;
  return denialOf(person, "PATCH", url, [{ op: "add", path: "/metadata/annotations", value }]);
}

describeOnRealCluster("the policy pawl-approvals", () => {
  test("lets nobody approve the image of a node pool in the name of another person", async () => {
    expect(await approvePool(anna)).toBeNull();
    expect(await approvePool(mallory)).toContain("its first line must be the name of the user");
  });

  test.for<{ what: string; person: Person; before?: Annotations; after: Annotations; denied: string | null }>([
    { what: "their own", person: anna, after: annas, denied: null },
    {
      what: "their own, with their group",
      person: anna,
      after: { [approvalKey("anna")]: text("anna", ["releasers"]) },
      denied: null,
    },
    {
      what: "that of another person",
      person: mallory,
      after: annas,
      denied: "its first line must be the name of the user",
    },
    {
      what: "their own under the name of another person",
      person: mallory,
      after: { [approvalKey("mallory")]: `\n${text("mallory")}` },
      denied: "its first line must be the name of the user",
    },
    {
      what: "that of another person with the uid of another object beside that of this one",
      person: mallory,
      after: { [approvalKey("anna")]: `${text("anna")}\nrecord other` },
      denied: "its first line must be the name of the user",
    },
    {
      what: "their own in place of that of another person",
      person: mallory,
      before: annas,
      after: { [approvalKey("anna")]: text("mallory") },
      denied: "by its own user only",
    },
    {
      what: "one that does not count in place of that of another person",
      person: mallory,
      before: annas,
      after: { [approvalKey("anna")]: text("anna").replace(itsUID, "other") },
      denied: "by its own user only",
    },
    {
      what: "none in place of that of another person",
      person: mallory,
      before: annas,
      after: plain,
      denied: "by its own user only",
    },
    { what: "none in place of their own", person: anna, before: annas, after: plain, denied: null },
    {
      what: "their own with a group that they are not in",
      person: mallory,
      after: { [approvalKey("mallory")]: text("mallory", ["developers", "releasers"]) },
      denied: "is in no group of this name",
    },
    {
      what: "their own with such a group in the last line",
      person: mallory,
      after: { [approvalKey("mallory")]: `${text("mallory")}\ngroup releasers` },
      denied: "is in no group of this name",
    },
    {
      what: "something else, beside that of another person",
      person: mallory,
      before: annas,
      after: { ...annas, other: "y" },
      denied: null,
    },
  ])("lets people write $what, or not", async ({ person, before = plain, after, denied }) => {
    for (const how of ["PATCH", "PUT"] as const) {
      const object = await created(plain);
      expect(await annotate(anna, object, before)).toBeNull();
      expect((await annotate(person, object, after, how)) ?? "allowed").toContain(denied ?? "allowed");
    }
  });

  test("lets anybody restore a backup with the approvals of others, which count no more", async () => {
    const lost = await created(plain);
    expect(await annotate(anna, lost, annas)).toBeNull();
    expect(await approvalsOf(lost)).toMatchObject([{ user: "anna" }]);
    const backup = (await read(lost)).metadata.annotations ?? {};
    const restored = { namespace: await openNamespace(realKubeConfig()), name: lost.name };
    const body = { ...autoUpdate(backup), metadata: { name: lost.name, uid: lost.uid, annotations: backup } };
    const url = `/apis/pawl.dev/v1alpha1/namespaces/${restored.namespace}/autoupdates`;
    expect(await denialOf(mallory, "POST", url, body)).toBeNull();
    expect((await read(restored)).metadata.annotations).toEqual(backup);
    expect(await approvalsOf(restored)).toEqual([]);
    // Nor if it is restored over an object that exists.
    const present = await created(plain);
    expect(await annotate(mallory, present, backup)).toBeNull();
    expect(await approvalsOf(present)).toEqual([]);
    // The person whose it was decides again, and so does one whose key somebody else has taken at the creation.
    expect(await annotate(anna, present, annas)).toBeNull();
    const taken = await created({ [approvalKey("anna")]: "user mallory" });
    expect(await annotate(anna, taken, annas)).toBeNull();
    expect(await approvalsOf(taken)).toMatchObject([{ user: "anna" }]);
  });

  test("lets a person take the annotation of another one, who then cannot decide, but not decide for them", async () => {
    const object = await created(plain);
    expect(await annotate(mallory, object, { [approvalKey("anna")]: text("mallory") })).toBeNull();
    expect(await annotate(anna, object, annas)).toContain("by its own user only");
    expect(await approvalsOf(object)).toEqual([]);
  });

  test.for(["pawl:updaters", "pawl:recorders"])("lets no status of %s bring an approval", async (group) => {
    const object = await created(plain);
    const { namespace, name, uid } = object;
    const body = [{ op: "add", path: "/metadata/annotations", value: withUID(annas, uid) }];
    await impersonate(group, realKubeConfig())
      .kubeConfig.makeApiClient(CustomObjectsApi)
      .patchNamespacedCustomObjectStatus({ ...path, namespace, name, body });
    expect((await read(object)).metadata.annotations).toEqual(plain);
  });
});

describeOnRealCluster("approvals of people with the role edit", () => {
  function as(user: string, group: string): KubeConfig {
    return impersonate(group, realKubeConfig(), user).kubeConfig;
  }

  async function openTenant(): Promise<string> {
    const admin = realKubeConfig();
    const namespace = await openNamespace(admin);
    const subjects = ["shop:editors", "releasers"].map((name) => ({
      kind: "Group",
      name,
      apiGroup: "rbac.authorization.k8s.io",
    }));
    for (const name of ["pawl-autoupdates-edit", "pawl-autoupdates-view"]) {
      const roleRef = { kind: "ClusterRole", name, apiGroup: "rbac.authorization.k8s.io" };
      const binding = { metadata: { name }, roleRef, subjects };
      await admin.makeApiClient(RbacAuthorizationV1Api).createNamespacedRoleBinding({ namespace, body: binding });
    }
    const body = autoUpdate(plain);
    await admin.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ ...path, namespace, body });
    return namespace;
  }

  test("stand beside each other, under the names of the API server, and nobody writes for another one", async () => {
    const namespace = await openTenant();
    const workload = { kind: "Deployment", namespace, name: "web" };
    const ofAnna = createApprovalWriter(as("anna", "releasers"));
    const me = await ofAnna.whoAmI();
    expect(me).toMatchObject({ user: "anna", groups: expect.arrayContaining(["releasers"]) });
    await eventually("the role is bound", async () =>
      ofAnna.write(workload, approvalOf("anna", ["releasers"])).then(
        () => true,
        () => false,
      ),
    );
    const bobs = createApprovalWriter(as("bob", "shop:editors"));
    await bobs.write(workload, approvalOf("bob"));
    const forged = approvalOf("anna", ["releasers"], { version: "6.6.6" });
    await expect(bobs.write(workload, forged)).rejects.toThrow("pawl-approvals");
    await expect(bobs.write(workload, approvalOf("bob", ["releasers"]))).rejects.toThrow("is in no group of this name");
    const found = await approvalsOf({ namespace, name: "deployment-web" });
    expect(found.toSorted((one, other) => one.user.localeCompare(other.user))).toEqual([
      approvalOf("anna", ["releasers"]),
      approvalOf("bob"),
    ]);
  });

  describe("prove something to those who evaluate them", () => {
    test.for(["pawl:pollers", "pawl:updaters"])("as %s", async (group) => {
      expect(await readIdentityProblem(as("function", group), "approvals")).toBeNull();
    });

    test("and not to those who may not read the policy", async () => {
      expect(await readIdentityProblem(as("function", "pawl:evictors"), "approvals")).toContain("is not readable");
    });
  });
});
