import { formatRfc3339 } from "../../text/rfc3339.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import { type Hold, hold } from "../../workload/decision/decision.ts";
import type { Decision } from "../../workload/decision/decision.ts";
import { versionOfTarget } from "../../workload/target/target.ts";
import type { FoundGate } from "../closed-gate.ts";
import type { Wait } from "./assign-places.ts";
import { maxPositions } from "./assign-places.ts";
import type { Blocker } from "./start-facts.ts";

/** Why an update does not start now, besides what keeps it from a place. */
export type StartWait =
  | Wait
  /** How many are updated is not known. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** Who has the Lease of polls gives out the places. */
  | { readonly kind: "nominated" };

interface Queue {
  readonly waiting: number;
  readonly max: number;
}

type Update = Extract<Decision, { readonly kind: "update" }>;

/** Returns the hold of an update that waits for a place since then. */
export function limitsHold({ target, available }: Update, wait: StartWait, queue: Queue, since: Date): Hold {
  const gate: FoundGate = {
    name: "limits",
    since: formatRfc3339(since),
    ...describe(wait, queue, versionOfTarget(target)),
  };
  return { ...hold("limited", gate.message), target, gates: [gate], ...(available === undefined ? {} : { available }) };
}

function describe(wait: StartWait, { waiting, max }: Queue, version: string): Omit<FoundGate, "name"> {
  const liftedBy = "pawl push";
  if (wait.kind === "wave") return describeWave(wait.blockers, version);
  if (wait.kind === "unknown") {
    const message = `how many updates are in progress is not known: ${wait.reason}`;
    return { reason: "LimitsUnknown", message, liftedBy };
  }
  if (wait.kind === "nominated")
    return { reason: "LimitReached", message: "it waits for a place, which the next poll assigns", liftedBy };
  const { position, by } = wait;
  // The total changes at nearly every poll, and a message that changes is written.
  const place = position === null ? `behind ${maxPositions} that wait` : `${ordinal(position)} of ${waiting} that wait`;
  return { reason: "LimitReached", message: `${place}: ${limitOf(by, max)}`, liftedBy };
}

function limitOf(by: Extract<Wait, { readonly kind: "full" }>["by"], max: number): string {
  if (by === "total") return `at most ${max} workloads are updated at a time`;
  return `its ${by} has as many updates as limits.${by === "namespace" ? "perNamespace" : "perRepository"} allows`;
}

function describeWave(blockers: readonly Blocker[], version: string): Omit<FoundGate, "name"> {
  const failed = blockers.filter(({ hasFailed }) => hasFailed);
  const named = (failed.length > 0 ? failed : blockers).map(({ name }) => name).toSorted();
  const list = summarizeList(named).join(", ");
  return failed.length > 0
    ? {
        reason: "EarlierWaveFailed",
        message: `${version} has failed in an earlier wave: ${list}`,
        liftedBy: `pawl retry of ${named[0]}`,
      }
    : { reason: "EarlierWave", message: `an earlier wave has yet to run ${version}: ${list}`, liftedBy: "pawl push" };
}

function ordinal(position: number): string {
  const [tens, ones] = [position % 100, position % 10];
  const suffix = tens >= 11 && tens <= 13 ? "th" : (({ 1: "st", 2: "nd", 3: "rd" } as const)[ones] ?? "th");
  return `${position}${suffix}`;
}
