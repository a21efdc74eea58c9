import { attemptsOf, recordWrites } from "./record/attempts.ts";
import type { Violation } from "./invariants/violation.ts";
import { formatTimeline } from "./record/timeline.ts";
import type { World } from "./world.ts";

/** Prints what was done, and each workload with violations with its timeline. */
export function printReport(
  { fleet, journal, recording }: World,
  found: readonly Violation[],
  failures: ReadonlyMap<string, number>,
  start: number,
): void {
  const violations = [...new Map(found.map((one) => [`${one.workload} ${one.message}`, one])).values()];
  for (const { name } of fleet) {
    const own = violations.filter(({ workload }) => workload === name);
    if (own.length === 0) continue;
    const notes = journal.notes.filter(({ workload }) => workload === name || workload === null);
    console.log([`\n${name}`, ...formatTimeline(recording.factsOf(name), notes, start)].join("\n"));
    for (const { message } of own) console.log(`VIOLATION ${name}: ${message}`);
  }
  console.log("");
  for (const [failure, count] of failures) console.log(`UNEXPECTED FAILURE ${count} x ${failure}`);
  for (const { at, kind, text } of journal.notes) {
    if (kind === "phase") console.log(`${((at - start) / 1000).toFixed().padStart(5)} s  ${text}`);
  }
  const counts = [...journal.counts()]
    .filter(([kind]) => kind !== "phase")
    .map(([kind, count]) => `${count} x ${kind}`);
  console.log([...counts, ...countAttempts(fleet.map(({ name }) => recording.factsOf(name)))].join(", "));
  console.log(
    `${violations.length} violations in ${new Set(violations.map(({ workload }) => workload)).size} workloads`,
  );
}

function countAttempts(facts: readonly Parameters<typeof recordWrites>[0][]): readonly string[] {
  const attempts = facts.flatMap((own) => attemptsOf(recordWrites(own)).attempts);
  const results = attempts.map(({ entries }) => entries.at(-1)?.result ?? "superseded");
  const kinds = [...new Set(results)].map((kind) => `${results.filter((one) => one === kind).length} ${kind}`);
  return [`${attempts.length} attempts (${kinds.join(", ")})`];
}
