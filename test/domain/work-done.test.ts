import { describe, expect, test } from "vitest";
import { emptyBookkeeping } from "../../functions/domain/bookkeeping.ts";
import { isCancelled, isCounted, isRecorded } from "../../functions/domain/work-done.ts";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { after, image, inFlight, noon, target, updating } from "../support/workloads.ts";
import { followed, restarting, restartInFlight, second } from "../support/followed.ts";

const failedOnce: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };

describe("isCounted", () => {
  test.for([
    { when: "no history", history: [], counted: false },
    { when: "this attempt", history: [failedOnce], counted: true },
    {
      when: "an earlier attempt at the same version",
      history: [{ ...failedOnce, appliedAt: after(-60) }],
      counted: false,
    },
    { when: "another version", history: [{ ...failedOnce, version: "1.0.5" }], counted: false },
    { when: "a success", history: [{ ...failedOnce, status: "Healthy" as const }], counted: false },
  ])("$when: $counted", ({ history, counted }) => {
    expect(isCounted({ ...emptyBookkeeping, versionHistory: history }, inFlight)).toBe(counted);
  });

  test("without a readable start the version alone tells", () => {
    const history = [{ ...failedOnce, appliedAt: after(3) }];
    expect(isCounted({ ...emptyBookkeeping, versionHistory: history }, { ...inFlight, startedAt: "malformed" })).toBe(
      true,
    );
  });
});

test.for([
  { when: "its marks are gone and the history ends with it", parts: { inFlight: null }, recorded: true },
  { when: "its marks still stand", parts: {}, recorded: false },
  {
    when: "the history ends with another",
    parts: { inFlight: null, bookkeeping: { versionHistory: [{ ...failedOnce, version: "1.0.5" }] } },
    recorded: false,
  },
  { when: "there is no history", parts: { inFlight: null, bookkeeping: {} }, recorded: false },
])("isRecorded when $when: $recorded", ({ parts, recorded }) => {
  expect(isRecorded(updating({ bookkeeping: { versionHistory: [failedOnce] }, ...parts }), target, "RolledBack")).toBe(
    recorded,
  );
});

test("a restart is known by its tag and its digest", () => {
  const history: readonly HistoryEntry[] = [{ ...failedOnce, version: second.slice(second.indexOf("prod")) }];
  const bookkeeping = { versionHistory: history };
  expect(isCounted({ ...emptyBookkeeping, ...bookkeeping }, restartInFlight)).toBe(true);
  expect(isRecorded(followed({ bookkeeping }), second, "RolledBack")).toBe(true);
  expect(
    isRecorded(
      followed({ bookkeeping: { versionHistory: [{ ...failedOnce, version: "prod" }] } }),
      second,
      "RolledBack",
    ),
  ).toBe(false);
});

const off = { policy: { enabled: false } };
test.for([
  { when: "it was switched off and is taken back", seen: updating({ ...off, image, inFlight: null }), cancelled: true },
  { when: "its marks still stand", seen: updating({ ...off, image }), cancelled: false },
  { when: "the image still stands", seen: updating({ ...off, inFlight: null }), cancelled: false },
  { when: "it is switched on", seen: updating({ image, inFlight: null }), cancelled: false },
])("isCancelled when $when: $cancelled", ({ seen, cancelled }) => {
  expect(isCancelled(seen, target)).toBe(cancelled);
});

test("a restart that was switched off leaves the image without its digest", () => {
  expect(isCancelled(restarting({ ...off, inFlight: null }), second)).toBe(true);
});
