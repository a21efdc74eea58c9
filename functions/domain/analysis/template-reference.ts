import type { Args } from "./template.ts";

/** Where a template of Argo Rollouts is, and the arguments that a workload gives to it. */
export interface TemplateReference {
  readonly kind: "AnalysisTemplate" | "ClusterAnalysisTemplate";
  readonly name: string;
  readonly args: Args;
}

const reference = /^((?:Cluster)?AnalysisTemplate)\/([a-z0-9.-]+)(?:\?(.*))?$/;

/** Parses `AnalysisTemplate/success-rate?service=web`; null if the text is another analysis. */
export function parseTemplateReference(text: string): TemplateReference | null {
  const [whole, kind, name = "", args = ""] = reference.exec(text) ?? [];
  if (whole === undefined) return null;
  return { kind: kind as TemplateReference["kind"], name, args: Object.fromEntries(new URLSearchParams(args)) };
}

/** Reports whether an object is a template of Argo Rollouts. */
export function isTemplate(input: unknown): input is { readonly spec?: unknown } {
  const isObject = typeof input === "object" && input !== null && "kind" in input;
  return isObject && (input.kind === "AnalysisTemplate" || input.kind === "ClusterAnalysisTemplate");
}
