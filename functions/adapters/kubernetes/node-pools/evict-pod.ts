import type { ApiException, CoreV1Api } from "@kubernetes/client-node";
import type { Eviction } from "../../../ports/cluster.ts";
import { Unreachable } from "../../../ports/errors.ts";
import { isStatus, toPortError, statusBody } from "../errors.ts";
import { assertKubernetesObject, type RequestOptions } from "../requests.ts";
import { admissionDenialReason } from "../errors.ts";

interface EvictedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Creates a function that evicts pods, with the version of the eviction API that the server offers. */
export function createEvictor(core: CoreV1Api, options: RequestOptions): (pod: EvictedPod) => Promise<Eviction> {
  let found: Promise<string> | null = null;
  return async ({ namespace, name, uid }) => {
    const what = `evict pod ${namespace}/${name}`;
    try {
      found ??= discoverEvictionVersion(core, options).catch((error: Error) => {
        found = null;
        throw error;
      });
      const apiVersion = await found;
      const deleteOptions = { preconditions: { uid } };
      const body = { apiVersion, kind: "Eviction", metadata: { name, namespace }, deleteOptions };
      assertKubernetesObject(await core.createNamespacedPodEviction({ namespace, name, body }, options()), what);
      return { kind: "evicted" };
    } catch (error) {
      const eviction = toEviction(error);
      if (eviction === null) throw toPortError(error, what);
      return eviction;
    }
  };
}

/** Creates a function that deletes pods: no PodDisruptionBudget refuses that. */
export function createPodDeleter(core: CoreV1Api, options: RequestOptions): (pod: EvictedPod) => Promise<Eviction> {
  return async ({ namespace, name, uid }) => {
    try {
      await core.deleteNamespacedPod({ namespace, name, body: { preconditions: { uid } } }, options());
      return { kind: "evicted" };
    } catch (error) {
      const eviction = toEviction(error);
      if (eviction === null) throw toPortError(error, `delete pod ${namespace}/${name}`);
      return eviction;
    }
  };
}

/** policy/v1 since Kubernetes 1.22. */
async function discoverEvictionVersion(core: CoreV1Api, options: RequestOptions): Promise<string> {
  const { resources } = (await core.getAPIResources(options())) ?? {};
  if (!Array.isArray(resources)) throw new Unreachable("discover evictions: the answer is not an API server's");
  const { group, version } = resources.find(({ name }) => name === "pods/eviction") ?? {};
  return group && version ? `${group}/${version}` : "policy/v1beta1";
}

function toEviction(error: unknown): Eviction | null {
  const refusal = admissionDenialReason(error);
  if (refusal !== null) return { kind: "refused", reason: refusal };
  if (isStatus(error, 404) || (isStatus(error, 409) && isUidMismatch(error))) return { kind: "not-found" };
  const isBudget =
    (isStatus(error, 429) && isDisruptionBudget(error)) ||
    (isStatus(error, 500) && multipleBudgets.test(messageOf(error)));
  if (isBudget) return { kind: "refused", reason: reasonOf(error), isBudget };
  const isTerminating = isStatus(error, 403) && causeReasons(error).includes("NamespaceTerminating");
  return isTerminating ? { kind: "refused", reason: reasonOf(error) } : null;
}

/** The pod was recreated; any other 409 is a `Conflict`. */
function isUidMismatch(error: ApiException<unknown>): boolean {
  return /\buid\b/i.test(messageOf(error));
}

const multipleBudgets = /more than one PodDisruptionBudget/i;

/** API priority and fairness also answers 429, in plain text and without a cause: that is `Throttled`. */
function isDisruptionBudget(error: ApiException<unknown>): boolean {
  return causeReasons(error).includes("DisruptionBudget") || /disruption budget/i.test(messageOf(error));
}

function causeReasons(error: ApiException<unknown>): readonly (string | undefined)[] {
  return (statusBody(error).details?.causes ?? []).map(({ reason }) => reason);
}

function messageOf(error: ApiException<unknown>): string {
  return statusBody(error).message ?? "";
}

/** The cause names the budget; the message does not. */
function reasonOf(error: ApiException<unknown>): string {
  const cause = statusBody(error).details?.causes?.find(({ message }) => Boolean(message))?.message;
  return [messageOf(error), cause].filter(Boolean).join(" ") || `${error.code}`;
}
