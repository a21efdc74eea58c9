import { expect, test } from "vitest";
import { highestGood, possibleResults, type Release } from "./releases.ts";

function release(version: string, isGood: boolean, pushedAt = 0): Release {
  return { version, isGood, pushedAt };
}

test("the highest good version is not the last one", () => {
  const releases = [
    release("1.9.0", true),
    release("1.10.0", true),
    release("1.2.0", true),
    release("1.11.0-bad", false),
  ];
  expect(highestGood(new Map([["web", releases]]), "web")).toBe("1.10.0");
});

const moving = [
  release("prod@sha256:1", true, 1),
  release("prod@sha256:2", false, 2),
  release("prod@sha256:3", true, 3),
];

test.for([
  { when: "its tag has not moved on", version: "prod@sha256:2", endedAt: 2, results: [false] },
  { when: "its tag has moved on", version: "prod@sha256:2", endedAt: 3, results: [false, true] },
  { when: "its tag moved before", version: "prod@sha256:3", endedAt: 3, results: [true] },
  { when: "it was never pushed", version: "prod@sha256:4", endedAt: 3, results: [] },
])("the possible results of an attempt are $results if $when", ({ version, endedAt, results }) => {
  expect([...possibleResults(new Map([["web", moving]]), "web", version, endedAt)]).toEqual(results);
});
