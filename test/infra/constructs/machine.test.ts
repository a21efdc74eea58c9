import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { synthesise } from "../synthesised.ts";

const { at, render, ofType } = synthesise();
const machine = at("production/WorkloadUpdate/Machine").Properties;

test("the machine is Standard, traced, and logs its errors with their data to a vended log group", () => {
  expect(machine).toMatchObject({
    StateMachineName: "pawl-production-workload-update",
    StateMachineType: "STANDARD",
    TracingConfiguration: { Enabled: true },
    LoggingConfiguration: { Level: "ERROR", IncludeExecutionData: true },
  });
  expect(at("production/WorkloadUpdate/Logs").Properties).toEqual({
    LogGroupName: "/aws/vendedlogs/states/pawl-production-workload-update",
    RetentionInDays: 30,
  });
});

test("every Task of the file invokes the function of its own name by the alias", () => {
  const file = readFileSync("state-machines/workload-update.asl.json", "utf8");
  const wanted = [...new Set([...file.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ""))].sort();
  const substitutions = machine["DefinitionSubstitutions"] as Record<string, unknown>;
  expect(Object.keys(substitutions).sort()).toEqual(wanted);
  for (const name of wanted) {
    const handler = name
      .replace(/Arn$/, "")
      .replace(/(?!^)([A-Z])/g, "-$1")
      .toLowerCase();
    expect(render(substitutions[name])).toBe(`<production/Functions/${handler}/Live>`);
  }
});

test("the file has a time limit", () => {
  const { TimeoutSeconds } = JSON.parse(readFileSync("state-machines/workload-update.asl.json", "utf8")) as {
    TimeoutSeconds: number;
  };
  expect(TimeoutSeconds).toBeGreaterThan(0);
});

test("a new definition is tried on every tenth update first, and taken back by the alarm for failures", () => {
  const alias = at("production/Live/Alias").Properties;
  const version = at("production/Live/Version");
  expect(alias).toMatchObject({ Name: "live", DeploymentPreference: { Type: "CANARY", Percentage: 10, Interval: 10 } });
  const { StateMachineVersionArn, Alarms } = alias["DeploymentPreference"] as {
    StateMachineVersionArn: unknown;
    Alarms: unknown[];
  };
  expect(render(StateMachineVersionArn)).toBe("<production/Live/Version.Arn>");
  expect(Alarms.map(render)).toEqual(["<production/Alarms/executions-failed>"]);
  expect(render(version.Properties["StateMachineRevisionId"])).toBe(
    "<production/WorkloadUpdate/Machine.StateMachineRevisionId>",
  );
  expect(version).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
});

test("a rollback is not counted among the failures", () => {
  expect(at("production/WorkloadUpdate/Broken").Properties).toMatchObject({
    FilterPattern:
      '{ $.type = "ExecutionFailed" && $.details.error != "RolledBack" && $.details.error != "CircuitOpened" }',
    MetricTransformations: [{ MetricNamespace: "Pawl/BrokenExecutions", MetricName: "production", MetricValue: "1" }],
  });
});

test("the clusters share no machine", () => {
  expect(ofType("AWS::StepFunctions::StateMachine").map(([path]) => path)).toEqual([
    "production/WorkloadUpdate/Machine",
    "edge/WorkloadUpdate/Machine",
  ]);
});
