import { useEffect, useState } from "preact/hooks";
import { splitName } from "../cluster-name.ts";
import type { ClusterContext, LoginRow, PageMessage, Polls, WorkloadRow } from "../model.ts";

/** What the page knows about one cluster. */
interface ClusterState {
  readonly notes: readonly string[];
  /** Why the page may be outdated; null if it is not. */
  readonly problem: string | null;
  /** null before the first message. */
  readonly context: ClusterContext | null;
  /** null if it is not known when Pawl polls. */
  readonly polls: Polls | null;
}

/** What the stream of the server says. Replaced at each change, so that a component can compare. */
export interface PageState {
  readonly workloads: ReadonlyMap<string, WorkloadRow>;
  /** By name; that of a page of one cluster is "". */
  readonly clusters: ReadonlyMap<string, ClusterState>;
  /** Why the server does not answer; null if it does. */
  readonly problem: string | null;
  readonly isLoaded: boolean;
  /** None if the page has a token instead. */
  readonly logins: readonly LoginRow[];
  /** Why the server refuses this page, if it does: it has no token, or that of an earlier run. */
  readonly refusal: string | null;
  /** Counts the changes of node pools. */
  readonly poolChanges: number;
}

let state: PageState = {
  workloads: new Map(),
  clusters: new Map(),
  problem: null,
  isLoaded: false,
  logins: [],
  refusal: null,
  poolChanges: 0,
};
const nothing = { workloads: new Map(), clusters: new Map(), isLoaded: false };
let clock = { at: Date.now(), since: Date.now(), speed: 1 };
const listeners = new Set<() => void>();

/** Opens the stream. The browser opens it again after it has failed. */
export function connect(): void {
  const source = new EventSource("/api/stream");
  source.addEventListener("message", ({ data }: MessageEvent<string>) => update(JSON.parse(data) as PageMessage));
  source.addEventListener("error", () => void reportFailure());
}

/** The stream says only that it has failed, so another request asks why. */
async function reportFailure(): Promise<void> {
  const response = await fetch("/api/").catch(() => null);
  if (response === null)
    return set({
      ...state,
      problem: "the dashboard does not answer; is pawl dashboard still running, and this its address?",
    });
  if (response.status !== 401) return;
  const { error, logins = [] } = (await response.json()) as { readonly error: string; readonly logins?: LoginRow[] };
  set({ ...state, ...nothing, problem: null, refusal: error, logins });
}

function update(message: PageMessage): void {
  if (message.kind === "logins") return set({ ...state, ...nothing, logins: message.logins });
  const { cluster = "" } = message;
  if (message.kind === "connection") return setCluster(cluster, { problem: message.problem });
  if (message.kind === "polls") return setCluster(cluster, { polls: message.polls });
  if (message.kind === "pools") return set({ ...state, poolChanges: state.poolChanges + 1 });
  const isSnapshot = message.kind === "snapshot";
  const isOther = ([key]: readonly [string, WorkloadRow]) => !isSnapshot || (splitName(key).cluster ?? "") !== cluster;
  const workloads = new Map([...state.workloads].filter(isOther));
  for (const key of isSnapshot ? [] : message.gone) workloads.delete(key);
  for (const row of message.workloads) workloads.set(row.key, row);
  set({ ...state, workloads });
  if (!isSnapshot) return;
  clock = { at: Date.parse(message.at), since: Date.now(), speed: message.speed };
  set({ ...state, isLoaded: true, problem: null, refusal: null });
  setCluster(cluster, { notes: message.notes, context: message.context });
}

function setCluster(name: string, change: Partial<ClusterState>): void {
  const before = state.clusters.get(name) ?? { notes: [], problem: null, context: null, polls: null };
  set({ ...state, clusters: new Map([...state.clusters, [name, { ...before, ...change }]]) });
}

function set(next: PageState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Returns the time of the cluster in milliseconds since the epoch: the clock of the demo is faster. */
export function clusterTime(): number {
  return clock.at + (Date.now() - clock.since) * clock.speed;
}

/** Returns the cluster that a name of this page belongs to. */
export function clusterOf({ clusters }: PageState, name: string): ClusterState | undefined {
  return clusters.get(splitName(name).cluster ?? "");
}

/** Renders the component again after each change of the state. */
export function useStore(): PageState {
  const [seen, setSeen] = useState(state);
  useEffect(() => {
    const listener = () => setSeen(state);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return seen;
}
