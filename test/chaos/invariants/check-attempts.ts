import { versionOf } from "../../../functions/domain/image/reference.ts";
import { type Attempt, attemptsOf, type RecordWrite, recordWrites } from "../record/attempts.ts";
import { templateChanges } from "../record/images.ts";
import { possibleResults } from "../releases.ts";
import { checkBlame, wasSeenFailing } from "./check-blame.ts";
import type { Story } from "./violation.ts";

/** A person may change the workload while Pawl, which has read it already, writes the claim. */
const claimMilliseconds = 15_000;

/** Returns what is wrong with the attempts: each is in the history once, a good version is healthy, and a bad one is blamed. */
export function checkAttempts(story: Story): readonly string[] {
  const writes = recordWrites(story.facts);
  const { attempts, unattempted } = attemptsOf(writes);
  return [
    ...unattempted.map(({ version, result }) => `the history got ${version} ${result} without an attempt`),
    ...attempts.flatMap((attempt) => checkAttempt(story, attempt, writes)),
  ];
}

function checkAttempt(story: Story, attempt: Attempt, writes: readonly RecordWrite[]): readonly string[] {
  const { targetImage, end, entries, begin } = attempt;
  const version = versionOf(targetImage);
  const what = `the attempt at ${version} (revision ${begin.revision})`;
  if (end === null) return [];
  if (entries.length > 1) return [`${what} is in the history ${entries.length} times`];
  const [entry] = entries;
  if (entry === undefined)
    return attempt.isParked || hasPersonActed(story, attempt) ? [] : [`${what} ended without a record`];
  // Its pods may have pulled what its tag named by then.
  const pushed = story.releases.get(story.member.name) ?? [];
  const isMoved =
    version.includes("@") && pushed.some((one) => one.version === entry.version && one.pushedAt <= end.at);
  if (entry.version !== version && !isMoved) return [`${what} was recorded as ${entry.version}`];
  const results = possibleResults(story.releases, story.member.name, version, end.at);
  if (results.size === 0) return [`${what} is of a version that was never pushed`];
  if (entry.result === "Healthy" && !results.has(true))
    return [`${what} was recorded as healthy, and its pods never became ready`];
  const write = writes.find(({ added }) => added.includes(entry));
  if (write === undefined || entry.result === "Healthy") return [];
  if (entry.result === "RolledBack") return checkBlame(story, attempt, entry, write);
  const isCounted = (write.after.rollbackCount ?? 0) > (write.before.rollbackCount ?? 0);
  return isCounted && !wasSeenFailing(story, attempt, write)
    ? [`${what} was counted, and no pod of it was seen failing`]
    : [];
}

/** Reports whether a person changed the template while the attempt was in flight, or just before its claim. */
function hasPersonActed({ facts }: Story, { begin, end }: Attempt): boolean {
  return templateChanges(facts).some(
    ({ by, at, revision }) => by === "person" && at >= begin.at - claimMilliseconds && revision <= (end?.revision ?? 0),
  );
}
