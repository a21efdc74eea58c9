import { type ImageReference, parseImageReference } from "../image/reference.ts";
import { isInScope } from "../image/repository-pattern.ts";
import type { Requirement } from "./authority.ts";

/** Which images a rule is for. */
export interface RuleScope {
  /** Patterns of repositories: `ghcr.io/shop`. */
  readonly repositories: readonly string[];
  /** Of the workloads; null is all. */
  readonly namespaces: readonly string[] | null;
  /** "warn": what is not met is reported, and the image is applied. */
  readonly mode: "enforce" | "warn";
}

/** What must be signed about the images of some repositories. The deployment defines it, never a tenant. */
export interface VerifyRule extends RuleScope {
  /** All of them. */
  readonly requirements: readonly Requirement[];
}

/** Returns the rules for an image of a workload in this namespace. All of them must be met. */
export function rulesFor<Rule extends RuleScope>(
  rules: readonly Rule[],
  image: ImageReference,
  namespace: string,
): readonly Rule[] {
  return rules.filter(
    ({ repositories, namespaces }) => isInScope(repositories, image) && (namespaces?.includes(namespace) ?? true),
  );
}

/** Reports whether a rule that is enforced is for an image of a workload in this namespace. */
export function hasEnforcedRule(rules: readonly RuleScope[], image: string, namespace: string): boolean {
  const parsed = parseImageReference(image);
  return !("kind" in parsed) && rulesFor(rules, parsed, namespace).some(({ mode }) => mode === "enforce");
}
