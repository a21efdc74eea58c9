import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendHistory, parseHistoryStatus } from "../../../../functions/domain/workload/record/history.ts";
import { emptyUpdateRecord } from "../../../../functions/domain/workload/record/update-record.ts";
import { blamedRecord } from "../../../../functions/domain/workload/rollback/outcome.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import { after, inFlight, noon, updatingWorkload, imageTarget } from "../../../support/workloads.ts";

describe("parseHistoryStatus", () => {
  test.for([
    { text: "Healthy", status: "Healthy" },
    { text: "RolledBack", status: "RolledBack" },
    { text: "Withdrawn", status: "Withdrawn" },
    { text: "HookFailed", status: "HookFailed" },
    { text: "RollbackFailed", status: "RollbackFailed" },
    { text: "Superb", status: "RolledBack" },
  ])("$text: $status", ({ text, status }) => {
    expect(parseHistoryStatus(text)).toBe(status);
  });
});

describe("appendHistory", () => {
  const entries = (count: number): HistoryEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      version: `1.0.${index}`,
      appliedAt: after(index),
      status: "Healthy",
    }));
  const next: HistoryEntry = { version: "2.0.0", appliedAt: after(999), status: "Healthy" };

  test.for([
    { count: 9, kept: 10, oldest: "1.0.0" },
    { count: 49, kept: 50, oldest: "1.0.0" },
    { count: 59, kept: 50, oldest: "1.0.10" },
  ])("keeps $kept of $count entries and a new one", ({ count, kept, oldest }) => {
    const history = appendHistory({ ...emptyUpdateRecord, versionHistory: entries(count) }, next);
    expect([history.length, history[0]?.version, history.at(-1)]).toEqual([kept, oldest, next]);
  });

  test.for([
    { when: "an identical entry", entry: next, count: 1 },
    { when: "the same version at another time", entry: { ...next, appliedAt: after(1000) }, count: 2 },
    { when: "the same version with another status", entry: { ...next, status: "RolledBack" as const }, count: 2 },
  ])("after the newest entry, $when leaves $count", ({ entry, count }) => {
    expect(appendHistory({ ...emptyUpdateRecord, versionHistory: [next] }, entry)).toHaveLength(count);
  });

  test("loses no entry below the limit, and adds an identical entry only once in a row", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ version: fc.stringMatching(/^\d\.\d$/), minute: fc.nat(9) }), { maxLength: 50 }),
        (additions) => {
          let record = emptyUpdateRecord;
          const expected: string[] = [];
          for (const { version, minute } of additions) {
            const entry: HistoryEntry = { version, appliedAt: after(minute), status: "Healthy" };
            record = { ...record, versionHistory: appendHistory(record, entry) };
            if (expected.at(-1) !== `${version} ${minute}`) expected.push(`${version} ${minute}`);
          }
          const kept = record.versionHistory.map(
            ({ version, appliedAt }) => `${version} ${(appliedAt.getTime() - noon.getTime()) / 60_000}`,
          );
          expect(kept).toEqual(expected);
        },
      ),
    );
  });

  test("failed versions never repeat, for any sequence of failures", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("1.1.0", "1.2.0", "v1.2.0")), (tags) => {
        let record = emptyUpdateRecord;
        for (const [index, tag] of tags.entries()) {
          const attempt = { ...inFlight, target: imageTarget(`app:${tag}`), startedAt: after(index) };
          record = {
            ...record,
            ...blamedRecord(updatingWorkload({ updateRecord: record }), attempt, "not ready", after(index))
              .updateRecord,
          };
        }
        expect(record.failedVersions).toEqual([...new Set(tags)]);
        expect(record.rollbackCount).toBe(tags.length);
      }),
    );
  });
});
