import { switchFolders } from "../../functions/domain/cluster/switches.ts";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import type { DoctorTarget } from "./target.ts";

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role extends Manifest {
  readonly rules: readonly Rule[];
}

interface Binding extends Manifest {
  readonly roleRef: { readonly name: string };
  readonly subjects: readonly { readonly name: string }[];
}

const clusterFolder = fileURLToPath(new URL("../../infra/cluster", import.meta.url));
const docsFolder = fileURLToPath(new URL("../../docs", import.meta.url));

/** Returns the folders of `infra/cluster` that a configuration needs. "." is what every cluster needs. */
export function partsOf({ cluster, config }: Pick<DoctorTarget, "cluster" | "config">): readonly string[] {
  return [
    ".",
    ...new Set([...switchFolders(cluster), ...(config.registries.usePullSecrets ? ["pull-secrets"] : [])]),
    ...(cluster.nodePools === null ? [] : ["node-pools"]),
  ];
}

/** Returns the path of a part from the working directory: in a project of its own, the package is below `node_modules`. */
export function partPath(part: string): string {
  return relative(process.cwd(), join(clusterFolder, part));
}

/** Returns the path of a page of the documentation in the same way. */
export function pagePath(page: string): string {
  return relative(process.cwd(), join(docsFolder, page));
}

/** Returns the objects of `kubectl apply -k infra/cluster/PART`. */
export function readManifests(part: string): readonly Manifest[] {
  return filesOf(join(clusterFolder, part)).flatMap((file) =>
    parseAllDocuments(readFileSync(file, "utf8")).map((document) => document.toJS() as Manifest),
  );
}

function filesOf(folder: string): readonly string[] {
  const { resources } = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as {
    readonly resources: string[];
  };
  return resources.flatMap((one) => (one.endsWith(".yaml") ? [join(folder, one)] : filesOf(join(folder, one))));
}

/** Returns the rules of each group, by the bindings of the manifests. */
export function rulesByGroup(manifests: readonly Manifest[]): ReadonlyMap<string, readonly Rule[]> {
  const roles = new Map(
    manifests.filter(({ kind }) => kind.endsWith("Role")).map((role) => [role.metadata.name, role]),
  );
  const rules = new Map<string, readonly Rule[]>();
  for (const binding of manifests.filter(({ kind }) => kind.endsWith("RoleBinding")) as Binding[]) {
    const role = roles.get(binding.roleRef.name) as Role | undefined;
    for (const { name } of binding.subjects) rules.set(name, [...(rules.get(name) ?? []), ...(role?.rules ?? [])]);
  }
  return rules;
}

/** Reports whether everything in the first value is in the second: the API server adds defaults. */
export function isIn(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(expected, actual);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(expected) !== Array.isArray(actual)) return false;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return false;
  const found = actual as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([key, value]) => isIn(value, found[key]));
}
