import { isFields, type Fields, type KubeObject } from "../objects.ts";
import { builtInResources, type Resource } from "../resources.ts";

/** The resources that the server supports: the built-in ones, and one for every version of every CRD. */
export interface ResourceRegistry {
  all(): readonly Resource[];
  find(group: string, version: string, plural: string): Resource | undefined;
  findKind(apiVersion: string, kind: string): Resource | undefined;
  define(crd: KubeObject): void;
  remove(crd: KubeObject): void;
}

export function createResourceRegistry(): ResourceRegistry {
  const custom = new Map<string, readonly Resource[]>();
  const all = (): readonly Resource[] => [...builtInResources, ...[...custom.values()].flat()];
  return {
    all,
    find: (group, version, plural) =>
      all().find((one) => one.group === group && one.version === version && one.plural === plural),
    findKind(apiVersion, kind) {
      const [version = "", group = ""] = apiVersion.split("/").toReversed();
      return all().find((one) => one.group === group && one.version === version && one.kind === kind);
    },
    define(crd) {
      custom.set(crd.metadata.name, resourcesOf(crd.spec as CrdSpec));
    },
    remove(crd) {
      custom.delete(crd.metadata.name);
    },
  };
}

interface CrdSpec {
  readonly group: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly names: {
    readonly plural: string;
    readonly kind: string;
    readonly singular?: string;
    readonly shortNames?: string[];
  };
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly subresources?: Fields;
    readonly schema?: { readonly openAPIV3Schema?: Fields };
  }[];
}

/** Returns the resources of a CRD. Schemas are not enforced: they neither prune nor reject fields. */
function resourcesOf({ group, scope, names, versions }: CrdSpec): readonly Resource[] {
  return versions
    .filter((version) => version.served)
    .map((version) => {
      const hasStatus = isFields(version.subresources?.["status"]);
      return {
        group,
        version: version.name,
        plural: names.plural,
        singular: names.singular ?? names.kind.toLowerCase(),
        kind: names.kind,
        shortNames: names.shortNames ?? [],
        namespaced: scope === "Namespaced",
        hasStatus,
        custom: true,
        generationScope: hasStatus ? "content but status" : "content",
        schema: version.schema?.openAPIV3Schema ?? {},
        fieldSelectors: [],
      };
    });
}
