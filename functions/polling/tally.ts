import type { OnRefused } from "../ports/cluster.ts";
import type { Polled } from "./polled.ts";
import type { PollReport } from "./report.ts";

/** Told of what goes wrong and does not end the poll. */
export type Warn = (message: string, about: object) => void;

/** Counts as a poll goes on, so that it need not keep what it has counted. */
export interface Tally {
  add(polled: Polled): void;
  /** What of the cluster may not be listed; whatever there is of it has no turn. */
  readonly refused: OnRefused;
  /** How many workloads of each namespace were looked at. */
  readonly namespaces: ReadonlyMap<string, number>;
  /** How many could not be decided, by the error's name. */
  readonly errors: ReadonlyMap<string, number>;
  counts(): Omit<PollReport, "part" | "handedOn" | "unreached" | "pools">;
}

const mostNamed = 50;

export function startTally(warn: Warn): Tally {
  const namespaces = new Map<string, number>();
  const errors = new Map<string, number>();
  const acts = new Map<string, number>();
  const decisions = new Map<string, number>();
  const failed: PollReport["failed"][number][] = [];

  function addFailure({ ref: workload }: Polled["workload"], { name: error, message }: Error): void {
    count(errors, error);
    warn("not decided", { workload, failure: error, reason: message });
    if (failed.length < mostNamed) failed.push({ workload, error, message });
  }

  return {
    namespaces,
    errors,
    add(polled) {
      count(namespaces, polled.workload.ref.namespace);
      if ("error" in polled) return addFailure(polled.workload, polled.error);
      count(acts, polled.act);
      count(decisions, polled.decision.kind);
    },
    refused({ name, message }) {
      count(errors, name);
      warn("not listed", { failure: name, reason: message });
    },
    counts: () => ({
      looked: totalOf(namespaces),
      started: acts.get("started") ?? 0,
      adopted: acts.get("adopted") ?? 0,
      inFlight: acts.get("in-flight") ?? 0,
      held: decisions.get("hold") ?? 0,
      recorded: acts.get("recorded") ?? 0,
      problems: decisions.get("problem") ?? 0,
      failures: totalOf(errors),
      failed,
    }),
  };
}

export function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, one) => total + one, 0);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
