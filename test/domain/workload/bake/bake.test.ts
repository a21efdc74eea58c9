import { expect, test } from "vitest";
import { parseBakeTime } from "../../../../functions/domain/workload/bake/bake.ts";
import { parsePolicy, type RawPolicy } from "../../../../functions/domain/workload/policy/policy.ts";

const rules = {
  defaultSchedule: null,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
  fieldName: (field: string) => field,
};

test.for([
  { text: "1s", seconds: 1 },
  { text: "1h30m", seconds: 5400 },
  { text: "24h", seconds: 86_400 },
])("a bake time of $text has $seconds seconds", ({ text, seconds }) => {
  expect(parseBakeTime(text)).toEqual({ seconds });
});

test.for(["0s", "-1m", "24h1s", "30", "soon"])("a bake time of %s is invalid", (text) => {
  expect(parseBakeTime(text)).toMatchObject({ kind: "invalid" });
});

test.for<{ when: string; raw: Partial<RawPolicy>; bake: { seconds: number | null } | null; problems?: number }>([
  { when: "nothing is set", raw: {}, bake: null },
  { when: "a canary has an analysis", raw: { canary: "1", canaryAnalysis: "errors" }, bake: null },
  { when: "an analysis has no canary", raw: { canaryAnalysis: "errors" }, bake: { seconds: null } },
  { when: "a bake time has no analysis", raw: { bakeTime: "30m" }, bake: { seconds: 1800 } },
  { when: "both are set", raw: { canaryAnalysis: "errors", bakeTime: " 30m " }, bake: { seconds: 1800 } },
  { when: "it follows a canary", raw: { canary: "1", bakeTime: "30m" }, bake: { seconds: 1800 } },
  { when: "it is empty", raw: { bakeTime: " " }, bake: null },
  { when: "it is invalid", raw: { canary: "1", bakeTime: "soon" }, bake: { seconds: null }, problems: 1 },
  { when: "it is too long to parse", raw: { bakeTime: "1".repeat(65) }, bake: { seconds: null }, problems: 1 },
])("if $when, the bake is $bake", ({ raw, bake, problems = 0 }) => {
  const parsed = parsePolicy({ optIn: "yes", ...raw }, rules);
  expect(parsed.policy.bake).toEqual(bake);
  expect(parsed.problems).toHaveLength(problems);
});
