import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyBookkeeping, giveUp, remember } from "../../functions/domain/bookkeeping.ts";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { after, inFlight, noon, updating } from "../support/workloads.ts";

describe("the history", () => {
  const entries = (count: number): HistoryEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      version: `1.0.${index}`,
      appliedAt: after(index),
      status: "Healthy",
    }));
  const next: HistoryEntry = { version: "2.0.0", appliedAt: after(999), status: "Healthy" };

  test.for([
    { had: 9, kept: 10, oldest: "1.0.0" },
    { had: 49, kept: 50, oldest: "1.0.0" },
    { had: 59, kept: 50, oldest: "1.0.10" },
  ])("of $had entries and a new one $kept are kept", ({ had, kept, oldest }) => {
    const history = remember({ ...emptyBookkeeping, versionHistory: entries(had) }, next);
    expect([history.length, history[0]?.version, history.at(-1)]).toEqual([kept, oldest, next]);
  });

  test("under the cap nothing is ever lost, and the same entry is not kept twice in a row", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ version: fc.stringMatching(/^\d\.\d$/), minute: fc.nat(9) }), { maxLength: 50 }),
        (moves) => {
          let book = emptyBookkeeping;
          const said: string[] = [];
          for (const { version, minute } of moves) {
            const entry: HistoryEntry = { version, appliedAt: after(minute), status: "Healthy" };
            book = { ...book, versionHistory: remember(book, entry) };
            if (said.at(-1) !== `${version} ${minute}`) said.push(`${version} ${minute}`);
          }
          const kept = book.versionHistory.map(
            ({ version, appliedAt }) => `${version} ${(appliedAt.getTime() - noon.getTime()) / 60_000}`,
          );
          expect(kept).toEqual(said);
        },
      ),
    );
  });

  test("failed versions never repeat, whatever fails in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("1.1.0", "1.2.0", "v1.2.0")), (tags) => {
        let book = emptyBookkeeping;
        for (const [index, tag] of tags.entries()) {
          const marks = { ...inFlight, targetImage: `app:${tag}`, startedAt: after(index) };
          book = {
            ...book,
            ...giveUp(updating({ bookkeeping: book }), marks, "not ready", after(index)).bookkeeping,
          };
        }
        expect(book.failedVersions).toEqual([...new Set(tags)]);
        expect(book.rollbackCount).toBe(tags.length);
      }),
    );
  });
});
