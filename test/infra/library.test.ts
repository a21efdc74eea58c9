import { Lazy, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type IVpc, SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { CfnCluster } from "aws-cdk-lib/aws-eks";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Topic } from "aws-cdk-lib/aws-sns";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { PawlConfigInput } from "../../infra/config/schema.ts";
import { Pawl } from "../../infra/pawl.ts";
import { PawlCluster } from "../../infra/pawl-cluster.ts";
import type { ClusterProps } from "../../infra/props/cluster.ts";
import type { SharedProps } from "../../infra/props/shared.ts";
import { createApp, withoutValidation } from "./synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };

function createStack(): Stack {
  return new Stack(createApp(withoutValidation), "Mine");
}

test("the documented properties are those of the configuration", () => {
  type Cluster = PawlConfigInput["clusters"][number];
  // The place and the ring are those of a stack.
  expectTypeOf<keyof ClusterProps | "account" | "region" | "ring">().toEqualTypeOf<keyof Cluster>();
  expectTypeOf<keyof SharedProps>().toEqualTypeOf<Exclude<keyof PawlConfigInput, "$schema" | "clusters">>();
  expectTypeOf<Required<ClusterProps>["poll"]>().toExtend<Cluster["poll"]>();
  expectTypeOf<keyof NonNullable<ClusterProps["eks"]>>().toEqualTypeOf<keyof NonNullable<Cluster["eks"]>>();
  expectTypeOf<keyof NonNullable<ClusterProps["nodePools"]>>().toEqualTypeOf<keyof NonNullable<Cluster["nodePools"]>>();
  expectTypeOf<keyof NonNullable<SharedProps["registries"]>>().toEqualTypeOf<
    keyof NonNullable<PawlConfigInput["registries"]>
  >();
  expectTypeOf<keyof NonNullable<SharedProps["alarms"]>>().toEqualTypeOf<
    keyof NonNullable<PawlConfigInput["alarms"]>
  >();
});

describe("in the app of a user", () => {
  const stack = createStack();
  const pawl = new Pawl(stack, "Pawl", { alarms: { emails: ["team@example.com"] } });
  const cluster = new PawlCluster(stack, "Production", { pawl, name: "production", eks });
  const role = new Role(stack, "Deployer", { assumedBy: new ServicePrincipal("codebuild.amazonaws.com") });
  pawl.grantPublish(role);
  pawl.grantPutEvents(role);
  cluster.grantPoll(role);
  cluster.grantStartExecution(role);
  cluster.grantReadExecutions(role);

  test("one stack can contain the shared resources and a cluster", () => {
    const text = JSON.stringify(Template.fromStack(stack).toJSON());
    for (const part of ["AWS::Events::EventBus", "AWS::CloudWatch::Dashboard", '"pawl-production-poll"'])
      expect(text).toContain(part);
  });

  test("the group of schedules exists before the schedule of a cluster", () => {
    const [schedule] = Object.values(Template.fromStack(stack).findResources("AWS::Scheduler::Schedule"));
    expect(schedule?.["DependsOn"]).toContainEqual(expect.stringMatching(/^PawlSchedules/));
  });

  test("a principal is granted what its method says", () => {
    const policies = Template.fromStack(stack).findResources("AWS::IAM::Policy");
    const text = JSON.stringify(policies);
    for (const action of ["sns:Publish", "events:PutEvents", "lambda:InvokeFunction", "states:StartExecution"])
      expect(text).toContain(`"${action}"`);
    expect(text).toContain("states:DescribeExecution");
  });

  test.for([
    { metric: cluster.metricUpdates("success"), name: "claw_autoupdate_updates_total", statistic: "Sum" },
    { metric: cluster.metricUpdatesInFlight(), name: "pawl_in_flight", statistic: "Maximum" },
    { metric: cluster.metricOpenCircuits(), name: "claw_autoupdate_circuit_open", statistic: "Maximum" },
    { metric: cluster.metricPolls({ statistic: "Average" }), name: "pawl_polls_total", statistic: "Average" },
    { metric: cluster.metricPollErrors(), name: "pawl_poll_errors_total", statistic: "Sum" },
    { metric: cluster.metricPollDuration(), name: "pawl_poll_duration_seconds", statistic: "Maximum" },
  ])("the metric $name: $statistic", ({ metric, name, statistic }) => {
    expect(metric).toMatchObject({ namespace: "Pawl", metricName: name, statistic });
    expect(metric.dimensions).toMatchObject({ cluster: "production" });
  });

  test("updates are counted by their result", () => {
    expect(cluster.metricUpdates("rollback").dimensions).toEqual({ cluster: "production", result: "rollback" });
  });

  test("undelivered notifications are counted", () => {
    expect(pawl.metricUndelivered().metricName).toBe("ApproximateNumberOfMessagesVisible");
  });
});

test("a cluster refers to the resources of another app by their names", () => {
  const stack = createStack();
  const pawl = Pawl.fromSettings({ prefix: "updates", logRetentionDays: 90 });
  new PawlCluster(stack, "Production", { pawl, name: "production", eks });
  const template = Template.fromStack(stack);
  const propertiesOf = (type: string) =>
    Object.values(template.findResources(type)).map((one) => one["Properties"] as object);
  expect([...propertiesOf("AWS::Events::EventBus"), ...propertiesOf("AWS::CloudWatch::Dashboard")]).toEqual([]);
  expect(propertiesOf("AWS::Logs::LogGroup")[0]).toMatchObject({ RetentionInDays: 90 });
  expect(propertiesOf("AWS::Scheduler::Schedule")).toMatchObject([{ GroupName: "updates", Name: "production" }]);
});

describe("properties that are known at the deployment only", () => {
  const stack = createStack();
  const vpc = new Vpc(stack, "Vpc", { maxAzs: 2 }) as IVpc;
  const group = new SecurityGroup(stack, "Group", { vpc });
  const onEks = new CfnCluster(stack, "Eks", {
    roleArn: "arn:aws:iam::123456789012:role/eks",
    resourcesVpcConfig: { subnetIds: [] },
  });
  const secret = new Secret(stack, "Secret");
  const topic = new Topic(stack, "OnCall");
  const pawl = new Pawl(stack, "Pawl", {
    registries: { secretArn: secret.secretArn },
    alarms: { topicArn: topic.topicArn },
  });
  new PawlCluster(stack, "Production", {
    pawl,
    name: "production",
    eks: {
      clusterName: onEks.ref,
      region: stack.region,
      endpoint: onEks.attrEndpoint,
      certificateAuthority: onEks.attrCertificateAuthorityData,
    },
    network: {
      vpcId: vpc.vpcId,
      subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
      availabilityZones: vpc.privateSubnets.map(({ availabilityZone }) => availabilityZone),
      securityGroupId: group.securityGroupId,
    },
  });
  const template = Template.fromStack(stack);
  const propertiesOf = (type: string) => Object.values(template.findResources(type)).map((one) => one["Properties"]);

  test("reach the resources as references", () => {
    const poll = propertiesOf("AWS::Lambda::Function").find((one) => one.FunctionName === "pawl-production-poll");
    expect(poll).toMatchObject({
      Environment: {
        Variables: {
          PAWL_EKS_CLUSTER: { Ref: "Eks" },
          PAWL_EKS_REGION: { Ref: "AWS::Region" },
          PAWL_EKS_ENDPOINT: { "Fn::GetAtt": ["Eks", "Endpoint"] },
          PAWL_EKS_CA: { "Fn::GetAtt": ["Eks", "CertificateAuthorityData"] },
          PAWL_REGISTRY_SECRET_ARN: { Ref: expect.stringMatching(/^Secret/) as unknown },
        },
      },
      VpcConfig: {
        SubnetIds: [{ Ref: expect.stringMatching(/^VpcPrivate/) as unknown }, expect.anything()],
        SecurityGroupIds: [{ "Fn::GetAtt": [expect.stringMatching(/^Group/), "GroupId"] }],
      },
    });
    expect(propertiesOf("AWS::EKS::AccessEntry")[0]).toMatchObject({ ClusterName: { Ref: "Eks" } });
    expect(propertiesOf("AWS::CloudWatch::Alarm")[0]).toMatchObject({
      AlarmActions: [{ Ref: expect.stringMatching(/^OnCall/) as unknown }],
    });
  });

  test("leave no sample in the template", () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/token-|aa-a|000000000000|Token\[/);
  });

  test("are refused in a field that must be known at synthesis", () => {
    const invalid = { pawl, name: "other", eks, namespaces: [Lazy.string({ produce: () => "shop" })] };
    expect(() => new PawlCluster(stack, "Other", invalid)).toThrow(/^clusters\[0\]\.namespaces\[0\]: .*Token/);
  });
});

describe("invalid properties are refused with all problems", () => {
  test("of a cluster", () => {
    const pawl = Pawl.fromSettings({});
    const invalid = { pawl, name: "Production", eks: { clusterName: "prod", region: "mars" } };
    expect(() => new PawlCluster(createStack(), "Production", invalid)).toThrow(
      /^clusters\[0\]\.name: "Production" is not .*\nclusters\[0\]\.eks\.region: "mars" is not a region/,
    );
  });

  test("a second cluster of the same name", () => {
    const stack = createStack();
    const pawl = new Pawl(stack, "Pawl");
    new PawlCluster(stack, "One", { pawl, name: "production", eks });
    expect(() => new PawlCluster(stack, "Two", { pawl, name: "production", eks })).toThrow(
      'cluster "production" exists twice, and names its resources',
    );
  });

  test("of the shared resources", () => {
    expect(() => new Pawl(createStack(), "Pawl", { prefix: "-" })).toThrow(/^prefix: "-" is not /);
    expect(() => Pawl.fromSettings({ prefix: "-" })).toThrow(/^prefix: "-" is not /);
  });
});
