import { Forbidden } from "../../functions/ports/errors.ts";

/** The message of an API server for a list that RBAC denies. */
const denial =
  /User "([^"]*)" cannot list resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;

/** The manifest with the rights of people. */
export const rightsHint =
  "infra/cluster/rbac/users.yaml (kubectl apply -k infra/cluster) adds the rights for AutoUpdates to the roles view and edit";

/** Returns the API group of a list that RBAC denies; null for other errors. */
export function deniedGroup({ message }: Error): string | null {
  return denial.exec(message)?.[3] ?? null;
}

/** Returns a line for each reason why workloads are missing from a list: one for all kinds that a user may not list. */
export function describeSkipped(skipped: readonly Error[]): readonly string[] {
  const parsed = skipped.map(({ message }) => ({ message, denied: denial.exec(message) }));
  const others = new Set(parsed.filter(({ denied }) => denied === null).map(({ message }) => message));
  const denials = parsed.flatMap(({ denied }) => (denied === null ? [] : [denied]));
  const byUser = Map.groupBy(denials, ([, user = ""]) => user);
  return [...[...byUser].map(([user, ofUser]) => describeDenials(user, ofUser)), ...others];
}

function describeDenials(user: string, denials: readonly RegExpExecArray[]): string {
  const kinds = new Set(
    denials.map(([, , resource = "", group = ""]) => (group === "" ? resource : `${resource}.${group}`)),
  );
  const namespaces = new Set(denials.flatMap(([, , , , namespace]) => (namespace === undefined ? [] : [namespace])));
  const where =
    namespaces.size === 0
      ? "all namespaces"
      : `${namespaces.size === 1 ? "namespace" : "namespaces"} ${join(namespaces)}`;
  return `${user} may not list ${join(kinds)} in ${where}: these are not shown${kinds.has("autoupdates.pawl.dev") ? `; ${rightsHint}` : ""}`;
}

function join(names: ReadonlySet<string>): string {
  return [...names].toSorted().join(", ");
}

/** Adds the option that helps to the denial of a list of all namespaces; returns other errors unchanged. */
export function namespaceHint(error: unknown): unknown {
  if (!(error instanceof Forbidden) || !denial.test(error.message) || !error.message.includes("at the cluster scope"))
    return error;
  const [, user = ""] = denial.exec(error.message) ?? [];
  return new Forbidden(
    `${user} may not list the workloads of all namespaces; use -n NAMESPACE for one of yours; ${rightsHint}`,
    { cause: error.cause },
  );
}
