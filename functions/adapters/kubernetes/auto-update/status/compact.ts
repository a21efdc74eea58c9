import { approvalPrefix } from "../../../../domain/gates/approval.ts";
import { overridePrefix } from "../../../../domain/gates/override.ts";
import { fromEpoch, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { parseHistoryStatus } from "../../../../domain/workload/record/history.ts";
import type { HistoryEntry } from "../../../../domain/workload/workload.ts";
import { readHistoryEntry, readVersion } from "./history-status.ts";
import type { AutoUpdate } from "../object.ts";
import { toBoundedJson } from "../../slim-object.ts";
import type { AutoUpdateStatus, HistoryStatusEntry } from "./status-fields.ts";

/** An AutoUpdate as text: a poll keeps them all until it has listed their targets. */
export interface CompactAutoUpdate {
  /** JSON, without the history. */
  readonly text: string;
  /** JSON of the history: the last entry, and the attempts before it. */
  readonly history: string;
}

/** A status whose history is still text: few workloads of a poll need it. */
export interface CompactStatus extends AutoUpdateStatus {
  readonly compactHistory?: string;
}

/** What GitOps tools and people add is not read, and may be large. */
const readPrefixes = ["pawl.dev/", approvalPrefix, overridePrefix];
const managedBy = "app.kubernetes.io/managed-by";

/**
 * Returns an AutoUpdate without what a poll does not read. Of the history's entries before the last only version, start and result
 * remain.
 */
export function compactAutoUpdate({ metadata, spec, status }: AutoUpdate): CompactAutoUpdate {
  const { name, namespace, uid, resourceVersion, generation = 1, labels = {} } = metadata;
  const ownerReferences = metadata.ownerReferences?.map((owner) => ({ uid: owner.uid }));
  const annotations = pickKeys(metadata.annotations ?? {}, (key) =>
    readPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  const own = {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    labels: pickKeys(labels, (key) => key === managedBy),
    annotations,
    ...(ownerReferences && { ownerReferences }),
  };
  if (status === undefined) return { text: toBoundedJson({ metadata: own, spec }), history: "" };
  const { history = [], conditions = [], ...rest } = status;
  const kept = { ...rest, conditions: conditions.filter(({ type }) => type === "Stalled") };
  return { text: toBoundedJson({ metadata: own, spec, status: kept }), history: toCompactHistory(history) };
}

function pickKeys(from: Readonly<Record<string, string>>, isKept: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => isKept(key)));
}

/** Returns the AutoUpdate; `historyReader` parses its history. */
export function expandAutoUpdate({ text, history }: CompactAutoUpdate): AutoUpdate {
  const { status, ...rest } = JSON.parse(text) as AutoUpdate;
  if (status === undefined) return rest;
  const compactStatus: CompactStatus = { ...status, compactHistory: history };
  return { ...rest, status: compactStatus };
}

/** Of most attempts, so that they need no text. */
const usualResult = "Healthy";
const usualKind = "image";

/** Returns a JSON list: the last entry, and before it of each attempt its version, its start in seconds to base 36, its result and its kind. */
function toCompactHistory(entries: readonly HistoryStatusEntry[]): string {
  const attempts = entries.slice(0, -1).flatMap((entry) => {
    const time = parseRfc3339(entry.startedAt);
    if (time === null) return [];
    const seconds = Math.trunc(time.getTime() / 1000).toString(36);
    const { version, kind = usualKind } = readVersion(entry);
    const unusual = [entry.result === usualResult ? "" : entry.result, kind === usualKind ? "" : kind];
    return [[version, seconds, ...unusual].join(" ").trimEnd()];
  });
  return JSON.stringify([entries.at(-1) ?? null, ...attempts]);
}

/** Returns a function that parses the history of a status. Fast for a compact one: a poll asks it of every workload. */
export function historyReader({ history = [], compactHistory }: CompactStatus): () => readonly HistoryEntry[] {
  return compactHistory === undefined ? () => history.flatMap(readHistoryEntry) : () => expandHistory(compactHistory);
}

function expandHistory(text: string): readonly HistoryEntry[] {
  const [last, ...attempts] = JSON.parse(text) as readonly [HistoryStatusEntry | null, ...string[]];
  const entries = attempts.map((attempt): HistoryEntry => {
    const [version = "", seconds = "", result = "", kind] = attempt.split(" ");
    return {
      ...readVersion(kind === undefined ? { version } : { version, kind }),
      appliedAt: fromEpoch(Number.parseInt(seconds, 36) * 1000),
      status: parseHistoryStatus(result || usualResult),
    };
  });
  return last === null ? entries : [...entries, ...readHistoryEntry(last)];
}
