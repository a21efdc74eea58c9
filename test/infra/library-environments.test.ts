import { Stack, type StackProps, Stage } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { expect, test } from "vitest";
import { Pawl } from "../../infra/pawl.ts";
import { PawlCluster } from "../../infra/pawl-cluster.ts";
import { createApp, withoutValidation } from "./synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const env = { account: "111111111111", region: "eu-central-1" };

function createStacks(shared: StackProps, cluster: StackProps) {
  const app = createApp(withoutValidation);
  return { app, shared: new Stack(app, "Shared", shared), cluster: new Stack(app, "Cluster", cluster) };
}

test("the placeholders of lookups are no error, so that the command line of the CDK can find the values", () => {
  const { cluster: stack } = createStacks({ env }, { env });
  const { vpcId, privateSubnets, availabilityZones } = Vpc.fromLookup(stack, "Vpc", { vpcName: "main" });
  const group = SecurityGroup.fromLookupByName(
    stack,
    "Group",
    "functions",
    Vpc.fromLookup(stack, "Same", { vpcName: "main" }),
  );
  const network = {
    vpcId,
    subnetIds: privateSubnets.map(({ subnetId }) => subnetId),
    availabilityZones,
    securityGroupId: group.securityGroupId,
  };
  const endpoint = StringParameter.valueFromLookup(stack, "/prod/endpoint");
  const certificateAuthority = StringParameter.valueFromLookup(stack, "/prod/ca");
  const pawl = new Pawl(stack, "Pawl");
  const settings = { eks: { ...eks, endpoint, certificateAuthority }, network };
  new PawlCluster(stack, "Production", { pawl, name: "production", ...settings });
  expect(JSON.stringify(Template.fromStack(stack).toJSON())).toContain('"SubnetIds":["p-12345"');
});

test.for([
  { what: "region", other: { ...env, region: "us-east-1" }, reason: "is in the region us-east-1, and its Pawl in eu-" },
  { what: "account", other: { ...env, account: "222222222222" }, reason: "is in the account 222222222222, and its" },
])("a cluster in another $what than its Pawl is refused", ({ other, reason }) => {
  const stacks = createStacks({ env }, { env: other });
  const pawl = new Pawl(stacks.shared, "Pawl");
  expect(() => new PawlCluster(stacks.cluster, "Production", { pawl, name: "production", eks })).toThrow(reason);
});

test("one whose region is not known is accepted", () => {
  const stacks = createStacks({ env }, {});
  const pawl = new Pawl(stacks.shared, "Pawl");
  expect(new PawlCluster(stacks.cluster, "Production", { pawl, name: "production", eks }).poll).toBeDefined();
});

test("one in another Stage is refused", () => {
  const { app, shared } = createStacks({ env }, { env });
  const pawl = new Pawl(shared, "Pawl");
  const stack = new Stack(new Stage(app, "Production"), "Cluster", { env });
  expect(() => new PawlCluster(stack, "Production", { pawl, name: "production", eks })).toThrow(
    "use Pawl.fromSettings",
  );
});

test("a metric is of the region and account of its stack", () => {
  const { cluster: stack } = createStacks({ env }, { env });
  const pawl = new Pawl(stack, "Pawl");
  const cluster = new PawlCluster(stack, "Production", { pawl, name: "production", eks });
  for (const metric of [cluster.metricPolls(), cluster.metricUpdates("success")])
    expect(metric).toMatchObject({ region: env.region, account: env.account });
});
