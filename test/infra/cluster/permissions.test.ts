import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { functionSpecs, type FunctionSpec, handlerNames } from "../../../infra/constructs/functions.ts";
import {
  allowedBy,
  allowedForNodePools,
  type Binding,
  type ClusterRole,
  clusterFolder,
  filesOf,
  manifestsOf,
  ofKind,
} from "./manifests.ts";
import { groups } from "./pawl-groups.ts";
import { permissionRows, requestsForNodePools, requestsOfGroup } from "./permissions-table.ts";

/** Each is somebody besides, or only, where node pools are kept. */
const poolGroups = [
  "pawl:pollers",
  "pawl:recorders",
  "pawl:node-updaters",
  "pawl:drainers",
  "pawl:node-agents",
] as const;

describe("docs/permissions.md", () => {
  test("has a line for every function that is deployed, with the group of its role", () => {
    const deployed = handlerNames.map((name) => [name, functionSpecs[name].group ?? "none"]);
    const documented = permissionRows().map(({ name, group }) => [name, group]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(deployed));
    expect(documented).toHaveLength(deployed.length);
  });

  test.for(groups)("and the role of %s say the same", (group) => {
    expect([...new Set(requestsOfGroup(group))].toSorted()).toEqual(allowedBy(group));
  });

  test.for(poolGroups)("and what %s may do for node pools say the same", (group) => {
    expect([...new Set(requestsForNodePools(group))].toSorted()).toEqual(allowedForNodePools(group));
  });
});

describe("infra/cluster", () => {
  test("has no file that nothing applies", () => {
    const applied = [
      ...filesOf(clusterFolder),
      ...filesOf(join(clusterFolder, "one-namespace")),
      ...filesOf(join(clusterFolder, "prometheus")),
      ...filesOf(join(clusterFolder, "pull-secrets")),
      ...filesOf(join(clusterFolder, "pull-secrets", "one-namespace")),
      ...filesOf(join(clusterFolder, "node-pools")),
      ...filesOf(join(clusterFolder, "node-pools", "pull-secrets")),
    ];
    const written = readdirSync(clusterFolder, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".yaml") && !file.endsWith("kustomization.yaml"),
    );
    expect(applied.map((file) => file.slice(clusterFolder.length + 1)).toSorted()).toEqual(written.toSorted());
  });

  test("names no wildcard in a role, no Secrets, and nothing by which to become somebody else", () => {
    const manifests = [...manifestsOf(), ...manifestsOf("node-pools")];
    const ofRoles = (kind: "ClusterRole" | "Role") => ofKind(manifests, kind) as readonly ClusterRole[];
    const roles = [...ofRoles("ClusterRole"), ...ofRoles("Role")];
    const rules = roles.flatMap((role) => role.rules);
    const named = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    for (const never of ["*", "secrets", "pods/exec", "impersonate", "bind", "escalate"])
      expect(named).not.toContain(never);
  });

  test.for([
    { part: "everywhere", kind: "ClusterRoleBinding" },
    { part: "one-namespace", kind: "RoleBinding" },
  ])("binds each group to the role of its name: $part", ({ part, kind }) => {
    const bindings = ofKind(manifestsOf(part), kind) as readonly Binding[];
    expect(bindings.map(({ metadata }) => metadata.name)).toEqual(groups);
    for (const { metadata, roleRef, subjects } of bindings) {
      expect(roleRef).toMatchObject({ kind: "ClusterRole", name: metadata.name });
      expect(subjects).toEqual([{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: metadata.name }]);
    }
  });

  test.for([
    { part: "pull-secrets", kinds: ["ClusterRole", "ClusterRoleBinding"] },
    { part: "pull-secrets/one-namespace", kinds: ["Role", "RoleBinding"] },
  ])("lets polls read a Secret that they know by name, where it is asked to: $part", ({ part, kinds }) => {
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

  test("lets those read one Secret by its name who look at node pools, in an example to be copied", () => {
    const [role, binding, ...more] = manifestsOf("node-pools/pull-secrets") as readonly (ClusterRole & Binding)[];
    expect(more).toEqual([]);
    expect(role?.rules).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["registry-login"], verbs: ["get"] },
    ]);
    expect(binding?.roleRef).toMatchObject({ kind: "Role", name: role?.metadata.name });
    const readers = handlerNames.flatMap((name) => {
      const { group, uses }: FunctionSpec = functionSpecs[name];
      return uses.includes("pool-secrets") ? [group ?? "none"] : [];
    });
    expect(binding?.subjects.map(({ name }) => name).toSorted()).toEqual([...new Set(readers)].toSorted());
  });

  test.for(["policies", "node-pools/policies"])("denies what each policy refuses: %s", (part) => {
    const policies = ofKind(manifestsOf(part), "ValidatingAdmissionPolicy").map(({ metadata }) => metadata.name);
    const bindings = ofKind(manifestsOf(part), "ValidatingAdmissionPolicyBinding");
    const bound = policies.map((policyName) => ({ spec: { policyName, validationActions: ["Deny"] } }));
    expect(bindings).toEqual(bound.map((binding) => expect.objectContaining(binding)));
  });

  test("is spelled in the documentation as it is there", () => {
    const text = readFileSync(join(clusterFolder, "..", "..", "docs", "permissions.md"), "utf8");
    const folders = [...text.matchAll(/-k (infra\/cluster[a-z/-]*)/g)].map(([, folder]) => folder ?? "");
    expect(folders).toEqual(expect.arrayContaining(["infra/cluster", "infra/cluster/node-pools"]));
    for (const folder of folders) expect(filesOf(join(clusterFolder, "..", "..", folder)).length).toBeGreaterThan(0);
  });
});
