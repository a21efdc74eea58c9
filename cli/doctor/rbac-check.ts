import type { AuthorizationV1Api } from "@kubernetes/client-node";
import { isStatus, toPortError } from "../../functions/adapters/kubernetes/errors.ts";
import { mapConcurrent } from "../../functions/workflows/map-concurrent.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { type Check, failed, passed, unknown } from "./check.ts";
import { applyCommands } from "./cluster-checks.ts";
import { partPath, readManifests, rulesByGroup, type Rule } from "./manifests.ts";

interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly verb: string;
  /** "" is the whole cluster. */
  readonly namespace: string;
}

/** undefined is the whole cluster. */
type Namespaces = readonly string[] | undefined;

interface Permission {
  readonly part: string;
  readonly group: string;
  readonly attributes: ResourceAttributes;
}

/** Asks the API server, by SubjectAccessReviews, if each group has every permission that this version needs. */
export function rbacCheck(options: ContextOptions, parts: readonly string[], namespaces: Namespaces): Check {
  return {
    name: "permissions",
    async run() {
      const { AuthorizationV1Api: Api } = await import("@kubernetes/client-node");
      const api = (await loadKubeConfig(options)).makeApiClient(Api);
      const permissions = requiredPermissions(parts, namespaces);
      const [first] = permissions;
      if (first === undefined || (await isAllowed(api, first)) === null)
        return unknown(
          "your user may not create SubjectAccessReviews, or the cluster serves none",
          "use the context of an administrator",
        );
      const answers = await mapConcurrent(permissions, 10, async (one) => ({
        ...one,
        allowed: await isAllowed(api, one),
      }));
      const missing = answers.filter(({ allowed }) => allowed !== true);
      if (missing.length === 0)
        return passed(`${permissions.length} of ${new Set(permissions.map(({ group }) => group)).size} groups`);
      return failed(describeMissing(missing), fixOf(missing, namespaces));
    },
  };
}

/** In restricted namespaces, all permissions are checked in the first one, and one of each group in the others. */
function requiredPermissions(parts: readonly string[], namespaces: Namespaces): readonly Permission[] {
  const [first = "", ...others] = namespaces ?? [];
  return parts.flatMap((part) =>
    [...rulesByGroup(readManifests(part))].flatMap(([group, rules]) => {
      const all = rules.flatMap((rule) => expandRule(rule, first));
      const inOthers = others.flatMap((namespace) => all.slice(0, 1).map((one) => ({ ...one, namespace })));
      return [...all, ...inOthers].map((attributes) => ({ part, group, attributes }));
    }),
  );
}

function expandRule(
  { apiGroups, resources, resourceNames, verbs }: Rule,
  namespace: string,
): readonly ResourceAttributes[] {
  const name = resourceNames?.[0];
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = "", subresource] = path.split("/");
      const common = {
        group,
        resource,
        ...(subresource === undefined ? {} : { subresource }),
        ...(name === undefined ? {} : { name }),
      };
      return verbs.map((verb) => ({ ...common, verb, namespace }));
    }),
  );
}

/** Returns null if the review is refused or not served. */
async function isAllowed(api: AuthorizationV1Api, { group, attributes }: Permission): Promise<boolean | null> {
  const spec = { user: "pawl-doctor", groups: [group, "system:authenticated"], resourceAttributes: attributes };
  try {
    const { status } = await api.createSubjectAccessReview({ body: { spec } });
    return status?.allowed ?? false;
  } catch (error) {
    if (isStatus(error, 403) || isStatus(error, 404) || isStatus(error, 405)) return null;
    throw toPortError(error, "SubjectAccessReview");
  }
}

const maxShown = 3;

function describeMissing(missing: readonly Permission[]): string {
  const shown = missing.slice(0, maxShown).map(({ group, attributes }) => {
    const { verb, resource, subresource, namespace } = attributes;
    const path = subresource === undefined ? resource : `${resource}/${subresource}`;
    return `${group} may not ${verb} ${path}${namespace === "" ? "" : ` in ${namespace}`}`;
  });
  const more = missing.length > maxShown ? [`and ${missing.length - maxShown} more`] : [];
  return [...shown, ...more].join("; ");
}

/** Restricted namespaces have bindings of their own. */
function fixOf(missing: readonly Permission[], namespaces: Namespaces): string {
  const apply = applyCommands(missing.map(({ part }) => part));
  if (namespaces === undefined) return apply;
  return `${apply}, and in each namespace kubectl apply -n NAMESPACE -k ${partPath("namespaced")} (docs/reference/permissions.md)`;
}
