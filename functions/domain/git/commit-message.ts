import { createHash } from "node:crypto";
import { versionNameOf } from "../image/reference.ts";
import { formatRfc3339 } from "../text/rfc3339.ts";
import { truncate } from "../text/summarize-list.ts";

/** One workload of a commit. Evidence, such as messages of its pods, is foreign text: it stays in the cluster. */
export interface CommittedUpdate {
  /** As in `Deployment shop/web`. */
  readonly workload: string;
  /** The whole references before and after. */
  readonly from: string;
  readonly to: string;
  readonly isRollback: boolean;
  /** Tells its update from every other one: `claimIdOf`. */
  readonly claim: string;
  /** The names of the gates that its policy has. */
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
  const verb = updates.every(({ isRollback }) => isRollback) ? "Restore" : "Update";
  const one = `${verb} ${nameOf(first.workload)} to ${versionNameOf(first.to)}`;
  return toLine(others.length === 0 ? one : `${one} and ${others.length} more`, maxHeadlineLength);
}

/** Returns the body of a commit or pull request: a paragraph for each workload. */
export function bodyOf(updates: readonly CommittedUpdate[]): string {
  return `${updates.toSorted(byWorkload).map(paragraphOf).join("\n\n")}\n`;
}

/** GitHub allows 65,536 characters in a pull request. The rest is for the reason why it is closed. */
const maxBodyLength = 60_000;

/**
 * Returns those updates whose paragraphs fit into one body with that of the first, which stays the first. The groups are the same for each of them: two processes
 * never write two bodies that overlap.
 */
export function groupOfFirst<Update>(
  updates: readonly Update[],
  describe: (update: Update) => CommittedUpdate,
): readonly Update[] {
  const described = new Map(updates.map((update) => [describe(update), update]));
  const groups: Update[][] = [];
  let length = Infinity;
  for (const paragraph of [...described.keys()].toSorted(byWorkload)) {
    const added = paragraphOf(paragraph).length + 2;
    length += added;
    if (length > maxBodyLength) {
      groups.push([]);
      length = added;
    }
    (groups.at(-1) as Update[]).push(described.get(paragraph) as Update);
  }
  const group = new Set(groups.find((one) => one.includes(updates[0] as Update)));
  return updates.filter((update) => group.has(update));
}

/** Returns the name of the claim of an update, or of its rollback, in messages. It stays if another execution continues it. */
export function claimIdOf(uid: string, since: Date, isRollback = false): string {
  return digestOf(uid) + digestOf(uid, formatRfc3339(since), isRollback ? "rollback" : "update");
}

/** Reports whether a commit with this message wrote the image of a claim. */
export function isCommitOf(message: string, claim: string): boolean {
  return linesOf(message).includes(`Claim: ${claim}`);
}

/** Reports whether a message is of an earlier or later claim of the same workload. */
export function isOtherCommitOf(message: string, claim: string): boolean {
  const own = `Claim: ${claim}`;
  return linesOf(message).some((line) => line !== own && line.startsWith(own.slice(0, -digestLength)));
}

/** A body that a person edits in a browser has CRLF. */
function linesOf(message: string): readonly string[] {
  return message.split(/\r?\n/);
}

/** Returns the name of the branch of a change: the same for the same claims, whatever else the files have. */
export function branchOf(updates: readonly CommittedUpdate[]): string {
  const content = updates.toSorted(byWorkload).flatMap(({ workload, from, to, claim }) => [workload, from, to, claim]);
  return `pawl/${digestOf(...content)}`;
}

const digestLength = 12;

function digestOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, digestLength);
}

function paragraphOf({ workload, from, to, isRollback, claim, gates, link }: CommittedUpdate): string {
  const lines = [
    `${workload}: ${versionNameOf(from)} -> ${versionNameOf(to)}`,
    `Image: ${to}`,
    ...(isRollback ? ["Rollback: the new version failed"] : []),
    ...(isRollback || gates.length === 0 ? [] : [`Gates of its policy: ${gates.join(" ")}`]),
    `Claim: ${claim}`,
  ];
  return [...lines.map((line) => toLine(line, 500)), ...(link === null ? [] : [`See ${link}`])].join("\n");
}

/** A comparison of code units: the same on every machine. */
function byWorkload(one: CommittedUpdate, other: CommittedUpdate): number {
  return one.workload < other.workload ? -1 : 1;
}

/** Without the kind. */
function nameOf(workload: string): string {
  return workload.slice(workload.indexOf(" ") + 1);
}

/**
 * Keeps the characters of names and references only: no `#12`, `[skip ci]` or markup. A mention such as `@team` would notify people, and
 * `GH-12` would link an issue.
 */
function toLine(text: string, max: number): string {
  const plain = text.replaceAll(/[^\w.:/@+> -]|(?<=\/)\/|\/(?=\/)/g, "_");
  return truncate(plain.replaceAll(/(?<!\w)@(?=[a-z])|\bGH-(?=\d)/gi, "$&\u200B"), max);
}
