import type { StatefulSet } from "../stateful-set.ts";
import type { StatefulCanary } from "./object.ts";
import { setNames } from "./set.ts";

interface ClaimTemplate {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: { readonly storage?: string | number } };
  };
}

interface FixedFields {
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly volumeClaimTemplates?: readonly ClaimTemplate[];
}

/** Returns the problems of fields that differ from the stable set, and that Kubernetes allows nobody to change. */
export function immutableProblems(object: StatefulCanary, stable: StatefulSet | null): readonly string[] {
  if (stable === null) return [];
  const wanted = describeFixed(object.spec.template, object.metadata.name);
  const found = describeFixed(stable.spec as FixedFields, object.metadata.name);
  return Object.entries(wanted).flatMap(([field, value]) =>
    value === found[field]
      ? []
      : [
          `spec.template.${field}: ${value} cannot replace ${found[field]} in StatefulSet ${setNames(object).stable}; restore it, or create ` +
            `another StatefulCanary`,
        ],
  );
}

function describeFixed(fields: FixedFields, name: string): Readonly<Record<string, string>> {
  const { serviceName = name, podManagementPolicy = "OrderedReady", volumeClaimTemplates = [] } = fields;
  return {
    serviceName,
    podManagementPolicy,
    volumeClaimTemplates: `[${volumeClaimTemplates.map(describeClaim).join(", ")}]`,
  };
}

function describeClaim({ metadata, spec = {} }: ClaimTemplate): string {
  const { accessModes = [], storageClassName = "", resources } = spec;
  const storage = resources?.requests?.storage ?? "";
  return [metadata?.name, ...accessModes, storageClassName, formatQuantity(String(storage))].filter(Boolean).join(" ");
}

/** Exponents of 1000, or of 1024 with an `i`. */
const exponents = ["", "k", "M", "G", "T", "P", "E"];

/** Returns a quantity in bytes: the API server writes 1024Mi as 1Gi. Returns any other text unchanged. */
function formatQuantity(text: string): string {
  const [, number = "", suffix = "", binary = ""] = /^(\d+(?:\.\d+)?(?:[eE]\d+)?)([kKMGTPE]?)(i?)$/.exec(text) ?? [];
  const exponent = exponents.indexOf(suffix === "K" ? "k" : suffix);
  return number === "" ? text : `${Number(number) * (binary === "" ? 1000 : 1024) ** exponent} bytes`;
}
