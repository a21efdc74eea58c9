import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventPattern } from "../../../functions/domain/notification/filter.ts";
import { matchesPattern } from "../../../infra/local/event-bridge/event-pattern.ts";

const event = {
  source: "pawl",
  "detail-type": "Update Started",
  detail: { workload: { namespace: "shop", name: "web" }, notify: ["team-a", "team-b"], node: null },
};

describe("a pattern", () => {
  test.for<{ readonly pattern: object; readonly matches: boolean }>([
    { pattern: {}, matches: true },
    { pattern: { source: ["pawl"] }, matches: true },
    { pattern: { source: ["aws.ecr"] }, matches: false },
    { pattern: { source: ["aws.ecr", "pawl"], "detail-type": ["Update Started"] }, matches: true },
    { pattern: { source: [] }, matches: false },
    { pattern: { account: ["1"] }, matches: false },
    { pattern: { toString: ["1"] }, matches: false },
    { pattern: { detail: { workload: { namespace: ["shop"] } } }, matches: true },
    { pattern: { detail: { workload: { namespace: ["shop"], name: ["api"] } } }, matches: false },
    { pattern: { detail: { nodePool: { name: ["web"] } } }, matches: false },
    { pattern: { detail: { notify: ["team-b"] } }, matches: true },
    { pattern: { detail: { notify: ["team-c"] } }, matches: false },
    { pattern: { detail: { notify: [{ wildcard: "*-b" }] } }, matches: true },
    { pattern: { detail: { node: [{ wildcard: "*" }] } }, matches: false },
    { pattern: { source: { wildcard: ["pawl"] } }, matches: false },
  ])("$pattern: $matches", ({ pattern, matches }) => {
    expect(matchesPattern(pattern, event)).toBe(matches);
  });
});

test("a wildcard matches what the regular expression does that says the same", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 8 });
  const wildcards = fc.string({ unit: fc.constantFrom("a", "b", "-", "*"), maxLength: 6 });
  fc.assert(
    fc.property(texts, wildcards, (value, wildcard) => {
      const expected = new RegExp(`^${wildcard.replaceAll("*", ".*")}$`).test(value);
      expect(matchesPattern({ value: [{ wildcard }] }, { value })).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

describe("the filter of a target selects", () => {
  const all = { on: "all", events: null, namespaces: null, workloads: null } as const;
  const workloadEvent = (type: string, namespace: string, name: string, notify: readonly string[] = []) => ({
    source: "pawl",
    "detail-type": type,
    detail: { workload: { namespace, name }, notify },
  });
  const poolEvent = { source: "pawl", "detail-type": "Node Pool Degraded", detail: { nodePool: { name: "workers" } } };
  const failed = workloadEvent("Update Rolled Back", "shop", "web");
  test.for([
    { when: "a failure, by default", filter: {}, one: failed, selected: true },
    {
      when: "what is only published, by default",
      filter: {},
      one: workloadEvent("Update Started", "a", "b"),
      selected: false,
    },
    { when: "a failure, of successes", filter: { on: "success" }, one: failed, selected: false },
    { when: "a namespace", filter: { namespaces: ["sh*"] }, one: failed, selected: true },
    { when: "another namespace", filter: { namespaces: ["sh"] }, one: failed, selected: false },
    { when: "a name", filter: { workloads: ["api", "web"] }, one: failed, selected: true },
    {
      when: "a name in another namespace",
      filter: { namespaces: ["pay"], workloads: ["web"] },
      one: failed,
      selected: false,
    },
    { when: "a node pool", filter: {}, one: poolEvent, selected: true },
    { when: "a node pool, of a namespace", filter: { namespaces: ["*"] }, one: poolEvent, selected: false },
    { when: "a workload that names nobody", filter: {}, subscribers: "team-a", one: failed, selected: false },
    {
      when: "a workload that names it",
      filter: {},
      subscribers: "team-a",
      one: workloadEvent("Circuit Opened", "shop", "web", ["team-b", "team-a"]),
      selected: true,
    },
    {
      when: "a workload of another namespace that names it",
      filter: { namespaces: ["pay"] },
      subscribers: "team-a",
      one: workloadEvent("Circuit Opened", "shop", "web", ["team-a"]),
      selected: false,
    },
  ] as const)("$when: $selected", ({ filter, one, selected, ...more }) => {
    const subscribers = "subscribers" in more ? more.subscribers : null;
    expect(matchesPattern(eventPattern({ ...all, ...filter }, subscribers), one)).toBe(selected);
  });
});
