import { Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import { mostClusters } from "../../infra/config/clusters.ts";
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

test("as many clusters as may be written fit into one stack", () => {
  const clusters = Array.from({ length: mostClusters }, (_, index) => ({ name: `c${index}`, eks }));
  const { template } = synthesise({ clusters });
  expect(Object.keys(template.toJSON()["Resources"] as object).length).toBeLessThanOrEqual(500);
});
