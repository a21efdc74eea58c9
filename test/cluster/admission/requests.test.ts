import { randomUUID } from "node:crypto";
import { CoreV1Api, CustomObjectsApi, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { readIdentityProblem } from "../../../functions/adapters/kubernetes/identity.ts";
import { formatOverride, type OverridableGate, overrideKey } from "../../../functions/domain/gates/override.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { anything, createDenial, type Person, type Sample, updateDenial } from "./admission.ts";

const resource = "autoupdates.pawl.dev";
/** With all rights, also those to override. */
const anna: Person = { user: "anna", groups: [anything] };

function autoUpdate(annotations: Record<string, string>): Sample {
  const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const metadata = { name: "deployment-web", annotations };
  return { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata, spec: { targetRef, policy: {} } } as Sample;
}

function override(user: string, ...gates: readonly string[]): Record<string, string> {
  const common = { version: "1.1.0", digest: "sha256:a", token: "t-1", at: "2026-11-20T12:00:00Z", reason: "x" };
  return {
    [overrideKey(user)]: formatOverride({ ...common, user, gates: gates as readonly OverridableGate[] }, "uid"),
  };
}

const request = (user: string) => ({ "pawl.dev/request": `push 1.1.0 t-1\nuser ${user}\nrecord uid\nmessage x` });
const plain = autoUpdate({ other: "x" });

/** Members of a group, with these rights in one namespace or in the whole cluster. */
interface Rights {
  readonly group: string;
  readonly gates: readonly string[];
  readonly isClusterWide?: boolean;
}

describeOnRealCluster("the policy pawl-requests", () => {
  test.for<{ what: string; before?: Sample; after: Sample; denied: string | null }>([
    { what: "a request under their own name", after: autoUpdate(request("anna")), denied: null },
    { what: "a request without a name", after: autoUpdate({ "pawl.dev/request": "push 1.1.0 t-1" }), denied: null },
    { what: "a request of another person", after: autoUpdate(request("bob")), denied: "line user must be the name" },
    {
      what: "a request with the name of another person beside their own",
      after: autoUpdate({ "pawl.dev/request": `${request("anna")["pawl.dev/request"]}\nuser bob` }),
      denied: "line user must be the name",
    },
    {
      what: "something else, beside the request of another person",
      before: autoUpdate({ ...request("bob"), other: "x" }),
      after: autoUpdate({ ...request("bob"), other: "y" }),
      denied: null,
    },
    {
      what: "an override under their own name",
      after: autoUpdate(override("anna", "approval", "signature")),
      denied: null,
    },
    {
      what: "an override of another person",
      after: autoUpdate(override("bob", "approval")),
      denied: "must be the name",
    },
    {
      what: "an override of another gate",
      after: autoUpdate(override("anna", "windows")),
      denied: "only the gates approval",
    },
    {
      what: "an override with a gate whose name only begins like one",
      after: autoUpdate(override("anna", "approval ")),
      denied: "only the gates approval",
    },
    {
      what: "an override whose user is not in its first line",
      after: autoUpdate({
        [overrideKey("anna")]: `gate approval\n${override("anna", "approval")[overrideKey("anna")]}`,
      }),
      denied: "its first line must be",
    },
  ])("lets people write $what, or not", async ({ before = plain, after, denied }) => {
    const found = await updateDenial(resource, anna, before, after);
    expect(found ?? "allowed").toContain(denied ?? "allowed");
  });

  test("lets a backup restore what other people wrote: it counts for another uid only", async () => {
    expect(
      await createDenial(resource, anna, autoUpdate({ ...request("bob"), ...override("bob", "signature") })),
    ).toBeNull();
  });
});

describeOnRealCluster("who may override which gate", () => {
  const admin = () => realKubeConfig();
  const api = () => admin().makeApiClient(RbacAuthorizationV1Api);
  const named = (name: string) => ({ metadata: { name } });

  /** Gives a group the role edit of AutoUpdates, and the right to override these gates, in a namespace of its own. */
  async function openTenant({ group, gates, isClusterWide = false }: Rights): Promise<string> {
    const namespace = `overrides-${randomUUID().slice(0, 8)}`;
    await admin()
      .makeApiClient(CoreV1Api)
      .createNamespace({ body: named(namespace) });
    const subjects = [{ kind: "Group", name: group, apiGroup: "rbac.authorization.k8s.io" }];
    const bind = (name: string) => ({
      ...named(`${group.replaceAll(":", "-")}-${name}`),
      roleRef: { kind: "ClusterRole", name, apiGroup: "rbac.authorization.k8s.io" },
      subjects,
    });
    const edit = bind("pawl-autoupdates-edit");
    await api().createNamespacedRoleBinding({ namespace, body: edit });
    const role = `overrides-${randomUUID().slice(0, 8)}`;
    const rules = [{ apiGroups: ["pawl.dev"], resources: ["gates"], resourceNames: [...gates], verbs: ["override"] }];
    if (gates.length > 0) {
      const wildcard = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
      const body = { ...named(role), rules: gates[0] === "*" ? [wildcard] : rules };
      await api().createClusterRole({ body });
      if (isClusterWide) await api().createClusterRoleBinding({ body: bind(role) });
      else await api().createNamespacedRoleBinding({ namespace, body: bind(role) });
    }
    return namespace;
  }

  async function denialIn(namespace: string, group: string, gate: string, user = "anna"): Promise<string> {
    const { kubeConfig } = impersonate(group, admin(), user);
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates", name: "deployment-web" };
    const body = [{ op: "add", path: "/metadata/annotations", value: override(user, gate) }];
    return kubeConfig
      .makeApiClient(CustomObjectsApi)
      .patchNamespacedCustomObject({ ...path, body, dryRun: "All" })
      .then(
        () => "allowed",
        (error: unknown) => String((error as { body?: string }).body ?? error),
      );
  }

  test.for<{ who: string; rights: Rights; allowed: readonly string[] }>([
    { who: "a person with the role edit", rights: { group: "t:editors", gates: [] }, allowed: [] },
    { who: "one with the right to another gate", rights: { group: "t:others", gates: ["windows"] }, allowed: [] },
    {
      who: "one with the right to approval",
      rights: { group: "t:approvers", gates: ["approval"] },
      allowed: ["approval"],
    },
    {
      who: "a tenant with the right to signature in the namespace",
      rights: { group: "t:tenants", gates: ["signature"] },
      allowed: [],
    },
    {
      who: "a tenant with every right in the namespace",
      rights: { group: "t:owners", gates: ["*"] },
      allowed: ["approval"],
    },
    {
      who: "one with the right to signature in the cluster",
      rights: { group: "t:signers", gates: ["signature"], isClusterWide: true },
      allowed: ["signature"],
    },
    { who: "a stolen updater", rights: { group: "pawl:updaters", gates: [] }, allowed: [] },
    { who: "a stolen recorder", rights: { group: "pawl:recorders", gates: [] }, allowed: [] },
  ])("$who: $allowed", async ({ rights, allowed }) => {
    const namespace = await openTenant(rights);
    const path = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates" };
    await admin()
      .makeApiClient(CustomObjectsApi)
      .createNamespacedCustomObject({ ...path, body: autoUpdate({}) });
    const isBound = async () => !(await denialIn(namespace, rights.group, "windows")).includes("cannot patch");
    if (!rights.group.startsWith("pawl:")) await eventually("the role is bound", isBound);
    const isAllowed = async (gate: string) => (await denialIn(namespace, rights.group, gate)) === "allowed";
    for (const gate of allowed) await eventually(`${gate} is allowed`, () => isAllowed(gate));
    for (const gate of ["approval", "signature"].filter((one) => !allowed.includes(one)))
      expect(await denialIn(namespace, rights.group, gate)).toMatch(
        /pawl-requests: override denied; it needs|pawl-auto-updates|cannot patch/,
      );
  });

  describe("what proves it is read", () => {
    test.for(["pawl:pollers", "pawl:recorders", "pawl:updaters", "pawl:analysts", "pawl:restorers"])(
      "by %s",
      async (group) => {
        expect(await readIdentityProblem(impersonate(group, admin()).kubeConfig, "requests")).toBeNull();
      },
    );

    test("and by nobody else", async () => {
      const found = await readIdentityProblem(impersonate("pawl:evictors", admin()).kubeConfig, "requests");
      expect(found).toContain("is not readable");
    });
  });
});
