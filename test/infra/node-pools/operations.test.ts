import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { nodePoolAlarmNames } from "../../../infra/constructs/alarm-names.ts";
import { testMachine } from "../machine-deployed.ts";
import { withNodePools } from "./with-node-pools.ts";

const stack = withNodePools();
const { at, render, ofType } = stack;

testMachine(stack, "node-pool-rollout", "production/NodePools/Rollout");

test("a rollout that was halted is not counted among the broken ones", () => {
  expect(at("production/NodePools/Rollout/Broken").Properties).toMatchObject({
    FilterPattern: '{ $.type = "ExecutionFailed" && $.details.error != "RolloutHalted" }',
    MetricTransformations: [{ MetricNamespace: "Pawl/BrokenRollouts", MetricName: "production", MetricValue: "1" }],
  });
});

test("a new definition is tried on every tenth rollout first, and the first tick finds it", () => {
  const alias = at("production/NodePools/Live/Alias").Properties;
  const { StateMachineVersionArn, Alarms } = alias["DeploymentPreference"] as Record<string, unknown>;
  expect(alias).toMatchObject({ Name: "live", DeploymentPreference: { Type: "CANARY", Percentage: 10, Interval: 10 } });
  expect(render(StateMachineVersionArn)).toBe("<production/NodePools/Live/Version.Arn>");
  expect((Alarms as unknown[]).map(render)).toEqual(["<production/NodePools/Alarms/rollouts-failed>"]);
  const { DependsOn = [] } = at("production/Schedule/Schedule");
  expect(DependsOn.join(" ")).toContain("NodePoolsLiveAlias");
});

describe("the alarms", () => {
  test.for([
    { name: "node-pool-degraded", metric: "pawl_node_pools_degraded", statistic: "Minimum", period: 900 },
    { name: "rollout-halted", metric: "pawl_node_pools_halted", statistic: "Maximum", period: 300 },
    { name: "drain-slow", metric: "pawl_drains_slow", statistic: "Maximum", period: 300 },
  ])("$name holds between two polls", ({ name, metric, statistic, period }) => {
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

  test("a rollout is broken off by an error, by the time limit and by a person", () => {
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

  test("each has its paragraph in the runbook, and tells the topic", () => {
    const own = ofType("AWS::CloudWatch::Alarm").filter(([path]) => path.startsWith("production/NodePools/"));
    expect(own.map(([path]) => path.split("/").at(-1))).toEqual(nodePoolAlarmNames);
    for (const [path, { Properties }] of own) {
      expect(Properties["AlarmDescription"]).toMatch(new RegExp(` docs/runbook\\.md#${path.split("/").at(-1)}$`));
      expect((Properties["AlarmActions"] as unknown[]).map(render)).toEqual(["<AlarmTopic/Topic>"]);
    }
  });
});

test("the dashboard shows them for a cluster that has node pools", () => {
  const body = render(ofType("AWS::CloudWatch::Dashboard")[0]?.[1].Properties["DashboardBody"]);
  for (const name of ["pools_degraded", "pools_halted", "pools_rolling"]) expect(body).toContain(`pawl_node_${name}`);
  expect(body).toContain("pawl_drains_slow");
});

test("the document of SSM is the file as it is, where nodes are commanded and nowhere else", () => {
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
