import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

export const clusterFolder = join(import.meta.dirname, "..", "..", "..", "infra", "cluster");

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface ClusterRole extends Manifest {
  readonly rules: readonly Rule[];
}

export interface Binding extends Manifest {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string }[];
}

/** Returns the files that the kustomization of a folder names, and recursively those of the folders that it names. */
export function filesOf(folder: string): readonly string[] {
  const { resources } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as { resources: string[] };
  return resources.flatMap((resource) =>
    resource.endsWith(".yaml") ? [join(folder, resource)] : filesOf(join(folder, resource)),
  );
}

/** Returns the objects of `kubectl apply -k infra/cluster/PART`, in the order of its kustomization. */
export function manifestsOf(part = "."): readonly Manifest[] {
  return filesOf(join(clusterFolder, part)).flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).map((document) => document.toJS() as Manifest),
  );
}

export function ofKind(manifests: readonly Manifest[], kind: string): readonly Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** Returns the permissions of a group as `verb resource.group`: `patch claws/status.claw.prismer.ai`, `list pods`. */
export function permissionsOf(group: string, part = "rbac"): readonly string[] {
  const roles = ofKind(manifestsOf(part), "ClusterRole") as readonly ClusterRole[];
  const role = roles.find(({ metadata }) => metadata.name === group);
  if (role === undefined) throw new Error(`ClusterRole ${group} not found`);
  return formatRules(role.rules);
}

/** Returns those of them that are not for the one ConfigMap with the freezes. */
export function permissionsButFreezes(group: string): readonly string[] {
  const roles = ofKind(manifestsOf("rbac"), "ClusterRole") as readonly ClusterRole[];
  const rules = roles.find(({ metadata }) => metadata.name === group)?.rules ?? [];
  return formatRules(rules.filter(({ resourceNames = [] }) => !resourceNames.includes("pawl-freeze")));
}

/** Returns the additional permissions of a group with node pools, from every role that is bound to it; without those for one object of a name if `areNamed` is false. */
export function nodePoolPermissionsOf(group: string, areNamed = true): readonly string[] {
  const roles = [...nodePoolObjects<ClusterRole>("ClusterRole"), ...nodePoolObjects<ClusterRole>("Role")];
  const bindings = [...nodePoolObjects<Binding>("ClusterRoleBinding"), ...nodePoolObjects<Binding>("RoleBinding")];
  const bound = bindings.filter(({ subjects }) =>
    subjects.some(({ kind, name }) => kind === "Group" && name === group),
  );
  const names = new Set(bound.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`));
  const granted = roles.filter(({ kind, metadata }) => names.has(`${kind} ${metadata.name}`));
  const rules = granted.flatMap((role) => role.rules);
  return formatRules(rules.filter(({ resourceNames }) => areNamed || resourceNames === undefined));
}

function nodePoolObjects<Of extends Manifest>(kind: Of["kind"]): readonly Of[] {
  return ofKind(manifestsOf("node-pools"), kind) as readonly Of[];
}

function formatRules(rules: readonly Rule[]): readonly string[] {
  const permissions = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${verb} ${resource}${apiGroup === "" ? "" : `.${apiGroup}`}`),
      ),
    ),
  );
  return permissions.toSorted();
}
