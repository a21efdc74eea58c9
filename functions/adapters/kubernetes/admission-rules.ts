import { createHash } from "node:crypto";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: string;
}

/** The spec of a ValidatingAdmissionPolicy. */
export interface AdmissionRules {
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly object[];
  readonly paramKind?: object;
  readonly matchConstraints?: {
    readonly resourceRules?: readonly Rule[];
    readonly excludeResourceRules?: readonly object[];
    readonly namespaceSelector?: object;
    readonly objectSelector?: object;
  };
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations?: readonly { readonly expression: string }[];
}

/** Of `infra/cluster/admission-policies`, as `hashRules` computes them. */
export const policyHashes = {
  approvals: "97108ceeb21bc2ccdd7fc38b84e12ef0c7b895e5e70abd7ddd654f7519d4a8de",
  requests: "fb516da7475e84b6f349854aff5c3644ae0a72bd6914297b4e86d9130e0d11e8",
} as const;

/** Reports whether a policy refuses what that of this release refuses: the same objects, by the same expressions. */
export function isOfThisRelease(of: keyof typeof policyHashes, spec: AdmissionRules): boolean {
  return hashRules(spec) === policyHashes[of];
}

/** Returns a hash of all that decides what a policy refuses. Messages, and the defaults that the API server adds, do not count. */
export function hashRules(spec: AdmissionRules): string {
  const { failurePolicy = "Fail", matchConditions = [], paramKind = null, variables = [], validations = [] } = spec;
  const { resourceRules = [], excludeResourceRules = [], ...selectors } = spec.matchConstraints ?? {};
  const rules = resourceRules.map(
    ({ apiGroups, apiVersions, operations, resources, resourceNames = [], scope = "*" }) => [
      apiGroups,
      apiVersions,
      operations,
      resources,
      resourceNames,
      scope,
    ],
  );
  const counted = [
    [failurePolicy, matchConditions, paramKind, rules, excludeResourceRules],
    [selectors.namespaceSelector ?? {}, selectors.objectSelector ?? {}],
    variables.map(({ name, expression }) => [name, expression]),
    validations.map(({ expression }) => expression),
  ];
  return createHash("sha256").update(JSON.stringify(counted)).digest("hex");
}
