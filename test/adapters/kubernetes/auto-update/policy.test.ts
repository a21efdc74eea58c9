import { expect, test } from "vitest";
import { optInConflicts, readRawPolicy } from "../../../../functions/adapters/kubernetes/auto-update/policy.ts";
import { autoUpdateOf, readBuiltIn, stored } from "../reading.ts";
import { textsOf } from "../../../support/problems.ts";

const enabled = "image-updater.eznix86.github.io/enabled";
const objectWith = (annotations: Readonly<Record<string, string>>) => ({
  metadata: { name: "app", ...stored, annotations },
});

const writtenAt = (value: string, place: string) => ({ value, length: value.length, place });

test("without spec.policy the annotations are the policy", () => {
  const own = { "pawl.dev/auto-update": "true", "pawl.dev/schedule": "@daily" };
  for (const autoUpdate of [autoUpdateOf("Deployment", {}), null]) {
    expect(readRawPolicy(objectWith(own), autoUpdate)).toEqual({
      autoUpdate: writtenAt("true", "pawl.dev/auto-update"),
      schedule: writtenAt("@daily", "pawl.dev/schedule"),
    });
  }
});

test("spec.policy replaces every annotation of a policy, but for a pause", () => {
  const own = { "pawl.dev/schedule": "@daily", "pawl.dev/canary": "1", "pawl.dev/paused": "true", [enabled]: "true" };
  const autoUpdate = autoUpdateOf("Deployment", { policy: { maxRollbacks: 7 } });
  expect(readRawPolicy(objectWith(own), autoUpdate)).toEqual({
    autoUpdate: writtenAt("true", "spec.policy"),
    maxRollbacks: writtenAt("7", "spec.policy.maxRollbacks"),
    paused: writtenAt("true", "pawl.dev/paused"),
  });
});

test("the targets of notifications are those of spec.policy, which has names in a list", () => {
  const own = { "pawl.dev/notify": "team-a" };
  const autoUpdate = autoUpdateOf("Deployment", { policy: { notify: ["team-b", "team-c"] } });
  expect(readRawPolicy(objectWith(own), autoUpdate)).toMatchObject({
    notify: writtenAt("team-b,team-c", "spec.policy.notify"),
  });
});

test.for([
  { suspend: true, annotation: undefined, paused: true },
  { suspend: false, annotation: "true", paused: true },
  { suspend: true, annotation: "false", paused: true },
  { suspend: false, annotation: undefined, paused: false },
])("with suspend $suspend and pawl.dev/paused $annotation: $paused", async ({ suspend, annotation, paused }) => {
  const annotations = annotation === undefined ? {} : { "pawl.dev/paused": annotation };
  const autoUpdate = autoUpdateOf("Deployment", { suspend });
  expect((await readBuiltIn("Deployment", { annotations }, {}, autoUpdate)).policy.paused).toBe(paused);
});

test.for([
  { digest: {}, source: "registry.invalid:5000/shop/app:1.0.0" },
  { digest: { only: true }, source: null },
])("spec.policy.digest $digest tracks the tag $source and digests", async ({ digest, source }) => {
  const autoUpdate = autoUpdateOf("Deployment", { policy: { digest } });
  const workload = await readBuiltIn("Deployment", { optIn: null }, {}, autoUpdate);
  expect(workload).toMatchObject({ source, policy: { optIn: "yes" }, problems: [] });
  expect(workload.digests?.containers).toHaveLength(2);
});

test("steps of a canary are read from spec.policy, and from one line of YAML or JSON", async () => {
  const written = [{ size: "5%" }, { pause: { duration: "1h" } }];
  const expected = { canary: { unit: "percent", amount: 5 }, canarySteps: [{ kind: "replicas" }, { kind: "pause" }] };
  const autoUpdate = autoUpdateOf("StatefulSet", { policy: { canarySteps: written } });
  const spec = { replicas: 20 };
  expect(await readBuiltIn("StatefulSet", { optIn: null, spec }, {}, autoUpdate)).toMatchObject({
    policy: expected,
    problems: [],
  });
  for (const text of [JSON.stringify(written), "[{size: 5%}, {pause: {duration: 1h}}]"]) {
    const annotations = { "pawl.dev/canary-steps": text };
    expect(await readBuiltIn("StatefulSet", { annotations, spec })).toMatchObject({ policy: expected, problems: [] });
  }
});

test.for([
  {
    when: "no YAML",
    text: "[{size",
    problem: /^pawl\.dev\/canary-steps: steps: "\[\{size" is not a list of 1 to 30 steps$/,
  },
  { when: "no steps", text: " ", problem: null },
  {
    when: "too long",
    text: `[${" ".repeat(70_000)}]`,
    problem: /^pawl\.dev\/canary-steps: has 70002 characters; use at most 65536$/,
  },
])("pawl.dev/canary-steps with $when", async ({ text, problem }) => {
  const { problems, policy } = await readBuiltIn("Deployment", { annotations: { "pawl.dev/canary-steps": text } });
  expect(policy.canarySteps).toEqual([]);
  expect(problems[0]?.text ?? "").toMatch(problem ?? /^$/);
});

test("each annotation that opts in beside spec.policy is a problem that names both", () => {
  const object = objectWith({ "pawl.dev/auto-update": "true", [enabled]: "true" });
  const problems = optInConflicts(object, autoUpdateOf("Deployment", { policy: {} }));
  expect(textsOf(problems)).toEqual([
    expect.stringMatching(
      /^AutoUpdate deployment-app has spec\.policy, and Deployment app has pawl\.dev\/auto-update: /,
    ),
    expect.stringContaining(`Deployment app has ${enabled}: both opt in`),
  ]);
  expect(optInConflicts(object, autoUpdateOf("Deployment", {}))).toEqual([]);
  expect(optInConflicts(objectWith({ [enabled]: "false" }), autoUpdateOf("Deployment", { policy: {} }))).toEqual([]);
});

test.for([
  { policy: { schedule: "often" }, problem: /^spec\.policy\.schedule "often": / },
  { policy: { analysis: "x".repeat(70_000) }, problem: /^spec\.policy\.analysis: has 70000 characters/ },
  {
    policy: { canary: "1", canarySteps: [{ size: 1 }] },
    problem: /^spec\.policy\.canarySteps: excludes spec\.policy\.canary; /,
  },
  { policy: { containers: ["none"] }, problem: /^spec\.policy\.containers "none": no such container/ },
  { policy: { digest: { containers: ["none"] } }, problem: /^spec\.policy\.digest\.containers "none": / },
  { policy: { digest: { rollbackTo: "x" } }, problem: /^spec\.policy\.digest\.rollbackTo "x": / },
  { policy: { hooks: { pre: { job: 1 } } }, problem: /^spec\.policy\.hooks: pre\.job: / },
  {
    policy: { configDependencies: ["configmap/a"] },
    problem: /^spec\.policy\.configDependencies needs spec\.policy\.restartOnConfigChange: "true"$/,
  },
])("a problem of $policy names its field", async ({ policy, problem }) => {
  const autoUpdate = autoUpdateOf("Deployment", { policy });
  const { problems } = await readBuiltIn("Deployment", { optIn: null }, { hooks: true }, autoUpdate);
  expect(textsOf(problems)).toEqual([expect.stringMatching(problem)]);
});
