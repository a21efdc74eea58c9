import { describe, expect, test } from "vitest";
import { defaultFields, withDefaults } from "../../../../functions/domain/workload/policy/defaults.ts";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { readSpecPolicy } from "../../../../functions/domain/workload/policy/policy-table.ts";
import { parseDefaults } from "../../../../functions/domain/workload/policy/written-defaults.ts";

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};

interface Entry {
  readonly namespaces?: readonly string[];
  readonly enforced?: boolean;
  readonly policy: object;
}

function parse(own: object, ...defaults: readonly Entry[]) {
  const parsed = parseDefaults(defaults);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.map(({ reason }) => reason).join("; "));
  return parsePolicy(withDefaults(readSpecPolicy(own), "shop", parsed.value), "yes", rules);
}

const weekend = [{ days: ["Sat", "Sun"], start: "00:00", duration: "24h" }];
const nights = [{ start: "22:00", duration: "6h" }];
const rawNights = { schedule: "0 22 * * *", durationSeconds: 21_600, zone: "UTC" };

const soak = (name: string, duration: string) => ({ namespace: "staging", name, soak: duration });
const verified = { isVerifyRequired: true };

describe("a default", () => {
  test.for<{ when: string; own?: object; defaults: readonly Entry[]; policy: object }>([
    { when: "is of all namespaces", defaults: [{ policy: { pin: "digest" } }], policy: { pin: "digest" } },
    {
      when: "is of a namespace",
      defaults: [{ namespaces: ["a", "sh*"], policy: { pin: "digest" } }],
      policy: { pin: "digest" },
    },
    {
      when: "is of another namespace",
      defaults: [{ namespaces: ["shop-*"], policy: { schedule: "@daily" } }],
      policy: { schedule: null },
    },
    { when: "is overridden", own: { pin: "tag" }, defaults: [{ policy: { pin: "digest" } }], policy: { pin: "tag" } },
    {
      when: "counts for what is empty",
      own: { schedule: " " },
      defaults: [{ policy: { schedule: "@daily" } }],
      policy: { schedule: "@daily" },
    },
    {
      when: "is the first that has the field",
      defaults: [{ policy: { pin: "tag" } }, { policy: { pin: "digest", schedule: "@daily" } }],
      policy: { pin: "tag", schedule: "@daily" },
    },
    {
      when: "gives way to approvals of the owner",
      own: { approval: { by: ["user:eve"] } },
      defaults: [{ policy: { approval: { by: ["group:a"] }, verify: true } }],
      policy: { approval: { by: ["user:eve"], required: 1 }, isVerifyRequired: true },
    },
    { when: "is a list of windows", defaults: [{ policy: { windows: nights } }], policy: { windows: [rawNights] } },
    {
      when: "gives way to windows of the owner",
      own: { windows: weekend },
      defaults: [{ policy: { windows: nights } }],
      policy: { windows: [{ schedule: "0 0 * * SAT,SUN" }] },
    },
  ])("$when", ({ own = {}, defaults, policy }) => {
    expect(parse(own, ...defaults)).toMatchObject({ policy, problems: [] });
  });
});

describe("an enforced default", () => {
  test.for<{ when: string; own?: object; defaults: readonly object[]; policy: object }>([
    { when: "counts without a value", defaults: [{ pin: "digest" }], policy: { pin: "digest" } },
    { when: "is stricter", own: { pin: "tag" }, defaults: [{ pin: "digest" }], policy: { pin: "digest" } },
    { when: "is less strict", own: { pin: "digest" }, defaults: [{ pin: "tag" }], policy: { pin: "digest" } },
    {
      when: "is less strict than another one",
      defaults: [{ pin: "digest" }, { pin: "tag" }],
      policy: { pin: "digest" },
    },
    {
      when: "replaces a schedule",
      own: { schedule: "@hourly" },
      defaults: [{ schedule: "@daily" }],
      policy: { schedule: "@daily" },
    },
    {
      when: "is shorter",
      own: { scheduleTolerance: "2h" },
      defaults: [{ scheduleTolerance: "1h" }],
      policy: { scheduleToleranceSeconds: 3600 },
    },
    {
      when: "is longer",
      own: { scheduleTolerance: "30m" },
      defaults: [{ scheduleTolerance: "1h" }],
      policy: { scheduleToleranceSeconds: 1800 },
    },
    {
      when: "is an older age",
      own: { minimumReleaseAge: "1d" },
      defaults: [{ minimumReleaseAge: "3d" }],
      policy: { minimumReleaseAgeSeconds: 259_200 },
    },
    {
      when: "is a younger age",
      own: { minimumReleaseAge: "3d" },
      defaults: [{ minimumReleaseAge: "36h" }],
      policy: { minimumReleaseAgeSeconds: 259_200 },
    },
    {
      when: "settles for longer, and restarts less often",
      own: { settleTime: "1m", minimumInterval: "1h", restartsInWindows: "false" },
      defaults: [{ settleTime: "2m", minimumInterval: "30m", restartsInWindows: true }],
      policy: { settleSeconds: 120, minimumIntervalSeconds: 3600, restartsInWindows: true },
    },
    {
      when: "reverts",
      own: { onWindowEnd: "continue" },
      defaults: [{ onWindowEnd: "rollBack" }],
      policy: { rollsBackAtWindowEnd: true },
    },
    { when: "requires signatures", own: { verify: false }, defaults: [{ verify: true }], policy: verified },
    { when: "requires no signatures", own: { verify: true }, defaults: [{ verify: false }], policy: verified },
    {
      when: "adds its approvals to those of the owner",
      own: { approval: { by: ["user:eve"], required: 1 } },
      defaults: [{ approval: { by: ["group:a"], required: 2 } }, { approval: { by: ["group:b"] } }],
      policy: {
        approval: { by: ["user:eve"], required: 1 },
        enforcedApprovals: [
          { by: ["group:a"], required: 2 },
          { by: ["group:b"], required: 1 },
        ],
      },
    },
    {
      when: "requires approvals without a value",
      defaults: [{ approval: { by: ["group:a"] } }],
      policy: { enforcedApprovals: [{ by: ["group:a"], required: 1 }] },
    },
    {
      when: "adds its workloads to those of the owner, each once",
      own: { after: [soak("web", "1h"), soak("api", "1h")] },
      defaults: [{ after: [soak("web", "24h"), soak("api", "1h")] }],
      policy: {
        after: [
          { name: "web", soakSeconds: 3600 },
          { name: "api", soakSeconds: 3600 },
          { name: "web", soakSeconds: 86_400 },
        ],
      },
    },
    {
      when: "adds its windows to those of the owner",
      own: { windows: weekend },
      defaults: [{ windows: nights }, { windows: weekend }],
      policy: { windows: [{ durationSeconds: 86_400 }], enforcedWindows: [[rawNights], [{ durationSeconds: 86_400 }]] },
    },
  ])("$when", ({ own = {}, defaults, policy }) => {
    expect(parse(own, ...defaults.map((one) => ({ enforced: true, policy: one })))).toMatchObject({
      policy,
      problems: [],
    });
  });

  test("counts after defaults that are not", () => {
    const found = parse({}, { enforced: true, policy: { pin: "auto" } }, { policy: { pin: "digest" } });
    expect(found.policy.pin).toBe("digest");
  });

  test.for([
    { pin: "digset" },
    { scheduleTolerance: "3 days" },
    { windows: [] },
    { onWindowEnd: "x" },
    { verify: "yes" },
    { approval: { by: [] } },
    { after: "web" },
    { after: [{ name: "web", soak: "soon" }] },
  ])("does not hide that %o of the owner is invalid", (own) => {
    const gates = { verify: true, approval: { by: ["group:a"] }, after: [soak("web", "1h")] };
    const policy = { pin: "digest", scheduleTolerance: "1h", windows: nights, onWindowEnd: "rollBack", ...gates };
    expect(parse(own, { enforced: true, policy }).problems).toHaveLength(1);
  });
});

test.for([
  { entry: { policy: { windows: [{ ...nights[0], timeZone: "Europe/Bonn" }] } }, reason: "Europe/Bonn" },
  { entry: { policy: { windows: [{ start: "22:00", duration: "0s" }] } }, reason: "duration" },
  { entry: { policy: { schedule: "0 0 30 2 *" } }, reason: "policy.schedule" },
  { entry: { policy: { schedule: "0 12 * * *", windows: nights } }, reason: "no window is open within 1h" },
  { entry: { policy: { suspend: true } }, reason: "suspend: is not a known field" },
  { entry: { policy: { pin: 3 } }, reason: "[0].policy.pin: 3 is not a text" },
  { entry: { policy: {}, namespaces: [] }, reason: "namespaces" },
  { entry: { policy: {}, namespaces: ["Shop"] }, reason: "the name of a namespace, in which * is any text" },
])("the default $entry is invalid: $reason", ({ entry, reason }) => {
  const parsed = parseDefaults([entry]);
  expect(parsed.kind === "invalid" ? parsed.problems.map((problem) => problem.reason).join() : "").toContain(reason);
});

test("a deployment has defaults of these fields", () => {
  const windows = ["pin", "schedule", "scheduleTolerance", "windows", "onWindowEnd"];
  const versions = ["verify", "minimumReleaseAge", "approval", "after", "scan"];
  const restarts = ["settleTime", "minimumInterval", "restartsInWindows"];
  expect(defaultFields.map(([name]) => name)).toEqual([...windows, ...versions, ...restarts]);
});
