import { breakdown, type StateCounts } from "./counts.ts";
import { firstFew } from "./first-few.ts";
import type { Contested } from "./membership.ts";
import type { Unhealthy } from "./halt.ts";
import type { DegradedReason, PoolCondition } from "./types.ts";

/** What is wrong with a pool, each empty or null where nothing is. */
export interface Findings {
  /** Nodes that report an error (`why` null), are stuck, or of which the cluster lets nothing be written. */
  readonly degraded: readonly { readonly name: string; readonly why: string | null }[];
  readonly contested: readonly Contested[];
  readonly secretProblem: string | null;
  /** Those that halt the rollout; none while it is not halted. */
  readonly halting: readonly Unhealthy[];
  readonly problems: readonly string[];
  readonly tagProblem: string | null;
}

/** From the gravest down, as bootc-operator has it; SecretError, which it gives no place, is a cause of what goes after it. */
const reasons = [
  { reason: "TagResolutionError", say: ({ tagProblem }) => tagProblem },
  { reason: "InvalidSpec", say: ({ problems }) => listed("", problems) },
  { reason: "RolloutHalted", say: ({ halting }) => listed("Unhealthy nodes in reboot slots: ", halting.map(inWords)) },
  { reason: "SecretError", say: ({ secretProblem }) => secretProblem },
  { reason: "NodeConflict", say: ({ contested }) => listed("Nodes of another pool: ", contested.map(ownedInWords)) },
  { reason: "NodeDegraded", say: ({ degraded }) => listed("Degraded nodes: ", degraded.map(whyInWords)) },
] satisfies readonly { reason: DegradedReason; say: (findings: Findings) => string | null }[];

/** The gravest of what was found is the reason; Healthy where nothing was. */
export function degradedCondition(findings: Findings): PoolCondition {
  for (const { reason, say } of reasons) {
    const message = say(findings);
    if (message !== null) return { type: "Degraded", status: "True", reason, message };
  }
  return { type: "Degraded", status: "False", reason: "Healthy", message: "" };
}

/** Whether every node runs the target; a pool without nodes is up to date. */
export function upToDateCondition(counts: StateCounts, nodeCount: number, paused: boolean): PoolCondition {
  if (counts["up-to-date"] === nodeCount) {
    return { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
  }
  const reason = paused ? "Paused" : "RolloutInProgress";
  return { type: "UpToDate", status: "False", reason, message: breakdown(counts) };
}

function listed(intro: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${intro}${firstFew(items).join(intro === "" ? "; " : ", ")}`;
}

function inWords({ name, reason }: Unhealthy): string {
  return `${name} (${reason})`;
}

function ownedInWords({ name, owner }: Contested): string {
  return `${name} (${owner ?? "of no pool"})`;
}

function whyInWords({ name, why }: Findings["degraded"][number]): string {
  return why === null ? name : `${name} (${why})`;
}
