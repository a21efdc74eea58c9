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

/** The files of a folder that a kustomization names, itself left out, folders gone into. */
export function filesOf(folder: string): readonly string[] {
  const { resources } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as { resources: string[] };
  return resources.flatMap((resource) =>
    resource.endsWith(".yaml") ? [join(folder, resource)] : filesOf(join(folder, resource)),
  );
}

/** What `kubectl apply -k infra/cluster/PART` applies, in the order of its kustomization. */
export function manifestsOf(part = "."): readonly Manifest[] {
  return filesOf(join(clusterFolder, part)).flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).map((document) => document.toJS() as Manifest),
  );
}

export function ofKind(manifests: readonly Manifest[], kind: string): readonly Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** What a role allows, each as `verb resource.group`: `patch claws/status.claw.prismer.ai`, `list pods`. */
export function allowedBy(group: string): readonly string[] {
  const roles = ofKind(manifestsOf("roles"), "ClusterRole") as readonly ClusterRole[];
  const role = roles.find(({ metadata }) => metadata.name === group);
  if (role === undefined) throw new Error(`there is no ClusterRole ${group}`);
  return inWords(role.rules);
}

/** What a group may do besides where node pools are kept, by whatever role is bound to it. */
export function allowedForNodePools(group: string): readonly string[] {
  const roles = [...ofNodePools<ClusterRole>("ClusterRole"), ...ofNodePools<ClusterRole>("Role")];
  const bindings = [...ofNodePools<Binding>("ClusterRoleBinding"), ...ofNodePools<Binding>("RoleBinding")];
  const bound = bindings.filter(({ subjects }) =>
    subjects.some(({ kind, name }) => kind === "Group" && name === group),
  );
  const names = new Set(bound.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`));
  const granted = roles.filter(({ kind, metadata }) => names.has(`${kind} ${metadata.name}`));
  return inWords(granted.flatMap(({ rules }) => rules));
}

function ofNodePools<Of extends Manifest>(kind: Of["kind"]): readonly Of[] {
  return ofKind(manifestsOf("node-pools"), kind) as readonly Of[];
}

function inWords(rules: readonly Rule[]): readonly string[] {
  const each = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${verb} ${resource}${apiGroup === "" ? "" : `.${apiGroup}`}`),
      ),
    ),
  );
  return each.toSorted();
}
