import { useEffect, useState } from "preact/hooks";
import { readError } from "./api.ts";
import type { ClusterContext, Polls, StreamMessage, WorkloadRow } from "../model.ts";

/** What the stream of the server says. Replaced at each change, so that a component can compare. */
export interface PageState {
  readonly workloads: ReadonlyMap<string, WorkloadRow>;
  readonly notes: readonly string[];
  /** Why the page may be outdated; null if it is not. */
  readonly problem: string | null;
  readonly isLoaded: boolean;
  /** null before the first message. */
  readonly context: ClusterContext | null;
  /** null if it is not known when Pawl polls. */
  readonly polls: Polls | null;
  /** Why the server refuses this page, if it does: it has no token, or that of an earlier run. */
  readonly refusal: string | null;
  /** Counts the changes of node pools. */
  readonly poolChanges: number;
}

let state: PageState = {
  workloads: new Map(),
  notes: [],
  problem: null,
  isLoaded: false,
  context: null,
  polls: null,
  refusal: null,
  poolChanges: 0,
};
let clock = { at: Date.now(), since: Date.now(), speed: 1 };
const listeners = new Set<() => void>();

/** Opens the stream. The browser opens it again after it has failed. */
export function connect(): void {
  const source = new EventSource("/api/stream");
  source.addEventListener("message", ({ data }: MessageEvent<string>) => update(JSON.parse(data) as StreamMessage));
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
  const refusal = await readError(response);
  set({ ...state, problem: null, refusal });
}

function update(message: StreamMessage): void {
  if (message.kind === "connection") return set({ ...state, problem: message.problem });
  if (message.kind === "polls") return set({ ...state, polls: message.polls });
  if (message.kind === "pools") return set({ ...state, poolChanges: state.poolChanges + 1 });
  if (message.kind === "snapshot") {
    clock = { at: Date.parse(message.at), since: Date.now(), speed: message.speed };
    const workloads = new Map(message.workloads.map((row) => [row.key, row]));
    return set({ ...state, workloads, notes: message.notes, context: message.context, isLoaded: true, refusal: null });
  }
  const workloads = new Map(state.workloads);
  for (const key of message.gone) workloads.delete(key);
  for (const row of message.workloads) workloads.set(row.key, row);
  set({ ...state, workloads });
}

function set(next: PageState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Returns the time of the cluster in milliseconds since the epoch: the clock of the demo is faster. */
export function clusterTime(): number {
  return clock.at + (Date.now() - clock.since) * clock.speed;
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
