import { describe, expect, test } from "vitest";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import type { OnFailure } from "../../../../functions/domain/version/select-tag.ts";
import type { PolicyRules } from "../../../../functions/domain/workload/policy/policy-field.ts";
import { policyTable } from "../../../../functions/domain/workload/policy/policy-table.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import { textsOf } from "../../../support/problems.ts";

const rules = {
  defaultSchedule: "0 3 * * *",
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 120,
  maxHealthTimeoutSeconds: 1800,
};

function parse(raw: Readonly<Record<string, unknown>>, own: Partial<PolicyRules> = {}) {
  const { policy, problems } = parsePolicy(rawPolicy(raw), "yes", { ...rules, ...own });
  return { policy, problems: textsOf(problems) };
}

test("an absent or empty field takes the default", () => {
  const { policy, problems } = parse({ versionConstraint: "", schedule: " ", healthTimeout: "", maxRollbacks: "" });
  expect(problems).toEqual([]);
  expect(policy).toEqual({
    optIn: "yes",
    paused: false,
    versionConstraint: null,
    versioning: null,
    variant: null,
    schedule: "0 3 * * *",
    scheduleToleranceSeconds: 3600,
    windows: [],
    rollsBackAtWindowEnd: false,
    wave: 0,
    tagPattern: null,
    healthTimeoutSeconds: 600,
    podPauseSeconds: 2,
    scaleDownDelaySeconds: 30,
    maxRollbacks: 3,
    maxRestarts: 3,
    onFailure: "hold",
    rollsBackDigests: false,
    canary: null,
    canarySteps: [],
    analysis: null,
    notify: [],
    bake: null,
    hooks: { pre: null, post: null },
  });
  expect(parse({}).policy).toEqual(policy);
});

test("every field is parsed", () => {
  const written = {
    versionConstraint: ">=1.0.0,<2",
    versioning: "semver",
    variant: "alpine*",
    schedule: "*/5 * * * *",
    tagPattern: "^v",
  };
  const canary = { canary: "25%", analysis: " error-rate\n" };
  const { policy, problems } = parse({
    ...written,
    ...canary,
    scheduleTolerance: " 30m",
    windows: [{ days: ["Mon-Thu", "sun"], start: "22:05", duration: "6h", timeZone: "Europe/Berlin" }],
    onWindowEnd: "rollBack",
    healthTimeout: "15m",
    podPause: " 1m30s",
    scaleDownDelay: "1m",
    maxRollbacks: "5",
    maxRestarts: "7",
    onFailure: "tryOlder",
    keepReleases: "5",
    paused: "true",
    hooks: { pre: { job: "migrate" } },
  });
  expect(problems).toEqual([]);
  expect(policy).toEqual({
    ...written,
    optIn: "yes",
    paused: true,
    scheduleToleranceSeconds: 1800,
    windows: [{ schedule: "5 22 * * MON-THU,SUN", durationSeconds: 21_600, zone: "Europe/Berlin" }],
    rollsBackAtWindowEnd: true,
    healthTimeoutSeconds: 900,
    podPauseSeconds: 90,
    scaleDownDelaySeconds: 60,
    maxRollbacks: 5,
    wave: 0,
    maxRestarts: 7,
    onFailure: "tryOlder",
    keptReleases: 5,
    rollsBackDigests: false,
    canary: { unit: "percent", amount: 25 },
    canarySteps: [],
    analysis: "error-rate",
    notify: [],
    bake: null,
    hooks: {
      pre: {
        job: "migrate",
        timeoutSeconds: 600,
        usesNewImage: false,
        showsLog: false,
        rollsBack: false,
        runOn: ["update", "digest"],
      },
      post: null,
    },
  });
});

describe("k8s4claw's webhook table", () => {
  test.for([
    { field: "healthTimeout", value: "5m", accepted: true },
    { field: "healthTimeout", value: "10m", accepted: true },
    { field: "healthTimeout", value: "2m", accepted: true },
    { field: "healthTimeout", value: "30m", accepted: true },
    { field: "healthTimeout", value: "1m", accepted: false },
    { field: "healthTimeout", value: "1h", accepted: false },
    { field: "healthTimeout", value: "junk", accepted: false },
    { field: "maxRollbacks", value: "0", accepted: true },
    { field: "maxRollbacks", value: "-1", accepted: false },
    { field: "maxRollbacks", value: "three", accepted: false },
    { field: "pin", value: "", accepted: true },
    { field: "pin", value: "auto", accepted: true },
    { field: "pin", value: "digest", accepted: true },
    { field: "pin", value: "tag", accepted: true },
    { field: "pin", value: "Digest", accepted: false },
    { field: "keepReleases", value: "", accepted: true },
    { field: "keepReleases", value: "2", accepted: true },
    { field: "keepReleases", value: "50", accepted: true },
    { field: "keepReleases", value: "1", accepted: false },
    { field: "keepReleases", value: "51", accepted: false },
    { field: "keepReleases", value: "all", accepted: false },
    { field: "versionConstraint", value: "not-a-semver", accepted: false },
    { field: "schedule", value: "not-a-cron", accepted: false },
    { field: "versioning", value: "semver", accepted: true },
    { field: "versioning", value: " ", accepted: true },
    { field: "versioning", value: "semvr", accepted: false },
    { field: "versioning", value: "loose", accepted: false },
    { field: "variant", value: "alpine*, slim-b?okworm", accepted: true },
    { field: "variant", value: "alp|ne", accepted: false },
    { field: "scheduleTolerance", value: "168h", accepted: true },
    { field: "scheduleTolerance", value: "", accepted: true },
    { field: "scheduleTolerance", value: "59s", accepted: false },
    { field: "scheduleTolerance", value: "169h", accepted: false },
    { field: "scheduleTolerance", value: "3 days", accepted: false },
    { field: "onWindowEnd", value: "continue", accepted: true },
    { field: "onWindowEnd", value: " ", accepted: true },
    { field: "onWindowEnd", value: "rollback", accepted: false },
    { field: "verify", value: "true", accepted: true },
    { field: "verify", value: "false", accepted: true },
    { field: "verify", value: " ", accepted: true },
    { field: "verify", value: "yes", accepted: false },
    { field: "tagPattern", value: "(", accepted: false },
    { field: "paused", value: "false", accepted: true },
    { field: "paused", value: "yes", accepted: false },
  ])("$field $value is accepted: $accepted", ({ field, value, accepted }) => {
    const { problems } = parse({ [field]: value }, { allowsZeroRollbacks: true });
    expect(problems.map((problem) => problem.startsWith(`spec.autoUpdate.${field} "${value}"`))).toEqual(
      accepted ? [] : [true],
    );
  });
});

test.for([
  { rollbackTo: undefined, digests: false, wrong: 0 },
  { rollbackTo: "", digests: false, wrong: 0 },
  { rollbackTo: "image", digests: false, wrong: 0 },
  { rollbackTo: "digest", digests: true, wrong: 0 },
  { rollbackTo: "Digest", digests: false, wrong: 1 },
])("rollbackTo $rollbackTo restores digests: $digests", ({ rollbackTo, digests, wrong }) => {
  const { policy, problems } = parse({ rollbackTo });
  expect(policy.rollsBackDigests).toBe(digests);
  expect(problems).toHaveLength(wrong);
});

test.for<{ onFailure?: string; own?: OnFailure; expected: OnFailure; wrong: number }>([
  { expected: "hold", wrong: 0 },
  { own: "tryOlder", expected: "tryOlder", wrong: 0 },
  { onFailure: " ", expected: "hold", wrong: 0 },
  { onFailure: "hold", own: "tryOlder", expected: "hold", wrong: 0 },
  { onFailure: " tryOlder", expected: "tryOlder", wrong: 0 },
  { onFailure: "tryolder", expected: "hold", wrong: 1 },
])("onFailure $onFailure of a kind with the default $own is $expected", ({ onFailure, own, expected, wrong }) => {
  const { policy, problems } = parse({ onFailure }, own === undefined ? {} : { defaultOnFailure: own });
  expect(policy.onFailure).toBe(expected);
  expect(problems).toHaveLength(wrong);
});

test.for([
  { field: "podPause", text: "", seconds: 2, wrong: 0 },
  { field: "podPause", text: "0s", seconds: 0, wrong: 0 },
  { field: "podPause", text: "1h", seconds: 3600, wrong: 0 },
  { field: "podPause", text: "1h1s", seconds: 2, wrong: 1 },
  { field: "podPause", text: "-1s", seconds: 2, wrong: 1 },
  { field: "podPause", text: "soon", seconds: 2, wrong: 1 },
  { field: "scaleDownDelay", text: " ", seconds: 30, wrong: 0 },
  { field: "scaleDownDelay", text: "0s", seconds: 0, wrong: 0 },
  { field: "scaleDownDelay", text: "10m", seconds: 600, wrong: 0 },
  { field: "scaleDownDelay", text: "601s", seconds: 30, wrong: 1 },
  { field: "scaleDownDelay", text: "never", seconds: 30, wrong: 1 },
] as const)("a $field of $text takes $seconds s", ({ field, text, seconds, wrong }) => {
  const { policy, problems } = parse({ [field]: text });
  expect(policy[`${field}Seconds`]).toBe(seconds);
  expect(problems).toHaveLength(wrong);
});

test.for([
  { written: "", max: 3, isValid: true },
  { written: "0", max: 0, isValid: true },
  { written: "100", max: 100, isValid: true },
  { written: "101", max: 3, isValid: false },
  { written: "-1", max: 3, isValid: false },
  { written: "3.5", max: 3, isValid: false },
  { written: "few", max: 3, isValid: false },
])("$written restarts are allowed: $max", ({ written, max, isValid }) => {
  const { policy, problems } = parse({ maxRestarts: written });
  expect(policy.maxRestarts).toBe(max);
  const problem = `spec.autoUpdate.maxRestarts "${written}": must be a whole number from 0 to 100`;
  expect(problems).toEqual(isValid ? [] : [problem]);
});

test.for([
  { written: "", wave: 0, isValid: true },
  { written: " -1000 ", wave: -1000, isValid: true },
  { written: "1000", wave: 1000, isValid: true },
  { written: "1001", wave: 0, isValid: false },
  { written: "1.5", wave: 0, isValid: false },
  { written: "first", wave: 0, isValid: false },
])("wave $written is $wave", ({ written, wave, isValid }) => {
  const { policy, problems } = parse({ wave: written });
  expect(policy.wave).toBe(wave);
  const problem = `spec.autoUpdate.wave "${written}": must be a whole number from -1000 to 1000`;
  expect(problems).toEqual(isValid ? [] : [problem]);
});

test.for([
  { written: "0", max: 3, range: "1 to 999999" },
  { written: "000", max: 3, range: "1 to 999999" },
  { written: "1000000", max: 3, range: "1 to 999999" },
  { written: "999999", max: 999_999, range: null },
  { written: "1", max: 1, range: null },
])("$written rollbacks open the circuit: $max, allowed $range", ({ written, max, range }) => {
  const { policy, problems } = parse({ maxRollbacks: written });
  expect(policy.maxRollbacks).toBe(max);
  const place = `spec.autoUpdate.maxRollbacks "${written}"`;
  expect(problems).toEqual(range === null ? [] : [`${place}: must be a whole number from ${range}`]);
});

test("a problem of a structure does not repeat it, but names its part", () => {
  expect(parse({ hooks: { pre: { job: 1 } } }).problems).toEqual([
    "spec.autoUpdate.hooks: pre.job: 1 is not the name of a CronJob",
  ]);
});

test("a misspelt pause pauses updates", () => {
  expect(parse({ paused: "yes" }).policy.paused).toBe(true);
});

test("names the bounds of a timeout", () => {
  expect(parse({ healthTimeout: "1m" }).problems).toEqual([
    'spec.autoUpdate.healthTimeout "1m": must be from 2m0s to 30m0s',
  ]);
});

// An analysis is kept: a canary in flight must not be promoted without it.
describe("a value that is too long", () => {
  const longest = {
    paused: "x".repeat(16),
    versionConstraint: `1${" ".repeat(1023)}`,
    schedule: `@daily${" ".repeat(250)}`,
    tagPattern: "a?".repeat(512),
    canary: `${" ".repeat(15)}1`,
    analysis: "a".repeat(65_536),
    bakeTime: `${"0".repeat(61)}15m`,
    healthTimeout: `${"0".repeat(61)}15m`,
    podPause: `${"0".repeat(61)}15m`,
    maxRollbacks: "x".repeat(16),
    maxRestarts: "x".repeat(16),
    wave: "x".repeat(16),
    rollbackTo: "x".repeat(16),
  };

  test.for(Object.entries(longest))("%s is not parsed, and not repeated in its problem", ([field, value]) => {
    const max = policyTable[field as keyof typeof longest].maxLength;
    const isTooLong = `spec.autoUpdate.${field}: has ${max + 1} characters; use at most ${max}`;
    expect(parse({ [field]: value }).problems).not.toContain(isTooLong);
    const { policy, problems } = parse({ [field]: `${value} ` });
    expect(problems).toEqual([isTooLong]);
    const analysis = field === "analysis" ? value : null;
    const bake = field === "analysis" || field === "bakeTime" ? { seconds: null } : null;
    expect(policy).toEqual({ ...parse({}).policy, paused: field === "paused", analysis, bake });
  });

  test("takes no time, where parsing it would take seconds", () => {
    const { problems } = parse({ tagPattern: "a?".repeat(80_000) });
    expect(problems).toEqual(["spec.autoUpdate.tagPattern: has 160000 characters; use at most 1024"]);
  });
});
