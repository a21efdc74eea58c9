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

/** The fields that the policies read. `resource` is written `deployments.apps`, `claws/status.claw.prismer.ai`, `pods`. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: string;
  readonly groups: readonly string[];
  readonly object: object | null;
  readonly oldObject: object | null;
  /** Of the request itself, such as DeleteOptions. */
  readonly options?: object | null;
}

const applied = [...manifestsOf("admission-policies"), ...manifestsOf("node-pools/admission-policies")];
export const policies = ofKind(applied, "ValidatingAdmissionPolicy") as readonly Policy[];

/** Lists and maps of Kubernetes objects mix their types, as in the API server, where these are dyn. */
const cel = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });

/** Returns the messages with which the policies deny a request; empty if it is admitted. Throws if an expression fails. */
export function denials(request: AdmissionRequest): readonly string[] {
  return policies.filter((policy) => matches(policy, request)).flatMap((policy) => denialsOf(policy, request));
}

type Groups = string | readonly string[];

export function createDenials(resource: string, groups: Groups, object: object): readonly string[] {
  return denials({ operation: "CREATE", resource, groups: [groups].flat(), oldObject: null, object });
}

export function updateDenials(resource: string, groups: Groups, oldObject: object, object: object): readonly string[] {
  return denials({ operation: "UPDATE", resource, groups: [groups].flat(), oldObject, object });
}

export function deleteDenials(
  resource: string,
  groups: Groups,
  oldObject: object,
  options?: object | null,
): readonly string[] {
  const deleted = { oldObject, object: null, ...(options === undefined ? {} : { options }) };
  return denials({ operation: "DELETE", resource, groups: [groups].flat(), ...deleted });
}

function matches({ spec }: Policy, { operation, resource }: AdmissionRequest): boolean {
  const { group, plural } = parseResource(resource);
  return spec.matchConstraints.resourceRules.some(
    ({ apiGroups, operations, resources }) =>
      apiGroups.includes(group) && operations.includes(operation) && resources.includes(plural),
  );
}

function denialsOf({ spec }: Policy, request: AdmissionRequest): readonly string[] {
  const { object, oldObject } = request;
  const context = { object, oldObject, request: celRequest(request), variables: {} as Record<string, unknown> };
  if (!spec.matchConditions.every(({ expression }) => isTrue(expression, context))) return [];
  for (const { name, expression } of spec.variables ?? []) context.variables[name] = cel.evaluate(expression, context);
  return spec.validations
    .filter(({ expression }) => !isTrue(expression, context))
    .map(({ message, messageExpression }) =>
      messageExpression === undefined ? message : String(cel.evaluate(messageExpression, context)),
    );
}

function isTrue(expression: string, context: object): boolean {
  const result: unknown = cel.evaluate(expression, context);
  if (typeof result !== "boolean") throw new Error(`${expression}: the result is not a boolean: ${String(result)}`);
  return result;
}

/** Empty lists are absent, as in the JSON of an AdmissionRequest. */
function celRequest({ operation, resource, groups, options }: AdmissionRequest): object {
  const { group, plural } = parseResource(resource);
  return {
    operation,
    ...(options === undefined ? {} : { options }),
    resource: { group, resource: plural.split("/")[0] },
    userInfo: { username: "user", ...(groups.length === 0 ? {} : { groups }) },
  };
}

function parseResource(resource: string): { readonly group: string; readonly plural: string } {
  const [plural = "", ...group] = resource.split(".");
  return { group: group.join("."), plural };
}
