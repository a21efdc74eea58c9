import { describe, expect, test } from "vitest";
import {
  placeBeside,
  policyTable,
  readAnnotations,
  readSpecPolicy,
} from "../../../../functions/domain/workload/policy/policy-table.ts";
import type { Policy } from "../../../../functions/domain/workload/workload.ts";
import { workload } from "../../../support/workloads.ts";

const written = (value: string, place: string) => ({ value, length: value.length, place });

describe("annotations", () => {
  const parse = (text: string) => ({ parsed: text });

  test("keep their text, also if it is empty; others are ignored", () => {
    const from = { "pawl.dev/schedule": "", "pawl.dev/containers": "app, web", "pawl.dev/frozen": "true" };
    expect(readAnnotations(from, parse)).toEqual({
      schedule: written("", "pawl.dev/schedule"),
      containers: written("app, web", "pawl.dev/containers"),
    });
  });

  test.for([
    { text: "{}", hooks: { value: { parsed: "{}" }, length: 2, place: "pawl.dev/hooks" } },
    { text: " ", hooks: undefined },
    { text: " ".repeat(4097), hooks: written(" ".repeat(4097), "pawl.dev/hooks") },
  ])("of YAML are parsed, unless they are blank or too long: $hooks.length characters", ({ text, hooks }) => {
    expect(readAnnotations({ "pawl.dev/hooks": text }, parse)).toEqual(hooks === undefined ? {} : { hooks });
  });

  test("of YAML stay as they are without a parser", () => {
    expect(readAnnotations({ "pawl.dev/hooks": "{}" })).toEqual({ hooks: written("{}", "pawl.dev/hooks") });
  });
});

describe("spec.policy", () => {
  const autoUpdate = written("true", "spec.policy");

  test.for([
    { policy: {}, raw: { autoUpdate } },
    { policy: { unknown: 1 }, raw: { autoUpdate } },
    { policy: { maxRollbacks: 0 }, raw: { autoUpdate, maxRollbacks: written("0", "spec.policy.maxRollbacks") } },
    {
      policy: { notify: ["a", "b"], restartOnConfigChange: false },
      raw: { autoUpdate, notify: written("a,b", "spec.policy.notify") },
    },
    {
      policy: { canarySteps: [{}] },
      raw: { autoUpdate, canarySteps: { value: [{}], length: 4, place: "spec.policy.canarySteps" } },
    },
    { policy: { digest: {} }, raw: { autoUpdate, digest: written("true", "spec.policy.digest") } },
    {
      policy: { digest: { only: true, rollbackTo: "digest" } },
      raw: {
        digest: written("true", "spec.policy.digest"),
        digestOnly: written("true", "spec.policy.digest.only"),
        rollbackTo: written("digest", "spec.policy.digest.rollbackTo"),
      },
    },
  ])("$policy is read", ({ policy, raw }) => {
    expect(readSpecPolicy(policy)).toEqual(raw);
  });
});

test("a field is named as the owner writes the one beside it", () => {
  const place = (beside: string) => placeBeside(written("", beside), "rollbackTo");
  expect(place("spec.policy.schedule")).toBe("spec.policy.digest.rollbackTo");
  expect(place("pawl.dev/schedule")).toBe("pawl.dev/rollback-to");
});

const one = { unit: "replicas", amount: 1 } as const;
const step = { kind: "replicas", size: one, analysis: null, durationSeconds: null } as const;
const hook = {
  job: "migrate",
  timeoutSeconds: 1,
  usesNewImage: false,
  showsLog: true,
  rollsBack: false,
  runOn: ["update", "digest"],
} as const;

type Formatted = {
  readonly [F in keyof typeof policyTable]: (typeof policyTable)[F] extends { format: unknown } ? F : never;
};

test.for<{ field: Formatted[keyof Formatted]; policy: Partial<Policy>; text: string | null; kind?: string }>([
  { field: "autoUpdate", policy: { optIn: "unclear" }, text: "unclear" },
  { field: "paused", policy: { paused: false }, text: null },
  { field: "paused", policy: { paused: true }, text: "yes" },
  { field: "versionConstraint", policy: { versionConstraint: "^1" }, text: "^1" },
  { field: "versionConstraint", policy: { versionConstraint: null }, text: "every release that is no pre-release" },
  { field: "versionConstraint", policy: {}, text: null, kind: "StatefulCanary" },
  { field: "versioning", policy: { versioning: null }, text: "container" },
  { field: "versioning", policy: { versioning: "semver" }, text: "semver" },
  { field: "versioning", policy: {}, text: null, kind: "StatefulCanary" },
  { field: "pin", policy: {}, text: null },
  { field: "pin", policy: { pin: "digest" }, text: "digest" },
  { field: "schedule", policy: { schedule: null }, text: "every poll" },
  { field: "schedule", policy: { schedule: "@daily" }, text: "@daily" },
  { field: "healthTimeout", policy: { healthTimeoutSeconds: 90 }, text: "1m30s" },
  { field: "maxRollbacks", policy: { maxRollbacks: 5 }, text: "5" },
  { field: "onFailure", policy: {}, text: "waits for a version newer than the one that failed" },
  { field: "onFailure", policy: { onFailure: "tryOlder" }, text: "tries older versions" },
  { field: "onFailure", policy: {}, text: null, kind: "StatefulCanary" },
  { field: "wave", policy: {}, text: null },
  { field: "wave", policy: { wave: -2 }, text: "-2" },
  { field: "maxRestarts", policy: { maxRestarts: 0 }, text: "0", kind: "StatefulCanary" },
  { field: "maxRestarts", policy: {}, text: null, kind: "Claw" },
  { field: "canary", policy: { canary: null }, text: null },
  { field: "canary", policy: { canary: one }, text: "one step" },
  { field: "canary", policy: { canary: one, canarySteps: [step] }, text: null },
  { field: "canarySteps", policy: { canarySteps: [] }, text: null },
  { field: "canarySteps", policy: { canarySteps: [step] }, text: "one step" },
  { field: "canarySteps", policy: { canarySteps: [step, step] }, text: "2 steps" },
  { field: "baseline", policy: {}, text: null },
  { field: "baseline", policy: { baseline: "sameAge" }, text: "same age" },
  { field: "scaleDownDelay", policy: { canary: one, scaleDownDelaySeconds: 30 }, text: "30s" },
  { field: "scaleDownDelay", policy: { canary: null }, text: null },
  { field: "scaleDownDelay", policy: { canary: one }, text: null, kind: "StatefulSet" },
  { field: "analysis", policy: { analysis: null }, text: null },
  { field: "analysis", policy: { analysis: "error-rate" }, text: "error-rate" },
  { field: "analysis", policy: { analysis: "metrics: []" }, text: "written in place" },
  { field: "bakeTime", policy: { bake: null }, text: null },
  { field: "bakeTime", policy: { bake: { seconds: null } }, text: "as long as the analysis" },
  { field: "bakeTime", policy: { bake: { seconds: 60 } }, text: "1m0s" },
  { field: "hooks", policy: { hooks: { pre: null, post: null } }, text: null },
  { field: "enforcedWindows", policy: {}, text: null },
  { field: "enforcedApprovals", policy: {}, text: null },
  { field: "enforcedApprovals", policy: { enforcedApprovals: [{ required: 1, by: ["user:a"] }] }, text: "1 of user:a" },
  {
    field: "enforcedWindows",
    policy: { enforcedWindows: [[{ schedule: "0 22 * * *", durationSeconds: 3600 }]] },
    text: "0 22 * * * UTC for 1h0m0s",
  },
  { field: "hooks", policy: { hooks: { pre: hook, post: hook } }, text: "pre: migrate, post: migrate" },
])("$field of $policy is $text for people", ({ field, policy, text, kind = "Deployment" }) => {
  const { ref, ...subject } = workload({ policy });
  expect(policyTable[field].format({ ...subject, ref: { ...ref, kind } })).toBe(text);
});
