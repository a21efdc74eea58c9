import { expect, test } from "vitest";
import { parseBakeTime } from "../../../../functions/domain/workload/bake/bake.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
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

test.for<{
  when: string;
  raw: Readonly<Record<string, string>>;
  bake: { seconds: number | null } | null;
  problems?: number;
}>([
  { when: "nothing is set", raw: {}, bake: null },
  { when: "a canary has an analysis", raw: { canary: "1", analysis: "errors" }, bake: null },
  { when: "an analysis has no canary", raw: { analysis: "errors" }, bake: { seconds: null } },
  { when: "a bake time has no analysis", raw: { bakeTime: "30m" }, bake: { seconds: 1800 } },
  { when: "both are set", raw: { analysis: "errors", bakeTime: " 30m " }, bake: { seconds: 1800 } },
  { when: "it follows a canary", raw: { canary: "1", bakeTime: "30m" }, bake: { seconds: 1800 } },
  { when: "it is empty", raw: { bakeTime: " " }, bake: null },
  { when: "it is invalid", raw: { canary: "1", bakeTime: "soon" }, bake: { seconds: null }, problems: 1 },
  { when: "it is too long to parse", raw: { bakeTime: "1".repeat(65) }, bake: { seconds: null }, problems: 1 },
])("if $when, the bake is $bake", ({ raw, bake, problems = 0 }) => {
  const parsed = parsePolicy(rawPolicy(raw), "yes", rules);
  expect(parsed.policy.bake).toEqual(bake);
  expect(parsed.problems).toHaveLength(problems);
});
