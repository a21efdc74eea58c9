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
  const manifests = manifestsOf("node-pools");
  const roles = [...ofKind(manifests, "ClusterRole"), ...ofKind(manifests, "Role")] as readonly ClusterRole[];
  const all = [...ofKind(manifests, "ClusterRoleBinding"), ...ofKind(manifests, "RoleBinding")] as readonly Binding[];
  const bound = all.filter(({ subjects }) => subjects.some(({ kind, name }) => kind === "Group" && name === group));
  const names = bound.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`);
  return inWords(roles.filter(({ kind, metadata }) => names.includes(`${kind} ${metadata.name}`)).flatMap(rulesOf));
}

function rulesOf({ rules }: ClusterRole): readonly Rule[] {
  return rules;
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
