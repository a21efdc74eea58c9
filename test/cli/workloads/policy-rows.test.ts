import { expect, test } from "vitest";
import { policyRows } from "../../../cli/workloads/policy-rows.ts";
import { autoUpdateOf, readBuiltIn } from "../../adapters/kubernetes/reading.ts";

const byDefault = [
  "enabled",
  "version constraint",
  "versioning",
  "schedule",
  "health timeout",
  "rollbacks that open the circuit",
  "restarts allowed",
  "after a failure",
];

test("what is off by default is omitted", async () => {
  const rows = policyRows(await readBuiltIn("Deployment", {}));
  expect(rows.map(({ name }) => name)).toEqual(byDefault);
  expect(rows.map(({ from }) => from)).toEqual(["pawl.dev/auto-update", ...byDefault.slice(1).map(() => "default")]);
});

test("every field that is set is a row, with its place", async () => {
  const policy = {
    containers: ["app", "proxy"],
    podPause: "1m",
    keepReleases: 5,
    notify: ["team-a", "team-b"],
    canarySteps: [{ size: 1 }, { size: "50%" }],
    bakeTime: "1h",
    analysis: "error-rate",
    hooks: { pre: { job: "migrate" }, post: { job: "smoke" } },
    digest: { only: true, containers: ["app"], ignoreContainers: ["x"], initContainers: true, rollbackTo: "digest" },
    restartOnConfigChange: true,
    configDependencies: ["configmap/a"],
    tagPattern: "^v",
  };
  const autoUpdate = autoUpdateOf("StatefulSet", { policy, suspend: true });
  const rows = policyRows(await readBuiltIn("StatefulSet", { optIn: null }, {}, autoUpdate));
  const set = rows
    .filter(({ from }) => from !== "default")
    .map(({ name, value, from }) => `${name}: ${value} (${from})`);
  expect(set).toEqual([
    "paused: yes (spec.suspend)",
    "tag pattern: ^v (spec.policy.tagPattern)",
    "containers: app, proxy (spec.policy.containers)",
    "pause after each pod: 1m (spec.policy.podPause)",
    "releases kept: 5 (spec.policy.keepReleases)",
    "notified: team-a, team-b (spec.policy.notify)",
    "canary: 2 steps (spec.policy.canarySteps)",
    "analysis: error-rate (spec.policy.analysis)",
    "bake time: 1h0m0s (spec.policy.bakeTime)",
    "hooks: pre: migrate, post: smoke (spec.policy.hooks)",
    "rolls back to: digest (spec.policy.digest.rollbackTo)",
    "restarted by its configuration: yes (spec.policy.restartOnConfigChange)",
    "restarted by: configmap/a (spec.policy.configDependencies)",
    "restarted by digest: yes (spec.policy.digest)",
    "digests only: yes (spec.policy.digest.only)",
    "containers by digest: app (spec.policy.digest.containers)",
    "containers not by digest: x (spec.policy.digest.ignoreContainers)",
    "init containers by digest: yes (spec.policy.digest.initContainers)",
  ]);
});
