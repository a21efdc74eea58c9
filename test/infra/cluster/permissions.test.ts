import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { FunctionSpec } from "../../../infra/constructs/functions/function-spec.ts";
import { functionSpecs, handlerNames } from "../../../infra/constructs/functions/function-specs.ts";
import {
  permissionsOf,
  nodePoolPermissionsOf,
  type Binding,
  type ClusterRole,
  clusterFolder,
  filesOf,
  manifestsOf,
  ofKind,
} from "./manifests.ts";
import { groups } from "./pawl-groups.ts";
import { permissionRows, requestsForNodePools, requestsOfGroup } from "./permissions-table.ts";

/** The groups that have permissions with node pools. */
const poolGroups = [
  "pawl:pollers",
  "pawl:recorders",
  "pawl:node-updaters",
  "pawl:drainers",
  "pawl:node-agents",
] as const;

describe("docs/reference/permissions.md", () => {
  test("has a row for every deployed function, with the group of its role", () => {
    const deployed = handlerNames.map((name) => [name, functionSpecs[name].group ?? "none"]);
    const documented = permissionRows().map(({ name, group }) => [name, group]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(deployed));
    expect(documented).toHaveLength(deployed.length);
  });

  test.for(groups)("agrees with the role of %s", (group) => {
    expect([...new Set(requestsOfGroup(group))].toSorted()).toEqual(permissionsOf(group));
  });

  test("agrees with the role of pawl:restorers", () => {
    expect(requestsOfGroup("pawl:restorers")).toEqual(permissionsOf("pawl:restorers", "releases"));
  });

  test("agrees with the role of pawl:hook-runners", () => {
    expect([...new Set(requestsOfGroup("pawl:hook-runners"))].toSorted()).toEqual(
      permissionsOf("pawl:hook-runners", "hooks"),
    );
  });

  test.for(poolGroups)("agrees with the node pool permissions of %s", (group) => {
    expect([...new Set(requestsForNodePools(group))].toSorted()).toEqual(nodePoolPermissionsOf(group));
  });
});

describe("infra/cluster", () => {
  test("every file is in a kustomization", () => {
    const applied = [
      ...filesOf(clusterFolder),
      ...filesOf(join(clusterFolder, "namespaced")),
      ...filesOf(join(clusterFolder, "prometheus")),
      ...filesOf(join(clusterFolder, "pull-secrets")),
      ...filesOf(join(clusterFolder, "pull-secrets", "namespaced")),
      ...filesOf(join(clusterFolder, "releases")),
      ...filesOf(join(clusterFolder, "hooks")),
      ...filesOf(join(clusterFolder, "peers")),
      ...filesOf(join(clusterFolder, "node-pools")),
      ...filesOf(join(clusterFolder, "node-pools", "forced-drains")),
      ...filesOf(join(clusterFolder, "node-pools", "pull-secrets")),
    ];
    const written = readdirSync(clusterFolder, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".yaml") && !file.endsWith("kustomization.yaml"),
    );
    expect(applied.map((file) => file.slice(clusterFolder.length + 1)).toSorted()).toEqual(written.toSorted());
  });

  test.for([
    { folder: "without-admission-policies", whole: "." },
    { folder: "node-pools/without-admission-policies", whole: "node-pools" },
  ])("$folder is $whole but for the policies", ({ folder, whole }) => {
    const isPolicy = (file: string) => file.includes("/admission-policies/");
    const files = filesOf(join(clusterFolder, whole));
    expect(files.some(isPolicy)).toBe(true);
    expect(filesOf(join(clusterFolder, folder))).toEqual(files.filter((file) => !isPolicy(file)));
  });

  test("no role contains a wildcard, Secrets, or a verb for privilege escalation", () => {
    const manifests = [
      ...manifestsOf(),
      ...manifestsOf("releases"),
      ...manifestsOf("hooks"),
      ...manifestsOf("peers"),
      ...manifestsOf("node-pools"),
    ];
    const ofRoles = (kind: "ClusterRole" | "Role") => ofKind(manifests, kind) as readonly ClusterRole[];
    const roles = [...ofRoles("ClusterRole"), ...ofRoles("Role")];
    const rules = roles.flatMap((role) => role.rules);
    const terms = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    for (const term of ["*", "secrets", "pods/exec", "impersonate", "bind", "escalate"])
      expect(terms).not.toContain(term);
  });

  test.for([
    { part: "cluster-wide", kind: "ClusterRoleBinding", bound: groups },
    { part: "namespaced", kind: "RoleBinding", bound: groups },
    { part: "peers", kind: "ClusterRoleBinding", bound: ["pawl:peers"] },
  ])("binds each group to the role with its name: $part", ({ part, kind, bound }) => {
    const bindings = ofKind(manifestsOf(part), kind) as readonly Binding[];
    expect(bindings.map(({ metadata }) => metadata.name)).toEqual(bound);
    for (const { metadata, roleRef, subjects } of bindings) {
      expect(roleRef).toMatchObject({ kind: "ClusterRole", name: metadata.name });
      expect(subjects).toEqual([{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: metadata.name }]);
    }
  });

  test.for([
    { part: "pull-secrets", kinds: ["ClusterRole", "ClusterRoleBinding"] },
    { part: "pull-secrets/namespaced", kinds: ["Role", "RoleBinding"] },
  ])("allows pollers to read named Secrets: $part", ({ part, kinds }) => {
    const [role, binding, ...more] = manifestsOf(part) as readonly (ClusterRole & Binding)[];
    expect([role?.kind, binding?.kind, more.length]).toEqual([...kinds, 0]);
    const rule = { apiGroups: [""], verbs: ["get"] };
    expect(role?.rules).toEqual([
      { ...rule, resources: ["secrets"] },
      { ...rule, resources: ["serviceaccounts"] },
    ]);
    expect(binding?.roleRef).toMatchObject({ kind: kinds[0], name: role?.metadata.name });
    expect(binding?.subjects).toEqual([{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "pawl:pollers" }]);
  });

  test("forced drains allow only drainers to delete pods, and nothing else", () => {
    const [role, binding, ...more] = manifestsOf("node-pools/forced-drains") as readonly (ClusterRole & Binding)[];
    expect(more).toEqual([]);
    expect(role?.rules).toEqual([{ apiGroups: [""], resources: ["pods"], verbs: ["delete"] }]);
    expect(binding?.roleRef).toMatchObject({ kind: "ClusterRole", name: role?.metadata.name });
    expect(binding?.subjects.map(({ name }) => name)).toEqual(["pawl:drainers"]);
  });

  test("the example for node pools allows one named Secret to the groups that read pools", () => {
    const [role, binding, ...more] = manifestsOf("node-pools/pull-secrets") as readonly (ClusterRole & Binding)[];
    expect(more).toEqual([]);
    expect(role?.rules).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["registry-login"], verbs: ["get"] },
    ]);
    expect(binding?.roleRef).toMatchObject({ kind: "Role", name: role?.metadata.name });
    const readers = handlerNames.flatMap((name) => {
      const { group, capabilities }: FunctionSpec = functionSpecs[name];
      return capabilities.includes("pool-secrets") ? [group ?? "none"] : [];
    });
    expect(binding?.subjects.map(({ name }) => name).toSorted()).toEqual([...new Set(readers)].toSorted());
  });

  test.for(["admission-policies", "node-pools/admission-policies"])(
    "each policy is bound with the action Deny: %s",
    (part) => {
      const policies = ofKind(manifestsOf(part), "ValidatingAdmissionPolicy").map(({ metadata }) => metadata.name);
      const bindings = ofKind(manifestsOf(part), "ValidatingAdmissionPolicyBinding");
      const bound = policies.map((policyName) => ({ spec: { policyName, validationActions: ["Deny"] } }));
      expect(bindings).toHaveLength(bound.length);
      expect(bindings).toMatchObject(bound);
    },
  );

  test.for(["admission-policies", "node-pools/admission-policies"])(
    "each policy applies to the groups of Pawl only, and denies if its evaluation fails: %s",
    (part) => {
      const ofPawl = {
        expression: "has(request.userInfo.groups) && request.userInfo.groups.exists(g, g.startsWith('pawl:'))",
      };
      const policies = ofKind(manifestsOf(part), "ValidatingAdmissionPolicy");
      expect(policies.length).toBeGreaterThan(3);
      // What people write in the name of others is denied to everybody.
      for (const policy of policies.filter(
        ({ metadata }) => !["pawl-approvals", "pawl-requests"].includes(metadata.name),
      ))
        expect(policy).toMatchObject({ spec: { failurePolicy: "Fail", matchConditions: [ofPawl] } });
    },
  );

  test("no role lets a group of Pawl write a ConfigMap: nothing of Pawl freezes, or ends a freeze", () => {
    const files = readdirSync(clusterFolder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".yaml"),
    );
    const roles = files
      .flatMap((file) => parseAllDocuments(readFileSync(join(clusterFolder, file), "utf8")))
      .map((document) => document.toJS() as ClusterRole)
      .filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
    const verbs = roles
      .flatMap(({ rules }) => rules)
      .filter(({ resources }) => resources.some((resource) => ["configmaps", "*"].includes(resource)))
      .flatMap((rule) => rule.verbs);
    expect(verbs.length).toBeGreaterThan(3);
    expect(verbs.filter((verb) => !["get", "list", "watch"].includes(verb))).toEqual([]);
  });

  test("docs/reference/permissions.md names existing folders", () => {
    const text = readFileSync(join(clusterFolder, "..", "..", "docs", "reference", "permissions.md"), "utf8");
    const folders = [...text.matchAll(/-k (infra\/cluster[a-z/-]*)/g)].map(([, folder]) => folder ?? "");
    expect(folders).toEqual(expect.arrayContaining(["infra/cluster", "infra/cluster/node-pools"]));
    for (const folder of folders) expect(filesOf(join(clusterFolder, "..", "..", folder)).length).toBeGreaterThan(0);
  });
});
