import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeDefinition } from "../../../../infra/constructs/state-machine/write-definition.ts";
import { testStateMachine } from "../../deployed-state-machine.ts";
import { synthesise } from "../../synthesized-stack.ts";

const example = JSON.parse(readFileSync("infra/config/pawl.example.json", "utf8")) as {
  readonly clusters: readonly [object, object];
};
const [production, edge] = example.clusters;
/** With every feature on the first cluster, and none on the second. */
const git = {
  name: "config",
  cluster: "production",
  provider: "github",
  repository: "shop/config",
  branch: "main",
  appSecretArn: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/github-a1B2c3",
  paths: ["apps/*"],
};
const stack = synthesise({ ...example, git: [git], clusters: [{ ...production, releases: true, hooks: true }, edge] });
const { at, render, ofType } = stack;
const eks = { clusterName: "prod", region: "eu-central-1" };

testStateMachine(stack, "workload-update", "production/WorkloadUpdate", ["VerifyImage"]);
testStateMachine(stack, "poll-fanout", "production/PollFanOut/Machine");

test("without releases, no function restores them, and the state is passed over", () => {
  const { DefinitionSubstitutions } = at("edge/WorkloadUpdate/Machine").Properties;
  expect(Object.keys(DefinitionSubstitutions as object)).not.toContain("RestoreReleaseArn");
  expect(ofType("AWS::Lambda::Function").map(([path]) => path)).not.toContain(
    "edge/Functions/restore-release/Function",
  );
  const names = Object.keys(DefinitionSubstitutions as object).filter((name) => name.endsWith("Arn"));
  const tasks = names.map((name) => name.replace(/Arn$/, ""));
  const { States } = JSON.parse(readFileSync(writeDefinition("workload-update", tasks), "utf8")) as {
    readonly States: Readonly<Record<string, object>>;
  };
  expect(States["RestoreRelease"]).toEqual({
    Type: "Pass",
    Result: { kind: "disabled", waitSeconds: 0, digest: null, reason: expect.any(String) },
    ResultPath: "$.rollout",
    Next: "Restored?",
  });
});

test("without rules of signatures, nothing is left of what only a failed verification leads to", () => {
  const { States } = JSON.parse(readFileSync(writeDefinition("workload-update", ["ApplyUpdate"]), "utf8")) as {
    readonly States: Readonly<Record<string, object>>;
  };
  const left = ["Unanswered?", "NotRun?", "NotVerified?", "VerificationUnknown"].filter((name) => name in States);
  expect([left, "ChooseStrategy" in States]).toEqual([[], true]);
});

test("a new version first gets every second update, and is rolled back by the alarms for its code", () => {
  const alias = at("production/Live/Alias").Properties;
  const version = at("production/Live/Version");
  expect(alias).toMatchObject({ Name: "live", DeploymentPreference: { Type: "CANARY", Percentage: 50, Interval: 15 } });
  const { StateMachineVersionArn, Alarms } = alias["DeploymentPreference"] as {
    StateMachineVersionArn: unknown;
    Alarms: unknown[];
  };
  expect(render(StateMachineVersionArn)).toBe("<production/Live/Version.Arn>");
  expect(Alarms.map(render)).toEqual(
    ["executions-failed", "code-errors", "poll-errors"].map((name) => `<production/Alarms/${name}>`),
  );
  expect(render(version.Properties["StateMachineRevisionId"])).toBe(
    "<production/WorkloadUpdate/Machine.StateMachineRevisionId>",
  );
  expect(version).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
});

test("the polls run the new code before the machine does", () => {
  expect(at("production/Live/Alias").DependsOn?.join(" ")).toMatch(/productionFunctionspollLive/);
});

test.for([
  { schedule: "rate(1 minute)", minutes: 10 },
  { schedule: "rate(5 minutes)", minutes: 15 },
  { schedule: "rate(1 day)", minutes: 30 },
])("with $schedule, a new version is observed for $minutes minutes", ({ schedule, minutes }) => {
  const { at: atOne } = synthesise({ clusters: [{ name: "prod", eks, poll: { schedule } }] });
  expect(atOne("prod/Live/Alias").Properties["DeploymentPreference"]).toMatchObject({ Interval: minutes });
});

test("an immediate deployment has no alarm that could refuse a fix", () => {
  const { at: atOne } = synthesise({
    deployments: "immediate",
    clusters: [{ name: "prod", eks, nodePools: {} }],
  });
  for (const path of ["prod/Live", "prod/NodePools/Live"])
    expect(atOne(`${path}/Alias`).Properties["DeploymentPreference"]).toEqual({
      StateMachineVersionArn: expect.anything() as unknown,
      Type: "ALL_AT_ONCE",
    });
});

test("a rollback and a refusal by the cluster are not counted as failures", () => {
  const expected = ["RolledBack", "CircuitOpened", "HookFailed", "UpdateRefused", "WriteRefused"];
  const conditions = expected.map((error) => ` && $.details.error != "${error}"`);
  expect(at("production/WorkloadUpdate/Broken").Properties).toMatchObject({
    FilterPattern: `{ $.type = "ExecutionFailed"${conditions.join("")} }`,
    MetricTransformations: [{ MetricNamespace: "Pawl/BrokenExecutions", MetricName: "production", MetricValue: "1" }],
  });
});

test("the clusters share no machine", () => {
  expect(ofType("AWS::StepFunctions::StateMachine").map(([path]) => path)).toEqual([
    "production/WorkloadUpdate/Machine",
    "production/PollFanOut/Machine/Machine",
    "edge/WorkloadUpdate/Machine",
    "edge/PollFanOut/Machine/Machine",
  ]);
});
