import { randomUUID } from "node:crypto";
import { CoreV1Api, CustomObjectsApi, RbacAuthorizationV1Api, type KubeConfig } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { createApprovalWriter } from "../../../functions/adapters/kubernetes/approvals.ts";
import { readIdentityProblem } from "../../../functions/adapters/kubernetes/identity.ts";
import { type Approval, approvalKey, formatApproval, readApprovals } from "../../../functions/domain/gates/approval.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { anything, createDenial, type Person, type Sample, updateDenial } from "./admission.ts";

const resource = "autoupdates.pawl.dev";
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

const text = (user: string, groups: readonly string[] = []) => formatApproval(approvalOf(user, groups));

function autoUpdate(annotations: Record<string, string>): Sample {
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

const plain = autoUpdate({ other: "x" });
const annas = autoUpdate({ other: "x", [approvalKey("anna")]: text("anna") });

describeOnRealCluster("the policy pawl-approvals", () => {
  test.for<{ what: string; person: Person; before?: Sample; after: Sample; denied: string | null }>([
    { what: "their own", person: anna, after: annas, denied: null },
    {
      what: "their own, with their group",
      person: anna,
      after: autoUpdate({ other: "x", [approvalKey("anna")]: text("anna", ["releasers"]) }),
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
      after: autoUpdate({ other: "x", [approvalKey("mallory")]: `\n${text("mallory")}` }),
      denied: "its first line must be the name of the user",
    },
    {
      what: "their own in place of that of another person",
      person: mallory,
      before: annas,
      after: autoUpdate({ other: "x", [approvalKey("anna")]: text("mallory") }),
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
      after: autoUpdate({ other: "x", [approvalKey("mallory")]: text("mallory", ["developers", "releasers"]) }),
      denied: "is in no group of this name",
    },
    {
      what: "their own with such a group in the last line",
      person: mallory,
      after: autoUpdate({ other: "x", [approvalKey("mallory")]: `${text("mallory")}\ngroup releasers` }),
      denied: "is in no group of this name",
    },
    {
      what: "something else, beside that of another person",
      person: mallory,
      before: annas,
      after: autoUpdate({ other: "y", [approvalKey("anna")]: text("anna") }),
      denied: null,
    },
  ])("lets people write $what, or not", async ({ person, before = plain, after, denied }) => {
    const found = await updateDenial(resource, person, before, after, anna);
    expect(found ?? "allowed").toContain(denied ?? "allowed");
  });

  test("lets nobody create an AutoUpdate with the approval of another person", async () => {
    expect(await createDenial(resource, mallory, annas)).toContain("pawl-approvals: approval denied");
    expect(await createDenial(resource, anna, annas)).toBeNull();
    expect(await createDenial(resource, mallory, plain)).toBeNull();
  });

  test.for(["pawl:updaters", "pawl:recorders"])("lets no status of %s bring an approval", async (group) => {
    const found = await updateDenial("autoupdates/status.pawl.dev", group, plain, annas);
    expect(found).toBeNull();
    const key = approvalKey("anna");
    const { metadata } = (await storedAs(plain)) as { metadata: { annotations: Record<string, string> } };
    expect(metadata.annotations).not.toHaveProperty([key]);
  });

  async function storedAs(sample: Sample): Promise<object> {
    const admin = realKubeConfig();
    const namespace = await openNamespace(admin);
    const objects = admin.makeApiClient(CustomObjectsApi);
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates" };
    await objects.createNamespacedCustomObject({ ...path, body: sample });
    const body = [{ op: "add", path: "/metadata/annotations", value: { [approvalKey("anna")]: text("anna") } }];
    await objects.patchNamespacedCustomObjectStatus({ ...path, name: "deployment-web", body });
    return (await objects.getNamespacedCustomObject({ ...path, name: "deployment-web" })) as object;
  }
});

describeOnRealCluster("approvals of people with the role edit", () => {
  function as(user: string, group: string): KubeConfig {
    return impersonate(group, realKubeConfig(), user).kubeConfig;
  }

  async function openTenant(): Promise<string> {
    const admin = realKubeConfig();
    const namespace = await openNamespace(admin);
    const roleRef = { kind: "ClusterRole", name: "pawl-autoupdates-edit", apiGroup: "rbac.authorization.k8s.io" };
    const subjects = ["shop:editors", "releasers"].map((name) => ({
      kind: "Group",
      name,
      apiGroup: "rbac.authorization.k8s.io",
    }));
    const body = { metadata: { name: "editors" }, roleRef, subjects };
    await admin.makeApiClient(RbacAuthorizationV1Api).createNamespacedRoleBinding({ namespace, body });
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates" };
    await admin.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ ...path, body: plain });
    return namespace;
  }

  async function approvalsIn(namespace: string): Promise<readonly Approval[]> {
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates", name: "deployment-web" };
    const found = (await realKubeConfig().makeApiClient(CustomObjectsApi).getNamespacedCustomObject(path)) as {
      metadata: { annotations: Record<string, string> };
    };
    return readApprovals(found.metadata.annotations);
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
    const found = await approvalsIn(namespace);
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
