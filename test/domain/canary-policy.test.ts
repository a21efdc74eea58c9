import { describe, expect, test } from "vitest";
import { readPolicy } from "../../functions/domain/policy.ts";

function read(canary: string | undefined, whyNoCanary: string | null = null, canaryAnalysis?: string) {
  return readPolicy(
    { enabled: true, canary, canaryAnalysis },
    {
      defaultSchedule: null,
      whyNoCanary,
      minHealthTimeoutSeconds: 1,
      maxHealthTimeoutSeconds: 86_400,
      spell: (field) => `pawl.dev/${field}`,
    },
  );
}

describe("pawl.dev/canary", () => {
  test.for([
    { value: undefined, canary: null },
    { value: "", canary: null },
    { value: "  ", canary: null },
    { value: "2", canary: { unit: "replicas", amount: 2 } },
    { value: "25%", canary: { unit: "percent", amount: 25 } },
  ])('"$value" is read', ({ value, canary }) => {
    expect(read(value)).toMatchObject({ policy: { canary }, problems: [] });
  });

  test.for([
    { value: "0", says: "1 or more" },
    { value: "100%", says: "at most 99%" },
    { value: "x", says: "neither" },
  ])('"$value" is a problem, and no canary', ({ value, says }) => {
    const { policy, problems } = read(value);
    expect(policy.canary).toBeNull();
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^pawl\\.dev/canary "${value}": .*${says}`))]);
  });

  test.for(["2", "x"])('"%s" on a kind that has none says why, once', (value) => {
    const { policy, problems } = read(value, "one pod on each node");
    expect(policy.canary).toBeNull();
    expect(problems).toEqual([`pawl.dev/canary "${value}": one pod on each node`]);
  });

  test("left out on such a kind is no problem", () => {
    expect(read(undefined, "one pod on each node").problems).toEqual([]);
  });
});

test.for([
  { value: undefined, analysis: null },
  { value: " \n", analysis: null },
  { value: " error-rate ", analysis: "error-rate" },
  { value: "interval: 30s\nmetrics: []\n", analysis: "interval: 30s\nmetrics: []" },
])('pawl.dev/canary-analysis "$value" is read', ({ value, analysis }) => {
  expect(read("1", null, value).policy.analysis).toBe(analysis);
});
