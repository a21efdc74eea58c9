import type { ApiException, CoreV1Api } from "@kubernetes/client-node";
import type { DrainedPod } from "../../../domain/node-pool/drain.ts";
import type { Eviction } from "../../../ports/node-pools.ts";
import { Unreachable } from "../../errors.ts";
import { isStatus, namedError, statusBody } from "../errors.ts";
import { answered, type Options } from "../requests.ts";
import { admissionRefusal } from "../refusal.ts";

/** Evicts pods by the version of the eviction API that the server names. */
export function evictions(core: CoreV1Api, options: Options): (pod: DrainedPod) => Promise<Eviction> {
  let found: Promise<string> | null = null;
  return async ({ namespace, name, uid }) => {
    const what = `evict pod ${namespace}/${name}`;
    try {
      found ??= evictionVersion(core, options).catch((error: Error) => {
        found = null;
        throw error;
      });
      const apiVersion = await found;
      const deleteOptions = { preconditions: { uid } };
      const body = { apiVersion, kind: "Eviction", metadata: { name, namespace }, deleteOptions };
      answered(await core.createNamespacedPodEviction({ namespace, name, body }, options()), what);
      return { kind: "evicted" };
    } catch (error) {
      const answer = asAnswer(error);
      if (answer === null) throw namedError(error, what);
      return answer;
    }
  };
}

/** policy/v1 from Kubernetes 1.22 on. */
async function evictionVersion(core: CoreV1Api, options: Options): Promise<string> {
  const { resources } = (await core.getAPIResources(options())) ?? {};
  if (!Array.isArray(resources)) throw new Unreachable("discover evictions: the answer is not an API server's");
  const { group, version } = resources.find(({ name }) => name === "pods/eviction") ?? {};
  return group && version ? `${group}/${version}` : "policy/v1beta1";
}

function asAnswer(error: unknown): Eviction | null {
  const refusal = admissionRefusal(error);
  if (refusal !== null) return { kind: "refused", reason: refusal };
  if (isStatus(error, 404) || (isStatus(error, 409) && isOfAnother(error))) return { kind: "gone" };
  const isRefused =
    (isStatus(error, 429) && isBudgets(error)) ||
    (isStatus(error, 500) && severalBudgets.test(messageOf(error))) ||
    (isStatus(error, 403) && causesOf(error).includes("NamespaceTerminating"));
  return isRefused ? { kind: "refused", reason: reasonOf(error) } : null;
}

/** Another pod has taken its name; a conflict about anything else is one. */
function isOfAnother(error: ApiException<unknown>): boolean {
  return /\buid\b/i.test(messageOf(error));
}

const severalBudgets = /more than one PodDisruptionBudget/i;

/** Priority and fairness answers 429 as well, in plain text and without a cause: that is `Throttled`. */
function isBudgets(error: ApiException<unknown>): boolean {
  return causesOf(error).includes("DisruptionBudget") || /disruption budget/i.test(messageOf(error));
}

function causesOf(error: ApiException<unknown>): readonly (string | undefined)[] {
  return (statusBody(error).details?.causes ?? []).map(({ reason }) => reason);
}

function messageOf(error: ApiException<unknown>): string {
  return statusBody(error).message ?? "";
}

/** The cause names the budget, where the message only says that there is one. */
function reasonOf(error: ApiException<unknown>): string {
  const cause = statusBody(error).details?.causes?.find(({ message }) => Boolean(message))?.message;
  return [messageOf(error), cause].filter(Boolean).join(" ") || `${error.code}`;
}
