import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { nodePoolAlarmNames } from "../../../infra/constructs/alarms/alarm-names.ts";
import { testStateMachine } from "../deployed-state-machine.ts";
import { withNodePools } from "./stack-with-node-pools.ts";

const stack = withNodePools();
const { at, render, ofType } = stack;

testStateMachine(stack, "node-pool-rollout", "production/NodePools/Rollout");

test("a halted rollout is not counted as an unexpected failure", () => {
  expect(at("production/NodePools/Rollout/Broken").Properties).toMatchObject({
    FilterPattern: '{ $.type = "ExecutionFailed" && $.details.error != "RolloutHalted" }',
    MetricTransformations: [{ MetricNamespace: "Pawl/BrokenRollouts", MetricName: "production", MetricValue: "1" }],
  });
});

test("a new version first gets every second rollout, and exists before the schedule", () => {
  const alias = at("production/NodePools/Live/Alias").Properties;
  const { StateMachineVersionArn, Alarms } = alias["DeploymentPreference"] as Record<string, unknown>;
  expect(alias).toMatchObject({ Name: "live", DeploymentPreference: { Type: "CANARY", Percentage: 50, Interval: 15 } });
  expect(render(StateMachineVersionArn)).toBe("<production/NodePools/Live/Version.Arn>");
  expect((Alarms as unknown[]).map(render)).toEqual([
    "<production/NodePools/Alarms/rollouts-failed>",
    ...["executions-failed", "code-errors", "poll-errors"].map((name) => `<production/Alarms/${name}>`),
  ]);
  const { DependsOn = [] } = at("production/Schedule/Schedule");
  expect(DependsOn.join(" ")).toContain("NodePoolsLiveAlias");
});

describe("the alarms", () => {
  test.for([
    { name: "node-pool-degraded", metric: "pawl_node_pools_degraded", statistic: "Minimum", period: 900 },
    { name: "rollout-halted", metric: "pawl_node_pools_halted", statistic: "Maximum", period: 300 },
    { name: "drain-slow", metric: "pawl_drains_slow", statistic: "Maximum", period: 300 },
  ])("$name keeps its state between two polls", ({ name, metric, statistic, period }) => {
    expect(at(`edge/NodePools/Alarms/${name}`).Properties).toMatchObject({
      AlarmName: `pawl-edge-${name}`,
      Namespace: "Pawl",
      MetricName: metric,
      Dimensions: [{ Name: "cluster", Value: "edge" }],
      Statistic: statistic,
      Period: period,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "ignore",
    });
  });

  test("rollouts-failed counts errors, timeouts and aborts", () => {
    const metrics = at("edge/NodePools/Alarms/rollouts-failed").Properties["Metrics"] as {
      Expression?: string;
      MetricStat?: { Metric: { MetricName: string } };
    }[];
    expect(metrics.map(({ Expression, MetricStat }) => Expression ?? MetricStat?.Metric.MetricName)).toEqual([
      "FILL(broken, 0) + FILL(timedOut, 0) + FILL(aborted, 0)",
      "edge",
      "ExecutionsTimedOut",
      "ExecutionsAborted",
    ]);
  });

  test("each links to its section of the runbook and notifies the topic", () => {
    const own = ofType("AWS::CloudWatch::Alarm").filter(([path]) => path.startsWith("production/NodePools/"));
    expect(own.map(([path]) => path.split("/").at(-1))).toEqual(nodePoolAlarmNames);
    for (const [path, { Properties }] of own) {
      expect(Properties["AlarmDescription"]).toMatch(
        new RegExp(` docs/how-to/runbook\\.md#${path.split("/").at(-1)}$`),
      );
      expect((Properties["AlarmActions"] as unknown[]).map(render)).toEqual([
        "arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:pawl-alarms",
      ]);
    }
  });
});

test("the dashboard shows the metrics of a cluster with node pools", () => {
  const body = render(ofType("AWS::CloudWatch::Dashboard")[0]?.[1].Properties["DashboardBody"]);
  for (const name of ["pools_degraded", "pools_halted", "pools_rolling"]) expect(body).toContain(`pawl_node_${name}`);
  expect(body).toContain("pawl_drains_slow");
});

test("the SSM document is the file, and exists only with runCommand", () => {
  const documents = ofType("AWS::SSM::Document");
  expect(documents.map(([path]) => path)).toEqual(["production/NodePools/Commands/Document"]);
  expect(documents[0]?.[1].Properties).toEqual({
    Name: "pawl-production-bootc-node",
    DocumentType: "Command",
    TargetType: "/AWS::EC2::Instance",
    UpdateMethod: "NewVersion",
    Content: parse(readFileSync("infra/ssm/bootc-node.yaml", "utf8")) as unknown,
  });
});
