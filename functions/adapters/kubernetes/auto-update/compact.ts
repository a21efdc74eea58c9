import type { AutoUpdate, HistoryStatusEntry } from "./object.ts";

/** What a poll needs of every entry: how often a version was tried, and how it ended. */
type Attempt = readonly [version: string, startedAt: string, result: string];

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns an AutoUpdate of a list without what a poll does not read: a poll keeps thousands of them. Of the history's entries before
 * the last only version, start and result remain, as one text that is parsed when it is read.
 */
export function compactAutoUpdate({ metadata, spec, status }: AutoUpdate): AutoUpdate {
  const { name, namespace, uid, resourceVersion, generation = 1, labels = {} } = metadata;
  const { [lastApplied]: _, ...annotations } = metadata.annotations ?? {};
  const compact = { metadata: { name, namespace, uid, resourceVersion, generation, labels, annotations }, spec };
  if (status === undefined) return compact;
  const { history, conditions = [], ...rest } = status;
  const stalled = conditions.filter(({ type }) => type === "Stalled");
  if (history === undefined) return { ...compact, status: { ...rest, conditions: stalled } };
  const read = compactHistory(history);
  return {
    ...compact,
    status: {
      ...rest,
      conditions: stalled,
      get history() {
        return read();
      },
    },
  };
}

function compactHistory(history: readonly HistoryStatusEntry[]): () => readonly HistoryStatusEntry[] {
  const last = history.slice(-1);
  const attempts = history.slice(0, -1).map(({ version, startedAt, result }): Attempt => [version, startedAt, result]);
  const text = JSON.stringify(attempts);
  return () => [
    ...(JSON.parse(text) as Attempt[]).map(([version, startedAt, result]) => ({ version, startedAt, result })),
    ...last,
  ];
}
