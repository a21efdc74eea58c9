import { describe, expect, test } from "vitest";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import { textsOf } from "../../../support/problems.ts";

function read(
  canary: string | undefined,
  canaryUnavailableReason: string | null = null,
  canaryAnalysis?: string,
  canarySteps?: unknown,
) {
  const { policy, problems } = parsePolicy(
    rawPolicy({ canary, analysis: canaryAnalysis, canarySteps }, "pawl.dev/"),
    "yes",
    {
      defaultSchedule: null,
      defaultToleranceSeconds: 3600,
      canaryUnavailableReason,
      minHealthTimeoutSeconds: 1,
      maxHealthTimeoutSeconds: 86_400,
    },
  );
  return { policy, problems: textsOf(problems) };
}

describe("pawl.dev/canary", () => {
  test.for([
    { value: undefined, canary: null },
    { value: "", canary: null },
    { value: "  ", canary: null },
    { value: "2", canary: { unit: "replicas", amount: 2 } },
    { value: "25%", canary: { unit: "percent", amount: 25 } },
  ])('"$value" is valid', ({ value, canary }) => {
    expect(read(value)).toMatchObject({ policy: { canary }, problems: [] });
  });

  test.for([
    { value: "0", message: "1 or more" },
    { value: "100%", message: "at most 99%" },
    { value: "x", message: "neither" },
  ])('"$value" is a problem and no canary', ({ value, message }) => {
    const { policy, problems } = read(value);
    expect(policy.canary).toBeNull();
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^pawl\\.dev/canary "${value}": .*${message}`))]);
  });

  test.for(["2", "x"])('"%s" on a kind without canaries reports why, once', (value) => {
    const { policy, problems } = read(value, "one pod on each node");
    expect(policy.canary).toBeNull();
    expect(problems).toEqual([`pawl.dev/canary "${value}": one pod on each node`]);
  });

  test("is no problem if absent on such a kind", () => {
    expect(read(undefined, "one pod on each node").problems).toEqual([]);
  });
});

test.for([
  { value: undefined, analysis: null },
  { value: " \n", analysis: null },
  { value: " error-rate ", analysis: "error-rate" },
  { value: "interval: 30s\nmetrics: []\n", analysis: "interval: 30s\nmetrics: []" },
])('pawl.dev/canary-analysis "$value" is parsed', ({ value, analysis }) => {
  expect(read("1", null, value).policy.analysis).toBe(analysis);
});

describe("pawl.dev/canarySteps", () => {
  const steps = [{ size: "5%" }, { size: 2 }];
  const size = { unit: "percent", amount: 5 } as const;

  test("are the steps of a canary that begins with the first size", () => {
    const { policy, problems } = read(undefined, null, undefined, steps);
    expect(problems).toEqual([]);
    expect(policy.canary).toEqual(size);
    expect(policy.canarySteps).toMatchObject([{ size }, { size: { unit: "replicas", amount: 2 } }]);
  });

  test.for([
    {
      when: "invalid",
      given: [{}, { size: 0 }],
      reason: /^pawl\.dev\/canarySteps: \[0\]: does nothing.*; \[1\]\.size: .*1 or more/,
    },
    {
      when: "beside a size",
      canary: "1",
      given: steps,
      reason: /^pawl\.dev\/canarySteps: excludes pawl\.dev\/canary; use one/,
    },
    {
      when: "on a kind without canaries",
      kind: "one pod on each node",
      given: steps,
      reason: /: one pod on each node$/,
    },
  ])("$when are a problem and no canary", ({ canary, kind = null, given, reason }) => {
    const { policy, problems } = read(canary, kind, undefined, given);
    expect(policy).toMatchObject({ canary: null, canarySteps: [] });
    expect(problems).toEqual([expect.stringMatching(reason)]);
  });

  test("each problem of both forms is reported", () => {
    expect(read("x", null, undefined, steps).problems).toHaveLength(2);
  });
});
