import { Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import {
  mostClusters,
  mostResources,
  resourcesOfCluster,
  resourcesWithNodePools,
} from "../../infra/config/stack-size.ts";
import { PawlStack } from "../../infra/pawl-stack.ts";
import { findingsOf } from "./findings.ts";
import { anApp, configOf, synthesise } from "./synthesised.ts";

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/x-a1B2c3";
const eks = { clusterName: "prod", region: "eu-central-1" };

vi.setConfig({ testTimeout: 60_000 });

test("a second synth comes to the same bytes", () => {
  const bytes = () => JSON.stringify(synthesise().template.toJSON());
  expect(bytes()).toBe(bytes());
});

describe("cdk-nag's AwsSolutions", () => {
  test.for([
    { when: "the example", written: "infra/pawl.example.json" },
    { when: "the least", written: { clusters: [{ name: "prod", eks }] } },
    {
      when: "another account",
      written: { clusters: [{ name: "a", eks: { ...eks, assumeRoleArn: "arn:aws:iam::210987654321:role/pawl" } }] },
    },
    {
      when: "node pools",
      written: {
        clusters: [
          { name: "a", eks, nodePools: { runCommand: { instanceTag: { key: "a", value: "b" } } } },
          { name: "b", kubeconfig: { secretArn }, nodePools: {} },
        ],
      },
    },
    {
      when: "schedules of operators",
      written: { clusters: [{ name: "a", kubeconfig: { secretArn } }], schedulesManagedBy: "operators" },
    },
  ])("finds nothing in $when that is not acknowledged", ({ written }) => {
    const app = anApp();
    new PawlStack(app, "pawl", { config: configOf(written) });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(findingsOf(app)).toEqual([]);
  });

  test("is awake: it finds a queue without TLS", () => {
    const app = anApp();
    new Queue(new Stack(app, "other"), "Queue");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(findingsOf(app)).toContain("AwsSolutions-SQS4");
  });
});

describe("in one stack", () => {
  const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
  const withPools = { nodePools: { pullSecrets: true, runCommand: { instanceTag } } };
  const sizeOf = (pooled: number, others: number) => {
    const clusters = [
      ...Array.from({ length: pooled }, (_, index) => ({ name: `p${index}`, eks, ...withPools })),
      ...Array.from({ length: others }, (_, index) => ({ name: `c${index}`, eks })),
    ];
    return Object.keys(synthesise({ clusters }).template.toJSON()["Resources"] as object).length;
  };

  test("a cluster comes to as many resources as the configuration counts", () => {
    expect(sizeOf(0, 2) - sizeOf(0, 1)).toBe(resourcesOfCluster);
    expect(sizeOf(1, 1) - sizeOf(0, 1)).toBe(resourcesWithNodePools);
  });

  test.for([
    { pooled: 0, others: mostClusters },
    { pooled: 3, others: 0 },
    { pooled: 2, others: 2 },
    { pooled: 1, others: 3 },
  ])("$pooled with node pools and $others without fit, with room for notifications", ({ pooled, others }) => {
    expect(sizeOf(pooled, others)).toBeLessThanOrEqual(mostResources - 10);
  });
});
