import type { StatefulSet } from "../built-in/stateful-set.ts";
import type { StatefulCanary } from "./object.ts";
import { setNames } from "./set.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

type Fields = Readonly<Record<string, unknown>>;

interface ClaimTemplate {
  readonly metadata?: { readonly name?: string; readonly labels?: Fields; readonly annotations?: Fields };
  readonly spec?: {
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    /** Default `Filesystem`, which the API server writes. */
    readonly volumeMode?: string;
    readonly dataSource?: Fields;
    readonly dataSourceRef?: Fields;
    readonly resources?: { readonly requests?: { readonly storage?: string | number } };
  };
}

interface FixedFields {
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly volumeClaimTemplates?: readonly ClaimTemplate[];
}

/** Returns the problems of fields that differ from the stable set, and that Kubernetes allows nobody to change. */
export function immutableProblems(object: StatefulCanary, stable: StatefulSet | null): readonly Problem[] {
  if (stable === null) return [];
  const wanted = describeFixed(object.spec.template, object.metadata.name);
  const found = describeFixed(stable.spec as FixedFields, object.metadata.name);
  return Object.entries(wanted).flatMap(([field, value]) =>
    value === found[field]
      ? []
      : [
          fieldProblem(
            `spec.template.${field}`,
            "NotSupported",
            `${value} cannot replace ${found[field]} in StatefulSet ${setNames(object).stable}; restore it, or create ` +
              `another StatefulCanary`,
          ),
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

function describeClaim({ metadata: { name, labels, annotations } = {}, spec = {} }: ClaimTemplate): string {
  const { accessModes = [], storageClassName, resources, volumeMode, dataSource, dataSourceRef } = spec;
  const storage = formatQuantity(String(resources?.requests?.storage ?? ""));
  const mode = volumeMode === "Filesystem" ? undefined : volumeMode;
  const others = Object.entries({ labels, annotations, dataSource, dataSourceRef }).map(describeFields);
  return [name, ...accessModes, storageClassName, storage, mode, ...others].filter(Boolean).join(" ");
}

function describeFields([name, fields = {}]: readonly [string, Fields | undefined]): string {
  const values = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return values.length === 0 ? "" : `${name} ${JSON.stringify(Object.fromEntries(values))}`;
}

/** Exponents of 1000, or of 1024 with an `i`. */
const exponents = ["", "k", "M", "G", "T", "P", "E"];

/** Returns a quantity in bytes: the API server writes 1024Mi as 1Gi. Returns any other text unchanged. */
function formatQuantity(text: string): string {
  const [, number = "", suffix = "", binary = ""] = /^(\d+(?:\.\d+)?(?:[eE]\d+)?)([kKMGTPE]?)(i?)$/.exec(text) ?? [];
  const exponent = exponents.indexOf(suffix === "K" ? "k" : suffix);
  return number === "" ? text : `${Number(number) * (binary === "" ? 1000 : 1024) ** exponent} bytes`;
}
