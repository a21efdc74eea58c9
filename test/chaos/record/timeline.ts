import { targetKey } from "../../../functions/domain/workload/target/target.ts";
import { recordWrites, type RecordWrite } from "./attempts.ts";
import type { Observed } from "./facts.ts";
import { isMove, type TemplateChange, templateChanges } from "./images.ts";
import type { Note } from "./journal.ts";

interface Entry {
  readonly at: number;
  readonly revision: number;
  readonly text: string;
}

/** Returns one line for all that happened to a workload: what was stored, and what the driver did. */
export function formatTimeline(facts: readonly Observed[], notes: readonly Note[], start: number): readonly string[] {
  const entries: Entry[] = [
    ...recordWrites(facts).map(describeRecord),
    ...templateChanges(facts).map(describeChange),
    ...facts.flatMap(describeObject),
    ...notes.map(({ at, kind, text }) => ({ at, revision: 0, text: `-- ${kind}: ${text}` })),
  ];
  const sorted = entries
    .filter(({ text }) => text !== "")
    .toSorted((one, other) => one.at - other.at || one.revision - other.revision);
  return sorted.map(
    ({ at, revision, text }) =>
      `${((at - start) / 1000).toFixed(1).padStart(8)} s ${String(revision).padStart(6)}  ${text}`,
  );
}

function describeChange(change: TemplateChange): Entry {
  const { at, revision, by, after } = change;
  const what = isMove(change) ? `image ${short(after.image)}` : `restart ${after.restartedAt}`;
  return { at, revision, text: `${by}: ${what}` };
}

function describeRecord({ at, revision, before, after, added }: RecordWrite): Entry {
  const { update, rollbackCount = 0, circuitOpen, currentVersion, holdReason } = after;
  const claim =
    update && `${update.phase} ${short(targetKey(update.target))} ${update.execution.slice(-12)} of ${update.holder}`;
  const counters = `count ${rollbackCount}${circuitOpen ? ", circuit open" : ""}, current ${currentVersion}`;
  const history = added.map(({ version, result, reason = "" }) => `history ${version} ${result} ${reason}`);
  const held = holdReason !== before.holdReason && holdReason ? [`held: ${holdReason}`] : [];
  return { at, revision, text: ["record:", claim ?? "idle", counters, ...history, ...held].join("; ") };
}

function describeObject({ at, revision, object, fact }: Observed): readonly Entry[] {
  if (fact.kind === "record") return [];
  if (fact.kind === "gone") return [{ at, revision, text: `${object} gone` }];
  if (fact.kind === "canary") return [{ at, revision, text: `${object} ${short(fact.image)}` }];
  if (fact.kind === "workload") {
    const { replicas, partition } = fact;
    return [
      { at, revision, text: `${object} replicas ${replicas}${partition === 0 ? "" : `, partition ${partition}`}` },
    ];
  }
  const state = `${fact.isReady ? "ready" : "not ready"}${fact.isTerminating ? ", terminating" : ""}`;
  return [{ at, revision, text: `${object} ${short(fact.image)} ${state}` }];
}

function short(image: string): string {
  return image.slice(image.lastIndexOf("/") + 1);
}
