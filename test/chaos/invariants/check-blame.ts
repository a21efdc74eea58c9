import type { HistoryStatusEntry } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { isSameImage, versionOf } from "../../../functions/domain/image/reference.ts";
import type { Attempt, Moment } from "../record/attempts.ts";
import type { PodFact } from "../record/facts.ts";
import { possibleResults } from "../releases.ts";
import type { Story } from "./violation.ts";

/** What Pawl read of the pods just before it wrote may have changed meanwhile. */
const readMilliseconds = 1500;

/**
 * Returns what is wrong with a blame: a version is blamed only if its own pods failed by themselves, while the version before it was
 * healthy. A good one fails so only in an outage of what it depends on, which may be over before the restored one starts.
 */
export function checkBlame(
  story: Story,
  attempt: Attempt,
  entry: HistoryStatusEntry,
  verdict: Moment,
): readonly string[] {
  const { member, releases } = story;
  const { targetImage, begin } = attempt;
  const what = `the attempt at ${versionOf(targetImage)} (revision ${begin.revision}) was blamed`;
  const isGood = !possibleResults(releases, member.name, versionOf(targetImage), verdict.at).has(false);
  if (isGood && !wasAway(story, begin.at, verdict.at))
    return [`${what}, and the version is good: ${entry.reason ?? ""}`];
  if (!wasSeenFailing(story, attempt, verdict)) return [`${what}, and no pod of it was seen failing`];
  return hasControl(story, attempt)
    ? checkControl(story, attempt, entry, verdict).map((why) => `${what}, and ${why}`)
    : [];
}

/** Reports whether a pod of an attempt has failed by itself. A pod's image has no digest if its tag moves: there any pod counts. */
export function wasSeenFailing({ facts }: Story, { targetImage, begin }: Attempt, until: Moment): boolean {
  return facts.some(
    ({ revision, fact }) =>
      fact.kind === "pod" &&
      (fact.failure === "own" || fact.exitedAt !== null) &&
      (fact.image === targetImage || targetImage.startsWith(`${fact.image}@`)) &&
      revision > begin.revision &&
      revision <= until.revision,
  );
}

/** A restart has no previous version that could show anything. */
function hasControl({ member }: Story, { previousImage }: Attempt): boolean {
  return (member.strategy === "rolling" || member.strategy === "canary") && previousImage !== undefined;
}

function checkControl(
  { facts, member }: Story,
  { previousImage = "" }: Attempt,
  { startedAt }: HistoryStatusEntry,
  { at }: Moment,
): readonly string[] {
  const pods = new Map<string, PodFact>();
  for (const { object, fact, at: seen } of facts) {
    if (seen > at - readMilliseconds) break;
    if (fact.kind === "pod") pods.set(object, fact);
    else if (fact.kind === "gone") pods.delete(object);
  }
  const control = [...pods].filter(([, pod]) => isSameImage(pod.image, previousImage) && !pod.isTerminating);
  const exited = control.filter(([, pod]) => pod.exitedAt !== null && pod.exitedAt >= Date.parse(startedAt ?? ""));
  const isRestored = member.strategy !== "rolling" || control.some(([, { isReady }]) => isReady);
  return [
    ...exited.map(([object]) => `${object} of the version before it failed too`),
    ...(isRestored ? [] : ["no pod of the version before it was ready"]),
  ];
}

function wasAway({ outages }: Story, from: number, to: number): boolean {
  return outages.some((outage) => outage.from < to && outage.to > from);
}
