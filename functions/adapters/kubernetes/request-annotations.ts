import type { KubeConfig } from "@kubernetes/client-node";
import { formatOverride, overrideKey } from "../../domain/gates/override.ts";
import { annotations } from "../../domain/workload/policy/annotations.ts";
import { formatRequest, type PersonRequest, toMessage } from "../../domain/workload/request/person-request.ts";
import type { RequestedOverride } from "../../ports/cluster.ts";
import { readIdentity } from "./identity.ts";

/** Longer names are not written: the audit says "unknown". */
const maxNameLength = 256;

/**
 * Returns the annotations with which a person asks for something, under the name that the API server knows them by. A cluster that does not
 * say who they are gets a request without a name. Throws what asking throws if gates are overridden, which needs a name.
 */
export async function requestAnnotations(
  kubeConfig: KubeConfig,
  recordUID: string,
  request: PersonRequest,
  override: RequestedOverride | undefined,
): Promise<Readonly<Record<string, string>>> {
  const asked = readIdentity(kubeConfig);
  const { user } = override === undefined ? await asked.catch(() => ({ user: "" })) : await asked;
  const hasName = user !== "" && user.length <= maxNameLength && !user.includes("\n");
  const named = hasName ? { ...request, by: user } : request;
  const written = { [annotations.request]: formatRequest(named, recordUID) };
  if (override === undefined) return written;
  const { token, argument, reason = "" } = request;
  const whole = { ...override, user, token, version: argument ?? "", reason: toMessage(reason) };
  return { ...written, [overrideKey(user)]: formatOverride(whole, recordUID) };
}
