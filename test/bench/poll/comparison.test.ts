import { describe, expect, test } from "vitest";
import { parseReport, parseLookupSeconds } from "../../../bench/poll/contenders/renovate-output.ts";
import { evaluateGoals } from "../../../bench/poll/goals.ts";
import { createTags, expectedTag, repositoryName, selectNewestRelease } from "../../../bench/poll/images.ts";
import { assertCorrect, medianOutcome, type Outcome } from "../../../bench/poll/outcome.ts";
import { createPages } from "../../../bench/poll/registry/pages.ts";
import { createRows } from "../../../bench/poll/table.ts";

const bareLoop: Outcome = {
  requests: 20,
  peakInFlight: 8,
  connections: 8,
  seconds: 2,
  wholeSeconds: 3,
  cpuSeconds: 1,
  peakBytes: 100 * 1024 * 1024,
};
const tagList = { images: 3, tags: 25 };
const correct = Object.fromEntries([0, 1, 2].map((index) => [repositoryName(index), expectedTag(index, tagList)]));

test.for([4, 5, 25, 200])("the newest of %i tags is the expected tag", (tags) => {
  const listed = createTags(3, { images: 9, tags });
  expect(new Set(listed).size).toBe(tags);
  expect(selectNewestRelease(listed)).toBe(expectedTag(3, { images: 9, tags }));
});

test("the pages of the registry contain all tags, and each links to the next", () => {
  const findPage = createPages(tagList, 10);
  const received: string[] = [];
  for (let last: string | null = null, pages = 1; ; pages += 1) {
    const page = findPage(repositoryName(1), last);
    received.push(...(JSON.parse(page?.body ?? "") as { tags: readonly string[] }).tags);
    last = /last=([^>]+)>; rel="next"$/.exec(page?.link ?? "")?.[1] ?? null;
    if (last !== null) continue;
    expect(pages).toBe(3);
    break;
  }
  expect(received).toEqual(createTags(1, tagList));
});

describe("only correct results count", () => {
  test("every tag is correct", () => expect(() => assertCorrect("it", correct, tagList)).not.toThrow());

  test.for([
    { when: "a tag is missing", found: { ...correct, [repositoryName(2)]: undefined } },
    { when: "a tag is not the newest", found: { ...correct, [repositoryName(0)]: "1.0.0" } },
    { when: "a tag is a pre-release", found: { ...correct, [repositoryName(1)]: "9.9.9-rc.1" } },
  ])("$when", ({ found }) => {
    expect(() => assertCorrect("it", found as Record<string, string>, tagList)).toThrow(
      /wrong result for 1 of 3 images/,
    );
  });
});

test("the median is calculated for each figure", () => {
  const runs = [
    { ...bareLoop, seconds: 3, peakBytes: 1 },
    { ...bareLoop, seconds: 1, peakBytes: 2 },
    { ...bareLoop, seconds: 2, peakBytes: 3 },
  ];
  expect(medianOutcome(runs)).toMatchObject({ seconds: 2, peakBytes: 2 });
  expect(medianOutcome(runs.slice(0, 2))).toMatchObject({ seconds: 2, peakBytes: 1.5 });
});

const goals = ["time", "CPU", "memory", "requests", "Renovate time", "Renovate memory"];

test.for([
  { when: "Pawl takes exactly the maximum time", pawl: { seconds: 2.6 }, missed: [] },
  { when: "Pawl is slower than the goal", pawl: { seconds: 2.7 }, missed: ["time"] },
  { when: "Pawl takes more CPU time than the goal", pawl: { cpuSeconds: 1.7 }, missed: ["CPU"] },
  { when: "Pawl takes more memory than the goal", pawl: { peakBytes: 1.4 * bareLoop.peakBytes }, missed: ["memory"] },
  { when: "Pawl sends one request too many", pawl: { requests: 21 }, missed: ["requests"] },
  { when: "Renovate takes nine times as long", renovate: { seconds: 18 }, missed: ["Renovate time"] },
  {
    when: "Renovate uses four times the memory",
    renovate: { peakBytes: 4 * bareLoop.peakBytes },
    missed: ["Renovate memory"],
  },
])("goals are evaluated if $when", ({ pawl, renovate, missed }) => {
  const slow = { ...bareLoop, seconds: 100, peakBytes: 10 * bareLoop.peakBytes };
  const outcomes = { bareLoop, pawl: { ...bareLoop, ...pawl }, renovate: { ...slow, ...renovate } };
  const evaluated = evaluateGoals(outcomes, 20);
  expect(goals.filter((_, index) => !evaluated[index]?.isMet)).toEqual(missed);
  expect(evaluateGoals({ ...outcomes, renovate: null }, 20)).toHaveLength(4);
});

test("a row has each figure with its ratio to the bare loop", () => {
  const [, row] = createRows({ bareLoop, pawl: { ...bareLoop, seconds: 3 }, renovate: null });
  expect(row).toEqual(["Pawl", "20", "8", "8", "3.00 s (1.50)", "3.00 s (1.00)", "1.00 s (1.00)", "100 MiB (1.00)"]);
});

test("reads Renovate's report and log, and joins several updates of one image", () => {
  const deps = [
    { packageName: "h:1/bench/a", updates: [{ newValue: "1.2.0" }] },
    { packageName: "h:1/bench/b", updates: [{ newValue: "1.2.0" }, { newValue: "2.0.0" }] },
  ];
  const report = JSON.stringify({ repositories: { local: { packageFiles: { "docker-compose": [{ deps }] } } } });
  expect(parseReport(report, "h:1")).toEqual({ "bench/a": "1.2.0", "bench/b": "1.2.0 and 2.0.0" });
  expect(parseLookupSeconds('{"splits":{"init":1,"lookup":2500,"update":0}}')).toBe(2.5);
  expect(() => parseLookupSeconds("{}")).toThrow("no duration of the look-up phase");
});
