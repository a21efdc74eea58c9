import { describeCounts, type StateCounts } from "./state-counts.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import type { ContestedNode } from "./membership.ts";
import type { UnhealthyNode } from "../halt/halt.ts";
import type { DegradedReason, PoolCondition } from "./node-pool.ts";

/** What the reason of a denied write contains. */
export const deniedBy = "which admission denies: ";

/** The problems of a pool; each is empty or null if there is none. */
export interface Findings {
  /** Nodes that report an error (`reason` null), have exceeded a timeout, or are denied a write by the cluster. */
  readonly degraded: readonly { readonly name: string; readonly reason: string | null }[];
  readonly contested: readonly ContestedNode[];
  /** Other pools that select the same nodes. */
  readonly overlap: string | null;
  readonly secretProblem: string | null;
  /** The nodes that halt the rollout; empty if it is not halted. */
  readonly halting: readonly UnhealthyNode[];
  /** Why a rollout that should be rolled back is not; null otherwise. */
  readonly noRollbackReason: string | null;
  /** The digest from which the pool has gone back; null if it has not. */
  readonly failedDigest: string | null;
  /** Whether a person has aborted its rollout. */
  readonly isAborted: boolean;
  /** The nodes that have staged an image that failed. */
  readonly failedStaged: readonly string[];
  readonly problems: readonly string[];
  readonly tagProblem: string | null;
}

/**
 * Ordered by severity, highest first, as in bootc-operator. SecretError, which it does not rank, causes the reasons
 * after it.
 */
const reasons = [
  { reason: "TagResolutionError", message: ({ tagProblem }) => tagProblem },
  { reason: "InvalidSpec", message: ({ problems }) => formatList("", problems) },
  { reason: "RolloutHalted", message: describeHalted },
  { reason: "RolledBack", message: describeRolledBack },
  { reason: "SecretError", message: ({ secretProblem }) => secretProblem },
  { reason: "NodeConflict", message: describeConflict },
  { reason: "NodeDegraded", message: listDegraded },
] satisfies readonly { reason: DegradedReason; message: (findings: Findings) => string | null }[];

/** Returns the Degraded condition with the highest-severity reason; Healthy if there are no findings. */
export function degradedCondition(findings: Findings): PoolCondition {
  for (const { reason, message } of reasons) {
    const text = message(findings);
    if (text !== null) return { type: "Degraded", status: "True", reason, message: withDenied(text, findings) };
  }
  return { type: "Degraded", status: "False", reason: "Healthy", message: "" };
}

/** Adds the denied writes, which a poll has to find whatever else is wrong. */
function withDenied(text: string, { degraded }: Findings): string {
  const denied = formatDegraded(degraded.filter(isDenied));
  return denied === null || text.includes(deniedBy) ? text : `${text}. ${denied}`;
}

/** Returns the UpToDate condition. A pool without nodes is up to date, but not one that went back from `failedDigest`. */
export function upToDateCondition(
  counts: StateCounts,
  nodeCount: number,
  paused: boolean,
  failedDigest: string | null,
  waitsFor: readonly string[],
): PoolCondition {
  if (failedDigest !== null) {
    const message = `${describeCounts(counts)}, all to the image before ${failedDigest}`;
    return { type: "UpToDate", status: "False", reason: "RolledBack", message };
  }
  if (counts["up-to-date"] === nodeCount) {
    return { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
  }
  const reason = paused ? "Paused" : "RolloutInProgress";
  return {
    type: "UpToDate",
    status: "False",
    reason,
    message: [describeCounts(counts), ...waitsFor.map((what) => `waits for ${what}`)].join("; "),
  };
}

function describeHalted({ halting, noRollbackReason }: Findings): string | null {
  const nodes = formatList("Unhealthy nodes in reboot slots: ", halting.map(describeUnhealthy));
  return nodes === null || noRollbackReason === null ? nodes : `${nodes}. Not rolled back: ${noRollbackReason}`;
}

/** Names the degraded nodes too: their slots may stop the way back. Staged images boot at any reboot. */
function describeRolledBack(findings: Findings): string | null {
  const { failedDigest } = findings;
  if (failedDigest === null) return null;
  const cause = findings.isAborted ? "was aborted" : "halted the rollout";
  const message = `${failedDigest} ${cause}, is rolled back, and is not tried again`;
  const { length } = findings.failedStaged;
  const intro = `${length} ${length === 1 ? "node has" : "nodes have"} a failed image staged, which any reboot boots: `;
  return [message, formatList(intro, findings.failedStaged), listDegraded(findings)]
    .filter((part) => part !== null)
    .join(". ");
}

function describeConflict({ contested, overlap }: Findings): string | null {
  const owned = formatList("Nodes of another pool: ", contested.map(describeContested));
  return overlap === null
    ? owned
    : `No node acquires a slot: ${[overlap, owned].filter((part) => part !== null).join(". ")}`;
}

/** Denied writes come first: a list names only some. */
function listDegraded({ degraded }: Findings): string | null {
  return formatDegraded([...degraded.filter(isDenied), ...degraded.filter((one) => !isDenied(one))]);
}

function isDenied({ reason }: Findings["degraded"][number]): boolean {
  return reason?.includes(deniedBy) ?? false;
}

function formatDegraded(degraded: Findings["degraded"]): string | null {
  return formatList("Degraded nodes: ", degraded.map(describeDegraded));
}

function formatList(intro: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${intro}${summarizeList(items).join(intro === "" ? "; " : ", ")}`;
}

function describeUnhealthy({ name, reason }: UnhealthyNode): string {
  return `${name} (${reason})`;
}

function describeContested({ name, owner }: ContestedNode): string {
  return `${name} (${owner ?? "of no pool"})`;
}

function describeDegraded({ name, reason }: Findings["degraded"][number]): string {
  return reason === null ? name : `${name} (${reason})`;
}
