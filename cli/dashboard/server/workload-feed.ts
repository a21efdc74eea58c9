import type { KubeConfig } from "@kubernetes/client-node";
import { type AutoUpdate, resource as autoUpdates } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { WorkloadKind } from "../../../functions/adapters/kubernetes/kinds/kind.ts";
import { apiVersionOf, type KubernetesObject, type Resource } from "../../../functions/adapters/kubernetes/objects.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { formatWorkloadName } from "../../workloads/name.ts";
import type { ClusterContext, StreamMessage, WorkloadRow } from "../model.ts";
import { createClockNote } from "./clock-note.ts";
import { createPending } from "./pending.ts";
import { createProblems } from "./problems.ts";
import { rowOf } from "./rows.ts";
import { type ChangeType, watchResource } from "./watch-resource.ts";

/** The clock that the times of the cluster are of: that of the demo is faster. */
export interface PageClock {
  readonly now: () => Date;
  /** Real seconds for each second of the clock. */
  readonly waitScale: number;
}

interface FeedOptions {
  readonly cluster: Pick<Cluster, "list" | "read">;
  readonly kubeConfig: KubeConfig;
  /** null is all namespaces. */
  readonly namespaces: readonly string[] | null;
  /** Of the workloads that `cluster` lists; all if absent. */
  readonly labelSelector?: string | undefined;
  /** Whose objects Pawl updates. */
  readonly kinds: readonly Pick<WorkloadKind, "resource" | "isOptedIn">[];
  readonly clock: PageClock;
  readonly context: ClusterContext;
  readonly publish: (message: StreamMessage) => void;
}

/** The rows of all workloads, kept up to date by watches. */
export interface WorkloadFeed {
  snapshot(): StreamMessage;
  refOf(key: string): WorkloadRef | null;
  close(): void;
}

/** Changes within this time are sent together. */
const batchMs = 150;
const maxConcurrentReads = 16;
/** After a request that failed. */
const retryMs = 2000;

/** Lists all workloads, then reads each again after it or its AutoUpdate has changed. Errors are published and tried again. */
export function openWorkloadFeed({
  cluster,
  kubeConfig,
  namespaces,
  labelSelector,
  kinds,
  clock,
  context,
  publish,
}: FeedOptions): WorkloadFeed {
  const rows = new Map<string, WorkloadRow>();
  const refs = new Map<string, WorkloadRef>();
  const changed = new Map<string, WorkloadRef>();
  const problems = createProblems((problem) => publish({ kind: "connection", problem }));
  const stopped = new AbortController();
  const clockNote = createClockNote(clock);
  let notes: readonly string[] = [];

  /** One task for both, so that a list, which is older when it ends, never replaces what was read meanwhile. */
  const sync = createPending(synchronize, batchMs);
  let isListNeeded = true;
  let retry: NodeJS.Timeout | null = null;

  async function synchronize(): Promise<void> {
    const failures: unknown[] = [];
    if (isListNeeded) {
      isListNeeded = false;
      const failure = await list().catch((error: unknown) => error);
      if (failure !== null) failures.push(failure);
      isListNeeded ||= failure !== null;
    }
    failures.push(...(await readChanged()));
    const [first] = failures;
    problems.report("requests", first === undefined ? null : (first as Error).message);
    if (first === undefined) return;
    clearTimeout(retry ?? undefined);
    retry = setTimeout(() => sync.request(), retryMs);
    retry.unref();
  }

  /** Returns why a part of the list is missing; null if it is complete. Throws if all of it is. */
  async function list(): Promise<Error | null> {
    const found = new Map<string, WorkloadRow>();
    const skipped: Error[] = [];
    for await (const workload of cluster.list((error) => skipped.push(error))) {
      const row = rowOf(workload, clock.now());
      found.set(row.key, row);
      refs.set(row.key, workload.ref);
    }
    // What did not answer has not gone.
    const unanswered = skipped.find(({ name }) => name === "Unreachable" || name === "Throttled") ?? null;
    for (const key of unanswered === null ? rows.keys() : []) if (!found.has(key)) rows.delete(key);
    for (const [key, row] of found) rows.set(key, row);
    for (const key of refs.keys()) if (!rows.has(key)) refs.delete(key);
    notes = [...clockNote.notes(), ...skipped.map(({ message }) => message)];
    publish(snapshot());
    return unanswered;
  }

  /** Reads what has changed. Returns the errors of those that could not be read, which are read again later. */
  async function readChanged(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const batch of inBatches([...changed], maxConcurrentReads)) {
      for (const [key, ref] of batch) if (changed.get(key) === ref) changed.delete(key);
      const results = await Promise.allSettled(batch.map(([, ref]) => cluster.read(ref)));
      const present: WorkloadRow[] = [];
      const gone: string[] = [];
      for (const [index, result] of results.entries()) {
        const [key, ref] = batch[index] as (typeof batch)[number];
        if (result.status === "rejected") {
          failures.push(result.reason);
          changed.set(key, changed.get(key) ?? ref);
        } else if (result.value !== null) present.push(rowOf(result.value, clock.now()));
        else if (!changed.has(key)) gone.push(key);
      }
      for (const row of present) rows.set(row.key, row);
      for (const key of gone) {
        rows.delete(key);
        refs.delete(key);
      }
      publish({ kind: "changed", workloads: present, gone });
    }
    return failures;
  }

  function snapshot(): StreamMessage {
    const at = formatRfc3339(clock.now());
    const speed = 1 / clock.waitScale;
    return { kind: "snapshot", at, speed, context, workloads: [...rows.values()], notes };
  }

  function onWorkload(kind: FeedOptions["kinds"][number], object: KubernetesObject): void {
    const { namespace, name, uid } = object.metadata;
    const ref = { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid };
    const key = formatWorkloadName(ref);
    if (!rows.has(key) && !kind.isOptedIn(object)) return;
    refs.set(key, ref);
    changed.set(key, ref);
    sync.request();
  }

  function onAutoUpdate({ metadata, spec }: AutoUpdate, type: ChangeType): void {
    const { kind, name } = spec.targetRef;
    const key = formatWorkloadName({ kind, name, namespace: metadata.namespace } as WorkloadRef);
    const ref = refs.get(key);
    // After an opt-out the workload is not listed any more.
    if (ref === undefined || type === "DELETED") return relist();
    changed.set(key, ref);
    sync.request();
  }

  function relist(): void {
    isListNeeded = true;
    sync.request();
  }

  const watchAll = (resource: Resource, onChange: (type: ChangeType, object: KubernetesObject) => void) => {
    const selected = resource === autoUpdates ? {} : { labelSelector };
    for (const namespace of namespaces ?? [null]) {
      const source = `${resource.plural} ${namespace ?? ""}`;
      const watched = { resource, namespace, ...selected, onChange, onGap: relist, onResponse: clockNote.observe };
      void watchResource(
        kubeConfig,
        { ...watched, onProblem: (problem) => problems.report(source, problem) },
        stopped.signal,
      );
    }
  };
  for (const kind of kinds) watchAll(kind.resource, (_type, object) => onWorkload(kind, object));
  watchAll(autoUpdates, (type, object) => onAutoUpdate(object as AutoUpdate, type));
  sync.request();

  return {
    snapshot,
    refOf: (key) => refs.get(key) ?? null,
    close() {
      stopped.abort();
      sync.stop();
      clearTimeout(retry ?? undefined);
    },
  };
}

function inBatches<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
