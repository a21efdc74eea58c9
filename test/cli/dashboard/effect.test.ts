import { describe, expect, test } from "vitest";
import type { Verb } from "../../../cli/dashboard/actions.ts";
import { describeEffect } from "../../../cli/dashboard/page/effect.ts";
import { passedStates, statesOf } from "../../../cli/dashboard/page/workload/machine-path.ts";
import { executionsUrl } from "../../../cli/dashboard/server/executions.ts";

type Facts = NonNullable<Parameters<typeof describeEffect>[1]>;
type Update = NonNullable<Facts["update"]>;

const replicas = { desired: 3, updated: 3, available: 3, old: 0 };
const idle = {
  update: null,
  replicas,
  canary: null,
  failedVersions: ["1.1.0", "1.2.0"],
  releases: [{ number: 2, version: "0.9.0" }],
} as unknown as Facts;
const update = { what: "update to web:1.1.0", version: "1.1.0", previous: "web:1.0.0" } as Update;
const rollout: Facts = { ...idle, update };
const canary: Facts = { ...rollout, canary: { ...replicas, desired: 1 } };
const restart: Facts = { ...idle, update: { ...update, what: "restart of web:1.0.0", previous: null } };

describe("the effect of an action, before it is confirmed", () => {
  test.for<[verb: Verb, argument: string | null, facts: Facts | null, effect: string]>([
    [
      "restart",
      null,
      idle,
      "Restarts 3 pods with the image that runs, as its strategy allows, and checks their health.",
    ],
    ["pause", null, idle, "Starts no new update until it is resumed."],
    ["pause", null, rollout, "Starts no new update until it is resumed. The update to web:1.1.0 continues."],
    ["resume", null, idle, "The next poll may update it again."],
    ["promote", null, canary, "Ends the pause: the canary of 1.1.0 (1 pod) goes to its next step."],
    ["promote", "full", canary, "Updates 3 pods to 1.1.0, whatever the analysis says."],
    [
      "abort",
      null,
      canary,
      "Ends the canary of 1.1.0 and does not try it again: restores web:1.0.0. Removes 1 pod of the canary.",
    ],
    ["abort", null, restart, "Ends the restart of web:1.0.0. Nothing is restored."],
    [
      "reset",
      null,
      idle,
      "Closes the circuit, and sets the number of failed attempts to 0. Failed versions stay excluded.",
    ],
    ["retry", null, idle, "Allows 1.1.0, 1.2.0 again: the next poll may update 3 pods to it."],
    [
      "push",
      "0.8.0",
      canary,
      "Updates 3 pods to 0.8.0, also if it is older or has failed, and checks their health. Ends the canary of 1.1.0 without blame.",
    ],
    ["rollback", "2", idle, "Restores the pod template of release 2, version 0.9.0: restarts 3 pods."],
    ["rollback", "9", { ...idle, replicas: null }, "Restores the pod template of release 9: restarts its pods."],
    ["pause", null, null, "No further node is cordoned, drained and rebooted. Nodes that hold a slot continue."],
    ["resume", null, null, "Its nodes may be rebooted again, within its windows and its limit."],
  ])("%s %s", ([verb, argument, facts, effect]) => {
    expect(describeEffect({ verb, target: "deployment/shop/web", argument }, facts)).toBe(effect);
  });
});

describe("the states that an execution has passed", () => {
  const done = [{ state: "done" }] as unknown as Parameters<typeof passedStates>[1];
  const canaryStates = ["StartCanary", "CheckCanary", "AnalyzeCanary"];
  test.for([
    { active: null, steps: [], passed: [] },
    { active: "CheckHook", steps: [], passed: [] },
    { active: "StartCanary", steps: done, passed: [] },
    { active: "AnalyzeCanary", steps: [], passed: ["StartCanary", "CheckCanary"] },
    { active: "ParkedCanary", steps: [], passed: ["StartCanary", "CheckCanary"] },
    { active: "AnalyzeRollout", steps: [], passed: ["ApplyUpdate", "CheckReadiness"] },
    { active: "CheckReadiness", steps: done, passed: [...canaryStates, "ApplyUpdate"] },
    { active: "Parked", steps: [], passed: ["ApplyUpdate"] },
    { active: "RestoreRelease", steps: [], passed: [] },
    { active: "CheckRollback", steps: done, passed: ["RollBack"] },
  ])("$active: $passed", ({ active, steps, passed }) => {
    expect([...passedStates(active, steps)]).toEqual(passed);
    expect([null, ...statesOf(active).flatMap(({ states }) => states)]).toContain(active);
  });
});

const arn = "arn:aws:states:eu-central-1:123456789012:stateMachine:pawl-production";

test.for([
  {
    holder: arn,
    url: "https://eu-central-1.console.aws.amazon.com/states/home?region=eu-central-1#/v2/executions/details/arn:aws:states:eu-central-1:123456789012:execution:pawl-production:",
  },
  {
    holder: arn.replace("aws:states:eu-central", "aws-cn:states:cn-north"),
    url: "https://cn-north-1.console.amazonaws.cn/states/home?region=cn-north-1#/v2/executions/details/arn:aws-cn:states:cn-north-1:123456789012:execution:pawl-production:",
  },
  { holder: "local:host:42", url: null },
  { holder: arn.replace("eu-central-1", "evil.example/?"), url: null },
  { holder: arn.replace("aws", "other"), url: null },
])("the console of the holder $holder", ({ holder, url }) => {
  expect(executionsUrl(holder)).toBe(url);
});
