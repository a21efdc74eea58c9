import { matchesGlob } from "../../text/glob.ts";
import { suggest } from "../../text/suggest.ts";
import { fieldProblem, type Problem } from "../policy/problem.ts";
import type { RawPolicy } from "../policy/raw-policy.ts";
import type { Policy } from "../workload.ts";

/** A repository that a deployment allows, and for which workloads. */
export interface GitScope {
  readonly name: string;
  /** Globs; null is every namespace. */
  readonly namespaces: readonly string[] | null;
}

interface Resolved {
  readonly policy: Pick<Policy, "writeTo">;
  readonly problems: readonly Problem[];
}

/** Returns the repository that a policy names, and every reason for which nothing can be written to it. `scopes` is null if those of the deployment are not known. */
export function resolveWriteTo(
  policy: Policy,
  { writeTo: raw, ...others }: RawPolicy,
  namespace: string,
  scopes: readonly GitScope[] | null,
): Resolved {
  const { writeTo: wanted } = policy;
  if (raw === undefined || wanted === undefined) return { policy: {}, problems: [] };
  const allowed = allowedScopes(scopes ?? [], namespace);
  const name = wanted === "" && allowed.length === 1 ? (allowed[0] as GitScope).name : wanted;
  const reasons = [
    scopes === null || allowed.some((one) => one.name === name)
      ? null
      : unknownReason(name, namespace, scopes, allowed),
    (others["canary"] ?? others["canarySteps"]) ? "excludes a canary: its pods are not in git" : null,
    (others["digest"] ?? others["digestOnly"])
      ? "excludes restarts by digest: git names no digest that they could move"
      : null,
    policy.onRevert === undefined ? null : "excludes on-revert reapply: what a person reverts in git stays",
  ];
  const problems = reasons.flatMap((reason) =>
    reason === null ? [] : [fieldProblem(raw.place, "InvalidValue", reason)],
  );
  return { policy: { writeTo: name }, problems };
}

/** Returns the repositories that the workloads of a namespace may name. */
export function allowedScopes(scopes: readonly GitScope[], namespace: string): readonly GitScope[] {
  return scopes.filter(({ namespaces }) => namespaces?.some((glob) => matchesGlob(glob, namespace)) ?? true);
}

function unknownReason(
  name: string,
  namespace: string,
  scopes: readonly GitScope[],
  allowed: readonly GitScope[],
): string {
  if (scopes.length === 0) return "this deployment has no repository; add one to git in its configuration";
  const names = allowed.map((one) => one.name);
  if (name === "" && names.length > 1) return `names none of several repositories; use git/${names.join(" or git/")}`;
  if (names.length === 0) return `no repository of this deployment allows the namespace ${namespace}`;
  if (scopes.some((one) => one.name === name))
    return `the repository ${name} does not allow the namespace ${namespace}; use ${names.join(" or ")}`;
  const meant = suggest(name, names);
  return `${name} is no repository of this deployment; ${meant === null ? `use ${names.join(" or ")}` : `did you mean ${meant}?`}`;
}
