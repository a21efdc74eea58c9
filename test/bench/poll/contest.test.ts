import { describe, expect, test } from "vitest";
import { newestOf as newestAmong } from "../../../bench/poll/contenders/newest.ts";
import { foundIn, lookupSeconds } from "../../../bench/poll/contenders/renovate-output.ts";
import { judge } from "../../../bench/poll/goals.ts";
import { newestOf, repositoryOf, tagsOf } from "../../../bench/poll/images.ts";
import { assertRight, medians, type Outcome } from "../../../bench/poll/outcome.ts";
import { pagesOf } from "../../../bench/poll/registry/pages.ts";
import { rowsOf } from "../../../bench/poll/table.ts";

const bareLoop: Outcome = {
  requests: 20,
  peakInFlight: 8,
  connections: 8,
  seconds: 2,
  wholeSeconds: 3,
  cpuSeconds: 1,
  peakBytes: 100 * 1024 * 1024,
};
const shelf = { images: 3, tags: 25 };
const right = Object.fromEntries([0, 1, 2].map((index) => [repositoryOf(index), newestOf(index, shelf)]));

test.for([4, 5, 25, 200])("of %i tags the newest is the one that the images name", (tags) => {
  const listed = tagsOf(3, { images: 9, tags });
  expect(new Set(listed).size).toBe(tags);
  expect(newestAmong(listed)).toBe(newestOf(3, { images: 9, tags }));
});

test("the pages of the registry are the listing, each with a link to the next", () => {
  const pageAt = pagesOf(shelf, 10);
  const seen: string[] = [];
  for (let last: string | null = null, pages = 1; ; pages += 1) {
    const page = pageAt(repositoryOf(1), last);
    seen.push(...(JSON.parse(page?.body ?? "") as { tags: readonly string[] }).tags);
    last = /last=([^>]+)>; rel="next"$/.exec(page?.link ?? "")?.[1] ?? null;
    if (last !== null) continue;
    expect(pages).toBe(3);
    break;
  }
  expect(seen).toEqual(tagsOf(1, shelf));
});

describe("who is wrong is not counted", () => {
  test("all right", () => expect(() => assertRight("it", right, shelf)).not.toThrow());

  test.for([
    { when: "one is left out", found: { ...right, [repositoryOf(2)]: undefined } },
    { when: "one is not the newest", found: { ...right, [repositoryOf(0)]: "1.0.0" } },
    { when: "one is a pre-release", found: { ...right, [repositoryOf(1)]: "9.9.9-rc.1" } },
  ])("$when", ({ found }) => {
    expect(() => assertRight("it", found as Record<string, string>, shelf)).toThrow(/wrong about 1 of 3 images/);
  });
});

test("each figure has a median of its own", () => {
  const runs = [
    { ...bareLoop, seconds: 3, peakBytes: 1 },
    { ...bareLoop, seconds: 1, peakBytes: 2 },
    { ...bareLoop, seconds: 2, peakBytes: 3 },
  ];
  expect(medians(runs)).toMatchObject({ seconds: 2, peakBytes: 2 });
  expect(medians(runs.slice(0, 2))).toMatchObject({ seconds: 2, peakBytes: 1.5 });
});

test.for([
  { when: "Pawl is as fast as allowed", pawl: { seconds: 2.6 }, met: [true, true, true, true] },
  { when: "Pawl is slower than the loop allows", pawl: { seconds: 2.7 }, met: [false, true, true, true] },
  { when: "Pawl asks once too often", pawl: { requests: 21 }, met: [true, false, true, true] },
  { when: "Renovate is nine times as slow", renovate: { seconds: 18 }, met: [true, true, false, true] },
  {
    when: "Renovate takes four times the memory",
    renovate: { peakBytes: 4 * bareLoop.peakBytes },
    met: [true, true, true, false],
  },
])("goals where $when", ({ pawl, renovate, met }) => {
  const slow = { ...bareLoop, seconds: 100, peakBytes: 10 * bareLoop.peakBytes };
  const outcomes = { bareLoop, pawl: { ...bareLoop, ...pawl }, renovate: { ...slow, ...renovate } };
  expect(judge(outcomes, 20).map(({ isMet }) => isMet)).toEqual(met);
  expect(judge({ ...outcomes, renovate: null }, 20)).toHaveLength(2);
});

test("a row has each figure and what it is to that of the bare loop", () => {
  const [, row] = rowsOf({ bareLoop, pawl: { ...bareLoop, seconds: 3 }, renovate: null });
  expect(row).toEqual(["Pawl", "20", "8", "8", "3.00 s (1.50)", "3.00 s (1.00)", "1.00 s (1.00)", "100 MiB (1.00)"]);
});

test("Renovate's report and log are read; two updates of one image are no answer", () => {
  const deps = [
    { packageName: "h:1/bench/a", updates: [{ newValue: "1.2.0" }] },
    { packageName: "h:1/bench/b", updates: [{ newValue: "1.2.0" }, { newValue: "2.0.0" }] },
  ];
  const report = JSON.stringify({ repositories: { local: { packageFiles: { "docker-compose": [{ deps }] } } } });
  expect(foundIn(report, "h:1")).toEqual({ "bench/a": "1.2.0", "bench/b": "1.2.0 and 2.0.0" });
  expect(lookupSeconds('{"splits":{"init":1,"lookup":2500,"update":0}}')).toBe(2.5);
  expect(() => lookupSeconds("{}")).toThrow("does not say");
});
