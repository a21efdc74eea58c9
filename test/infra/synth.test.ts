import { Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import { createPawlStacks } from "../../infra/pawl-stacks.ts";
import { findViolations } from "./findings.ts";
import { createApp, parseConfig, synthesise, withoutValidation } from "./synthesized-stack.ts";

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/x-a1B2c3";
const eks = { clusterName: "prod", region: "eu-central-1" };

vi.setConfig({ testTimeout: 60_000 });

test("a second synth returns the same bytes", () => {
  const bytes = () => JSON.stringify(synthesise().template.toJSON());
  expect(bytes()).toBe(bytes());
});

describe("cdk-nag's AwsSolutions", () => {
  interface Case {
    readonly when: string;
    readonly input: unknown;
    readonly env?: { readonly account: string; readonly region: string };
  }
  test.for<Case>([
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
      when: "an app that names its account and region",
      input: {
        clusters: [{ name: "a", eks, nodePools: { runCommand: { instanceTag: { key: "a", value: "b" } } } }],
        registries: {
          ecrAccounts: ["210987654321"],
          ecrEvents: [{ account: "210987654321", region: "eu-west-1" }],
        },
      },
      env: { account: "123456789012", region: "eu-central-1" },
    },
    {
      when: "schedules of operators",
      input: { clusters: [{ name: "a", kubeconfig: { secretArn } }], schedulesManagedBy: "external" },
    },
  ])("finds nothing unacknowledged in $when", ({ input, env }) => {
    const app = createApp();
    createPawlStacks(app, parseConfig(input), env === undefined ? {} : { env });
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

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const maxResources = 500;

describe("the stack", () => {
  const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
  const nodePools = { usePullSecrets: true, runCommand: { instanceTag } };
  const sizesOf = (input: object) =>
    createPawlStacks(createApp(withoutValidation), parseConfig(input)).map(
      (stack) => Object.keys(Template.fromStack(stack).toJSON()["Resources"] as object).length,
    );

  test("of a cluster with every feature has room for as much again", () => {
    const [, size] = sizesOf({
      clusters: [{ name: "prod", eks, nodePools, releases: true, hooks: true, jobMetrics: true }],
    });
    expect(size).toBeGreaterThan(150);
    expect(size).toBeLessThanOrEqual(maxResources / 2);
  });

  test("of shared resources fits with the largest configuration", () => {
    const emails = Array.from({ length: 100 }, (_, index) => `${index}@example.com`);
    const notifications = Array.from({ length: 150 }, (_, index) => ({ kind: "slack", name: `t${index}`, secretArn }));
    const clusters = [{ name: "prod", eks }];
    const [size] = sizesOf({ clusters, alarms: { emails }, notifications });
    expect(size).toBeGreaterThan(250);
    expect(size).toBeLessThanOrEqual(maxResources);
    expect(() => parseConfig({ clusters, alarms: { emails: [...emails, "x@example.com"] } })).toThrow("emails");
    const tooMany = [...notifications, { kind: "slack", name: "x", secretArn }];
    expect(() => parseConfig({ clusters, notifications: tooMany })).toThrow("notifications");
  });
});
