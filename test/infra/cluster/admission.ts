import { Environment } from "@marcbachmann/cel-js";
import { type Manifest, manifestsOf, ofKind } from "./manifests.ts";

interface Policy extends Manifest {
  readonly spec: {
    readonly failurePolicy: "Fail" | "Ignore";
    readonly matchConstraints: { readonly resourceRules: readonly ResourceRule[] };
    readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly {
      readonly expression: string;
      readonly message: string;
      readonly messageExpression?: string;
    }[];
  };
}

interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

/** As far as the policies look at it. `resource` is written `deployments.apps`, `claws/status.claw.prismer.ai`, `pods`. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: string;
  readonly groups: readonly string[];
  readonly object: object | null;
  readonly oldObject: object | null;
}

const applied = [...manifestsOf("policies"), ...manifestsOf("node-pools/policies")];
export const policies = ofKind(applied, "ValidatingAdmissionPolicy") as readonly Policy[];

/** Lists and maps of Kubernetes objects mix their types, as they do in the API server, where these are dyn. */
const cel = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });

/** The refusals of an API server with these policies; none is admission. An expression that fails throws: it would refuse. */
export function refusals(request: AdmissionRequest): readonly string[] {
  return policies.filter((policy) => concerns(policy, request)).flatMap((policy) => refusalsOf(policy, request));
}

function concerns({ spec }: Policy, { operation, resource }: AdmissionRequest): boolean {
  const { group, plural } = parsed(resource);
  return spec.matchConstraints.resourceRules.some(
    ({ apiGroups, operations, resources }) =>
      apiGroups.includes(group) && operations.includes(operation) && resources.includes(plural),
  );
}

function refusalsOf({ spec }: Policy, request: AdmissionRequest): readonly string[] {
  const { object, oldObject } = request;
  const context = { object, oldObject, request: asSeen(request), variables: {} as Record<string, unknown> };
  if (!spec.matchConditions.every(({ expression }) => isTrue(expression, context))) return [];
  for (const { name, expression } of spec.variables ?? []) context.variables[name] = cel.evaluate(expression, context);
  return spec.validations
    .filter(({ expression }) => !isTrue(expression, context))
    .map(({ message, messageExpression }) =>
      messageExpression === undefined ? message : String(cel.evaluate(messageExpression, context)),
    );
}

function isTrue(expression: string, context: object): boolean {
  const answer: unknown = cel.evaluate(expression, context);
  if (typeof answer !== "boolean") throw new Error(`${expression} is ${String(answer)}, neither true nor false`);
  return answer;
}

/** What is empty is absent, as in the JSON of an AdmissionRequest. */
function asSeen({ operation, resource, groups }: AdmissionRequest): object {
  const { group, plural } = parsed(resource);
  return {
    operation,
    resource: { group, resource: plural.split("/")[0] },
    userInfo: { username: "somebody", ...(groups.length === 0 ? {} : { groups }) },
  };
}

function parsed(resource: string): { readonly group: string; readonly plural: string } {
  const [plural = "", ...group] = resource.split(".");
  return { group: group.join("."), plural };
}
