import * as v from "valibot";
import { parseTimeZone } from "../schedule/time-zone.ts";
import { closedObject, refine, text as textOf } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";
import { describeGate } from "../gates/describe-gate.ts";
import { matchesGlob } from "../text/glob.ts";
import { formatRfc3339, fromEpoch } from "../text/rfc3339.ts";
import { truncate } from "../text/summarize-list.ts";
import type { Workload } from "../workload/workload.ts";

/** When a target gets its digest, and about which workloads. */
export interface DailyDigest {
  /** Of the target. */
  readonly name: string;
  /** `08:00`, in the zone. */
  readonly at: string;
  /** An IANA name. */
  readonly timeZone: string;
  /** Names, in which `*` stands for any characters; null is all. */
  readonly namespaces: readonly string[] | null;
  readonly workloads: readonly string[] | null;
  /** Only workloads that name the target. */
  readonly onlyNamed: boolean;
}

/** What a target says about its digest. */
export const digestFields = {
  at: textOf(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 08:00"),
  timeZone: v.optional(
    v.pipe(
      v.string("a string"),
      refine((zone) => (parseTimeZone(zone) === null ? `"${zone}" is not an IANA time zone` : null)),
    ),
    "UTC",
  ),
};

const names = v.nullable(v.array(v.string()));
const digestList = v.array(
  closedObject({ name: v.string(), ...digestFields, namespaces: names, workloads: names, onlyNamed: v.boolean() }),
);

/** Parses the digests of all targets. */
export function parseDigests(written: unknown): Validation<readonly DailyDigest[]> {
  return validate(digestList, written, "digests");
}

/** A workload that gates hold: since when, and who lifts them. Plain JSON. */
export interface HeldWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** null if it is not known. */
  readonly version: string | null;
  /** RFC3339; null if it is not known. */
  readonly since: string | null;
  readonly gates: readonly string[];
}

/** One digest, as a poll found it. Plain JSON. */
export interface DigestReport {
  /** The name of the target. */
  readonly target: string;
  /** Its day, in the zone of the target: one digest is sent for each. */
  readonly date: string;
  /** Those that are held for the longest time. */
  readonly held: readonly HeldWorkload[];
  readonly more: number;
}

/** A message to a chat has one part for each. */
export const maxHeldWorkloads = 20;
const maxGates = 4;
const maxGateLength = 256;

/** Returns the day whose digest is due: today in the zone, if its time has come; null before. */
export function dueDate({ at, timeZone }: Pick<DailyDigest, "at" | "timeZone">, now: Date): string | null {
  // In Sweden, times are written as 2026-11-20 08:00.
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(now);
  return text.slice(-at.length) >= at ? text.slice(0, "2026-11-20".length) : null;
}

interface DueDigest {
  readonly digest: DailyDigest;
  readonly date: string;
  held: HeldWorkload[];
  count: number;
}

interface Collector {
  add(workload: Workload): void;
  reports(): readonly DigestReport[];
}

/**
 * Collects what is held for the digests that are due and were not sent: `sent` has the last day of each target. `before` is what earlier parts
 * of the same list have collected; a digest that one of them lacks has no whole, and is not collected. Its memory is bounded.
 */
export function collectHeld(
  digests: readonly DailyDigest[],
  sent: Readonly<Record<string, string>>,
  now: Date,
  before: readonly DigestReport[] | null = null,
): Collector {
  const due = digests.flatMap((digest): DueDigest[] => {
    const date = dueDate(digest, now);
    if (date === null || date === sent[digest.name]) return [];
    if (before === null) return [{ digest, date, held: [], count: 0 }];
    const collected = before.find(({ target }) => target === digest.name);
    if (collected === undefined) return [];
    const { held, more } = collected;
    return [{ digest, date, held: [...held], count: held.length + more }];
  });
  return {
    add(workload) {
      const { gates = [] } = workload;
      if (gates.length === 0) return;
      for (const one of due) {
        if (!isIn(one.digest, workload)) continue;
        one.count += 1;
        one.held.push(heldWorkload(workload));
        if (one.held.length > 2 * maxHeldWorkloads) one.held = longest(one.held);
      }
    },
    reports: () =>
      due.map(({ digest, date, held, count }) => {
        const shown = longest(held);
        return { target: digest.name, date, held: shown, more: count - shown.length };
      }),
  };
}

function isIn({ name, namespaces, workloads, onlyNamed }: DailyDigest, { ref, policy }: Workload): boolean {
  const matches = (patterns: readonly string[] | null, value: string) =>
    patterns?.some((pattern) => matchesGlob(pattern, value)) ?? true;
  return (
    matches(namespaces, ref.namespace) && matches(workloads, ref.name) && (!onlyNamed || policy.notify.includes(name))
  );
}

function heldWorkload({ ref, gates = [], updateRecord }: Workload): HeldWorkload {
  const times = gates.map(({ since }) => since?.getTime()).filter((time) => time !== undefined);
  return {
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name,
    version: updateRecord.candidateVersion ?? updateRecord.availableVersion,
    since: times.length === 0 ? null : formatRfc3339(fromEpoch(Math.min(...times))),
    gates: gates.slice(0, maxGates).map((gate) => truncate(describeGate(gate), maxGateLength)),
  };
}

/** Those without a time are the last. */
function longest(held: readonly HeldWorkload[]): HeldWorkload[] {
  const key = ({ since, namespace, name }: HeldWorkload) => `${since ?? "9"} ${namespace}/${name}`;
  return held.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)).slice(0, maxHeldWorkloads);
}

/** Describes one workload of a digest in a line. */
export function describeHeld({ kind, namespace, name, version, since, gates }: HeldWorkload): string {
  const to = version === null ? "" : ` to ${version}`;
  const from = since === null ? "" : ` since ${since}`;
  return `${kind} ${namespace}/${name}${to} is held${from}: ${gates.join("; ")}`;
}

/** Describes a digest: a line for each workload. */
export function describeDigest({ held, more }: Pick<DigestReport, "held" | "more">): string {
  return [...held.map(describeHeld), ...(more === 0 ? [] : [`and ${more} more`])].join("\n");
}
