import { createHash } from "node:crypto";
import { versionNameOf } from "../image/reference.ts";
import { toSingleLine } from "../text/printable.ts";
import { truncate } from "../text/summarize-list.ts";

/** One workload of a commit. */
export interface CommittedUpdate {
  /** As in `Deployment shop/web`. */
  readonly workload: string;
  /** The whole references before and after. */
  readonly from: string;
  readonly to: string;
  /** Why it is written, if that is no update: a rollback and its evidence. */
  readonly reason?: string | undefined;
  /** Names of the gates that it has passed. */
  readonly gates: readonly string[];
  /** Of the page that shows it; null if there is none. */
  readonly link: string | null;
}

/** As git and GitHub show it without a line break. */
const maxHeadlineLength = 72;

/** Returns the headline of a commit: the workload, or how many there are. */
export function headlineOf(updates: readonly CommittedUpdate[]): string {
  const [first, ...others] = updates.toSorted(byWorkload);
  if (first === undefined) return "Update no image";
  const verb = updates.every(({ reason }) => reason !== undefined) ? "Restore" : "Update";
  const one = `${verb} ${nameOf(first.workload)} to ${versionNameOf(first.to)}`;
  return toLine(others.length === 0 ? one : `${one} and ${others.length} more`, maxHeadlineLength);
}

/** Returns the body of a commit or pull request: a paragraph for each workload. */
export function bodyOf(updates: readonly CommittedUpdate[]): string {
  return `${updates.toSorted(byWorkload).map(paragraphOf).join("\n\n")}\n`;
}

/** Returns the name of the branch of a change: the same for the same updates, whatever else the files have. */
export function branchOf(updates: readonly CommittedUpdate[]): string {
  const content = updates.toSorted(byWorkload).map(({ workload, from, to }) => [workload, from, to]);
  return `pawl/${createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 20)}`;
}

function paragraphOf({ workload, from, to, reason, gates, link }: CommittedUpdate): string {
  const lines = [
    `${workload}: ${versionNameOf(from)} -> ${versionNameOf(to)}`,
    `Image: ${to}`,
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...(gates.length === 0 ? [] : [`Gates passed: ${gates.join(", ")}`]),
    ...(link === null ? [] : [`See ${link}`]),
  ];
  return lines.map((line) => toLine(line, 500)).join("\n");
}

/** A comparison of code units: the same on every machine. */
function byWorkload(one: CommittedUpdate, other: CommittedUpdate): number {
  return one.workload < other.workload ? -1 : 1;
}

/** Without the kind. */
function nameOf(workload: string): string {
  return workload.slice(workload.indexOf(" ") + 1);
}

/** Versions and evidence are foreign text. A mention such as `@team` would notify people. */
function toLine(text: string, max: number): string {
  return truncate(toSingleLine(text).replaceAll(/(^|[^\w])@(?=[a-z])/gi, "$1@\u200B"), max);
}
