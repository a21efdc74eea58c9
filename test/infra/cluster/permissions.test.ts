import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { functionSpecs, handlerNames } from "../../../infra/constructs/functions.ts";
import { allowedBy, type Binding, type ClusterRole, clusterFolder, filesOf, manifestsOf, ofKind } from "./manifests.ts";
import { groups } from "./pawl-groups.ts";
import { permissionRows, requestsOfGroup } from "./permissions-table.ts";

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
});

describe("infra/cluster", () => {
  test("has no file that nothing applies", () => {
    const applied = [
      ...filesOf(clusterFolder),
      ...filesOf(join(clusterFolder, "one-namespace")),
      ...filesOf(join(clusterFolder, "prometheus")),
      ...filesOf(join(clusterFolder, "pull-secrets")),
      ...filesOf(join(clusterFolder, "pull-secrets", "one-namespace")),
    ];
    const written = readdirSync(clusterFolder, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".yaml") && !file.endsWith("kustomization.yaml"),
    );
    expect(applied.map((file) => file.slice(clusterFolder.length + 1)).toSorted()).toEqual(written.toSorted());
  });

  test("names no wildcard in a role, no Secrets, and nothing by which to become somebody else", () => {
    const roles = ofKind(manifestsOf(), "ClusterRole") as readonly ClusterRole[];
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

  test("denies what each policy refuses", () => {
    const policies = ofKind(manifestsOf("policies"), "ValidatingAdmissionPolicy").map(({ metadata }) => metadata.name);
    const bindings = ofKind(manifestsOf("policies"), "ValidatingAdmissionPolicyBinding");
    const bound = policies.map((policyName) => ({ spec: { policyName, validationActions: ["Deny"] } }));
    expect(bindings).toEqual(bound.map((binding) => expect.objectContaining(binding)));
  });

  test("is spelled in the documentation as it is there", () => {
    const text = readFileSync(join(clusterFolder, "..", "..", "docs", "permissions.md"), "utf8");
    const folders = [...text.matchAll(/-k (infra\/cluster[a-z/-]*)/g)].map(([, folder]) => folder ?? "");
    expect(folders).toContain("infra/cluster");
    for (const folder of folders) expect(filesOf(join(clusterFolder, "..", "..", folder)).length).toBeGreaterThan(0);
  });
});
