import { setTimeout as pause } from "node:timers/promises";
import {
  type ConfigurationOptions,
  CustomObjectsApi,
  type KubeConfig,
  Observable,
  type RequestContext,
  type ResponseContext,
  Watch,
} from "@kubernetes/client-node";
import { toPortError } from "../../../functions/adapters/kubernetes/errors.ts";
import type { KubernetesObject, Resource } from "../../../functions/adapters/kubernetes/objects.ts";

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

export interface Watched {
  readonly resource: Resource;
  /** null is all namespaces, or none for a cluster-scoped kind. */
  readonly namespace: string | null;
  /** All objects if absent. */
  readonly labelSelector?: string | undefined;
  readonly onChange: (type: ChangeType, object: KubernetesObject) => void;
  /** Called before the first change, and if changes may have been missed: list the collection again. */
  readonly onGap: () => void;
  /** Called with the reason if the watch fails, and with null once it works. */
  readonly onProblem: (problem: string | null) => void;
  /** Called with the headers of responses. */
  readonly onResponse?: (headers: Readonly<Record<string, string>>) => void;
}

const retryMs = 2000;
const requestMs = 15_000;
/** For a kind that is not served, or that the user must not watch. */
const absentRetryMs = 60_000;
/** The client ends a watch after 30 s without an event. */
const watchSeconds = 25;

/** Passes on each change of a collection, from now on. Reconnects until the signal is aborted. */
export async function watchResource(kubeConfig: KubeConfig, watched: Watched, signal: AbortSignal): Promise<void> {
  let resourceVersion: string | null = null;
  let isListed = false;
  while (!signal.aborted) {
    try {
      if (resourceVersion === null) {
        resourceVersion = await currentVersion(kubeConfig, watched, signal);
        isListed = true;
        watched.onGap();
      }
      watched.onProblem(null);
      resourceVersion = await watchOnce(kubeConfig, watched, resourceVersion, signal);
    } catch (error) {
      if (signal.aborted) return;
      resourceVersion = null;
      // A kind that is not served, or that the user must not read at all: the list says so.
      const isAbsent = statusOf(error) === 404 || (statusOf(error) === 403 && !isListed);
      const { message } = toPortError(error, `watch ${watched.resource.plural}`) as Error;
      watched.onProblem(isAbsent ? null : message);
      await pause(isAbsent ? absentRetryMs : retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Reads one object of the collection at most, for the version of the whole. Ends with the signal, and after 15 s. */
async function currentVersion(
  kubeConfig: KubeConfig,
  { resource, namespace, onResponse }: Watched,
  signal: AbortSignal,
): Promise<string> {
  const { group, version, plural } = resource;
  const api = kubeConfig.makeApiClient(CustomObjectsApi);
  const list = { group, version, plural, limit: 1 };
  const options = createOptions(AbortSignal.any([signal, AbortSignal.timeout(requestMs)]), onResponse);
  const found =
    namespace === null
      ? await api.listClusterCustomObject(list, options)
      : await api.listNamespacedCustomObject({ ...list, namespace }, options);
  return (found as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

function createOptions(signal: AbortSignal, onResponse: Watched["onResponse"]): ConfigurationOptions {
  const pre = (context: RequestContext) => {
    context.setSignal(signal);
    return new Observable(Promise.resolve(context));
  };
  const post = (context: ResponseContext) => {
    onResponse?.(context.headers);
    return new Observable(Promise.resolve(context));
  };
  return { middlewareMergeStrategy: "append", middleware: [{ pre, post }] };
}

/** Watches until the server closes the watch. Returns the version to continue from; null if it is too old. */
async function watchOnce(
  kubeConfig: KubeConfig,
  { resource: { group, version, plural }, namespace, labelSelector, onChange }: Watched,
  from: string,
  signal: AbortSignal,
): Promise<string | null> {
  let last: string | null = from;
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const onEvent = (type: string, object: KubernetesObject) => {
    // 410 Gone, as an event of the watch.
    last = type === "ERROR" ? null : object.metadata.resourceVersion;
    if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") onChange(type, object);
  };
  const path = `/apis/${group}/${version}${namespace === null ? "" : `/namespaces/${namespace}`}/${plural}`;
  const params = { allowWatchBookmarks: true, timeoutSeconds: watchSeconds, resourceVersion: from, labelSelector };
  const open = await new Watch(kubeConfig).watch(path, params, onEvent, (error?: Error | null) =>
    error ? reject(error) : resolve(),
  );
  const abort = () => open.abort();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    await closed;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return last;
}

/** Returns the HTTP status of an error of the client; undefined if there was no answer. */
function statusOf(error: unknown): unknown {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return statusCode ?? code;
}
