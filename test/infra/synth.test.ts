import { Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import {
  maxClusters,
  maxResources,
  resourcesOfHooks,
  resourcesOfReleases,
  resourcesPerCluster,
  resourcesWithNodePools,
} from "../../infra/config/stack-size.ts";
import { PawlStack } from "../../infra/pawl-stack.ts";
import { findViolations } from "./findings.ts";
import { createApp, parseConfig, synthesise } from "./synthesized-stack.ts";

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/x-a1B2c3";
const eks = { clusterName: "prod", region: "eu-central-1" };

vi.setConfig({ testTimeout: 60_000 });

test("a second synth returns the same bytes", () => {
  const bytes = () => JSON.stringify(synthesise().template.toJSON());
  expect(bytes()).toBe(bytes());
});

describe("cdk-nag's AwsSolutions", () => {
  test.for([
    { when: "the example", input: "infra/config/pawl.example.json" },
    { when: "a minimal configuration", input: { clusters: [{ name: "prod", eks }] } },
    {
      when: "another account",
      input: { clusters: [{ name: "a", eks: { ...eks, assumeRoleArn: "arn:aws:iam::210987654321:role/pawl" } }] },
    },
    {
      when: "node pools",
      input: {
        clusters: [
          { name: "a", eks, nodePools: { runCommand: { instanceTag: { key: "a", value: "b" } } } },
          { name: "b", kubeconfig: { secretArn }, nodePools: {} },
        ],
      },
    },
    {
      when: "schedules of operators",
      input: { clusters: [{ name: "a", kubeconfig: { secretArn } }], schedulesManagedBy: "external" },
    },
  ])("finds nothing unacknowledged in $when", ({ input }) => {
    const app = createApp();
    new PawlStack(app, "pawl", { config: parseConfig(input) });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(findViolations(app)).toEqual([]);
  });

  test("reports a queue without TLS", () => {
    const app = createApp();
    new Queue(new Stack(app, "other"), "Queue");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(findViolations(app)).toContain("AwsSolutions-SQS4");
  });
});

describe("in one stack", () => {
  const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
  const withPools = { nodePools: { usePullSecrets: true, runCommand: { instanceTag } } };
  const sizeOf = (pooled: number, others: number, parts: object = {}) => {
    const clusters = [
      ...Array.from({ length: pooled }, (_, index) => ({ name: `p${index}`, eks, ...withPools })),
      ...Array.from({ length: others }, (_, index) => ({ name: `c${index}`, eks, ...parts })),
    ];
    return Object.keys(synthesise({ clusters }).template.toJSON()["Resources"] as object).length;
  };

  test("a cluster has the number of resources that the configuration assumes", () => {
    expect(sizeOf(0, 2) - sizeOf(0, 1)).toBe(resourcesPerCluster);
    expect(sizeOf(1, 1) - sizeOf(0, 1)).toBe(resourcesWithNodePools);
    expect(sizeOf(0, 1, { releases: true }) - sizeOf(0, 1)).toBe(resourcesOfReleases);
    expect(sizeOf(0, 1, { hooks: true }) - sizeOf(0, 1)).toBe(resourcesOfHooks);
  });

  test.for([
    { pooled: 0, others: maxClusters },
    { pooled: 2, others: 1 },
    { pooled: 1, others: 2 },
  ])("$pooled with node pools and $others without fit, with room for notifications", ({ pooled, others }) => {
    expect(sizeOf(pooled, others)).toBeLessThanOrEqual(maxResources - 10);
  });
});
