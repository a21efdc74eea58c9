import { describe, expect, test } from "vitest";
import { maxLengths, parsePolicy, type RawPolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { textsOf } from "../../../support/problems.ts";

const rules = {
  defaultSchedule: "0 3 * * *",
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 120,
  maxHealthTimeoutSeconds: 1800,
  fieldName: (field: string) => `spec.autoUpdate.${field}`,
};

function parse(raw: Partial<RawPolicy>) {
  const { policy, problems } = parsePolicy({ optIn: "yes", ...raw }, rules);
  return { policy, problems: textsOf(problems) };
}

test("an absent or empty field takes the default", () => {
  const { policy, problems } = parse({ versionConstraint: "", schedule: " ", healthTimeout: "", maxRollbacks: "" });
  expect(problems).toEqual([]);
  expect(policy).toEqual({
    optIn: "yes",
    paused: false,
    versionConstraint: null,
    schedule: "0 3 * * *",
    tagPattern: null,
    healthTimeoutSeconds: 600,
    podPauseSeconds: 2,
    maxRollbacks: 3,
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
  const written = { versionConstraint: ">=1.0.0,<2", schedule: "*/5 * * * *", tagPattern: "^v" };
  const canary = { canary: "25%", canaryAnalysis: " error-rate\n" };
  const { policy, problems } = parse({
    ...written,
    ...canary,
    healthTimeout: "15m",
    podPause: " 1m30s",
    maxRollbacks: "5",
    keepReleases: "5",
    paused: "true",
    hooks: { pre: { job: "migrate" } },
  });
  expect(problems).toEqual([]);
  expect(policy).toEqual({
    ...written,
    optIn: "yes",
    paused: true,
    healthTimeoutSeconds: 900,
    podPauseSeconds: 90,
    maxRollbacks: 5,
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
        showsLog: true,
        rollsBack: false,
        runsOnRollback: false,
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
    { field: "keepReleases", value: "", accepted: true },
    { field: "keepReleases", value: "2", accepted: true },
    { field: "keepReleases", value: "50", accepted: true },
    { field: "keepReleases", value: "1", accepted: false },
    { field: "keepReleases", value: "51", accepted: false },
    { field: "keepReleases", value: "all", accepted: false },
    { field: "versionConstraint", value: "not-a-semver", accepted: false },
    { field: "schedule", value: "not-a-cron", accepted: false },
    { field: "tagPattern", value: "(", accepted: false },
    { field: "paused", value: "false", accepted: true },
    { field: "paused", value: "yes", accepted: false },
  ])("$field $value is accepted: $accepted", ({ field, value, accepted }) => {
    const { problems } = parse({ [field]: value });
    expect(problems.map((problem) => problem.startsWith(`spec.autoUpdate.${field} "${value}"`))).toEqual(
      accepted ? [] : [true],
    );
  });
});

test.for([
  { rollback: undefined, digests: false, wrong: 0 },
  { rollback: "", digests: false, wrong: 0 },
  { rollback: "image", digests: false, wrong: 0 },
  { rollback: "digest", digests: true, wrong: 0 },
  { rollback: "Digest", digests: false, wrong: 1 },
])("rollback $rollback restores digests: $digests", ({ rollback, digests, wrong }) => {
  const { policy, problems } = parse({ rollback });
  expect(policy.rollsBackDigests).toBe(digests);
  expect(problems).toHaveLength(wrong);
});

test.for([
  { podPause: "", seconds: 2, wrong: 0 },
  { podPause: "0s", seconds: 0, wrong: 0 },
  { podPause: "1h", seconds: 3600, wrong: 0 },
  { podPause: "1h1s", seconds: 2, wrong: 1 },
  { podPause: "-1s", seconds: 2, wrong: 1 },
  { podPause: "soon", seconds: 2, wrong: 1 },
])("a pod pause of $podPause takes $seconds s", ({ podPause, seconds, wrong }) => {
  const { policy, problems } = parse({ podPause });
  expect(policy.podPauseSeconds).toBe(seconds);
  expect(problems).toHaveLength(wrong);
});

test("reports all problems together, and 0 rollbacks mean the default", () => {
  expect(parse({ schedule: "often", healthTimeout: "1m", maxRollbacks: "-1" }).problems).toHaveLength(3);
  expect(parse({ maxRollbacks: "0" }).policy.maxRollbacks).toBe(3);
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
    canaryAnalysis: "a".repeat(65_536),
    bakeTime: `${"0".repeat(61)}15m`,
    healthTimeout: `${"0".repeat(61)}15m`,
    podPause: `${"0".repeat(61)}15m`,
    maxRollbacks: "x".repeat(16),
    rollback: "x".repeat(16),
  };

  test.for(Object.entries(longest))("%s is not parsed, and not repeated in its problem", ([field, value]) => {
    const max = maxLengths[field as keyof typeof longest];
    const isTooLong = `spec.autoUpdate.${field}: has ${max + 1} characters; use at most ${max}`;
    expect(parse({ [field]: value }).problems).not.toContain(isTooLong);
    const { policy, problems } = parse({ [field]: `${value} ` });
    expect(problems).toEqual([isTooLong]);
    const analysis = field === "canaryAnalysis" ? value : null;
    const bake = field === "canaryAnalysis" || field === "bakeTime" ? { seconds: null } : null;
    expect(policy).toEqual({ ...parse({}).policy, paused: field === "paused", analysis, bake });
  });

  test("takes no time, where parsing it would take seconds", () => {
    const { problems } = parse({ tagPattern: "a?".repeat(80_000) });
    expect(problems).toEqual(["spec.autoUpdate.tagPattern: has 160000 characters; use at most 1024"]);
  });
});
