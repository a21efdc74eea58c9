import { Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { Construct } from "constructs";
import { describe, expect, test, vi } from "vitest";
import { Pawl } from "../../infra/pawl.ts";
import { createPawlStacks } from "../../infra/pawl-stacks.ts";
import { createApp, parseConfig, type Resource, withoutValidation } from "./synthesized-stack.ts";

vi.setConfig({ testTimeout: 60_000 });

const eks = { clusterName: "prod", region: "eu-central-1" };
const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
const everything = { eks, nodePools: { runCommand: { instanceTag } }, releases: true, hooks: true, jobMetrics: true };
const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/x-a1B2c3";
const notifications = [{ kind: "slack", name: "team", secretArn }];

interface Stacks {
  readonly [name: string]: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

function stacksOf(input: object, region?: string): Stacks {
  const env = region === undefined ? {} : { env: { account: "123456789012", region } };
  const stacks = createPawlStacks(createApp(withoutValidation), parseConfig(input), env);
  return Object.fromEntries(stacks.map((stack) => [stack.stackName, Template.fromStack(stack).toJSON() as never]));
}

/** A name that the template gives to a resource, such as `AWS::Lambda::Function pawl-prod-poll`. */
function namesIn(stacks: Stacks, region: string): readonly string[] {
  return Object.values(stacks).flatMap(({ Resources = {} }) =>
    Object.values(Resources as Readonly<Record<string, Resource>>).flatMap(({ Type, Properties }) => {
      const name = nameOf(Type, Properties);
      return name === undefined ? [] : [`${Type} ${JSON.stringify(name).replaceAll('{"Ref":"AWS::Region"}', region)}`];
    }),
  );
}

const nameProperties = ["DashboardName", "RoleName", "BucketName", "PolicyName", "FunctionName", "StateMachineName"];
const otherNames = ["QueueName", "TopicName", "LogGroupName", "AlarmName", "LayerName"];

function nameOf(type: string, properties: Readonly<Record<string, unknown>>): unknown {
  const named = [...nameProperties, ...otherNames].map((property) => properties[property]);
  // These are named after the function, the machine or the log group that they belong to.
  if (
    /::Lambda::(Alias|Permission|Version|EventInvokeConfig|EventSourceMapping)$|StateMachineAlias$|MetricFilter$/.test(
      type,
    )
  )
    return undefined;
  if (type === "AWS::Scheduler::Schedule") return [properties["GroupName"], properties["Name"]];
  return named.find((name) => name !== undefined) ?? properties["Name"];
}

/** `pawl-a-b` could be cluster `a-b` of `pawl`, or `b` of `pawl-a`. */
const clusters = [
  { name: "a-b", ...everything },
  { name: "b", eks },
];

describe("the stacks of 25 clusters", () => {
  const names = [...Array(25).keys()].map((index) => `c${index}`);
  const stacks = stacksOf({ clusters: names.map((name) => ({ name, ...everything })) });

  test("are one for each, and one for what they share", () => {
    expect(Object.keys(stacks)).toEqual(["pawl", ...names.map((name) => `pawl-${name}`)]);
  });

  test("have at most 500 resources each", () => {
    for (const { Resources } of Object.values(stacks)) expect(Object.keys(Resources ?? {}).length).toBeLessThan(500);
  });

  test("have roles whose inline policies IAM accepts: 10,240 characters in sum", () => {
    for (const stack of Object.values(stacks)) {
      const resources = Object.values((stack["Resources"] ?? {}) as unknown as Readonly<Record<string, Resource>>);
      // What is attached to a role by its own resource would not be counted.
      const attached = resources.filter(({ Type }) => Type === "AWS::IAM::Policy");
      expect(attached).toEqual([]);
      const roles = resources.filter(({ Type }) => Type === "AWS::IAM::Role");
      for (const { Properties } of roles)
        expect(JSON.stringify(Properties["Policies"] ?? []).length).toBeLessThan(10_240);
    }
  });

  test("import nothing from each other", () => {
    const text = JSON.stringify(stacks);
    for (const reference of ["Fn::ImportValue", "Fn::GetStackOutput", '"Export"'])
      expect(text).not.toContain(reference);
  });
});

test.for([
  { clusters: [{ name: "a", eks }], limits: undefined, shares: { poll: null, "apply-update": null } },
  {
    clusters: [
      { name: "a", eks },
      { name: "b", eks, region: "eu-west-1" },
    ],
    limits: { maxConcurrent: 9, aws: { startsPerSecond: 10 } },
    shares: {
      poll: { maxConcurrent: 9, aws: { startsPerSecond: 10 } },
      "apply-update": { aws: { startsPerSecond: 10 } },
      "check-readiness": null,
    },
  },
  {
    clusters: ["a", "b", "c", "d"].map((name) => ({ name, eks })),
    limits: { maxConcurrent: 9, aws: { startsPerSecond: 10 } },
    shares: {
      poll: {
        maxConcurrent: 9,
        aws: { startsPerSecond: 2.5, describesPerSecond: 1, eventsPerSecond: 20 },
      },
      "poll-batch": { aws: { startsPerSecond: 0.156, describesPerSecond: 0.062, eventsPerSecond: 1.25 } },
      "continue-as-new": { aws: { startsPerSecond: 2.5, describesPerSecond: 1, eventsPerSecond: 20 } },
      "check-readiness": null,
    },
  },
])("$clusters.length clusters of a place share $limits: $shares", ({ clusters: several, limits, shares }) => {
  const { "pawl-a": stack = {} } = stacksOf({ clusters: several, limits });
  const resources = Object.values((stack["Resources"] ?? {}) as unknown as Readonly<Record<string, Resource>>);
  const functions = resources.filter(({ Type }) => Type === "AWS::Lambda::Function");
  const variables = functions.map(({ Properties }): [string, string | undefined] => {
    const { Variables = {} } = (Properties["Environment"] ?? {}) as { Variables?: Readonly<Record<string, string>> };
    return [String(Properties["FunctionName"]).replace("pawl-a-", ""), Variables["PAWL_LIMITS"]];
  });
  const found = Object.fromEntries(variables);
  const parsed = Object.keys(shares).map((handler) => [handler, JSON.parse(found[handler] ?? "null")]);
  expect(Object.fromEntries(parsed)).toMatchObject(shares);
});

test("each cluster's stack is deployed after the shared one, and after no other", () => {
  const app = createApp(withoutValidation);
  createPawlStacks(app, parseConfig({ clusters }));
  const stacks = app
    .synth()
    .stacks.map(({ id, dependencies }) => [
      id,
      dependencies.map((one) => one.id).filter((one) => !one.endsWith(".assets")),
    ]);
  expect(Object.fromEntries(stacks)).toEqual({
    pawl: [],
    "pawl-a-b": ["pawl"],
    "pawl-b": ["pawl"],
  });
});

describe("fifty clusters of twelve accounts and three regions, in four rings", () => {
  const fleet = [...Array(50).keys()].map((index) => {
    const region = ["eu-central-1", "eu-west-1", "us-east-1"][index % 3]!;
    return {
      name: `c${index}`,
      account: String(100_000_000_000 + (index % 12)),
      region,
      ring: Math.min(3, Math.floor(index / 4)),
      eks: { clusterName: "prod", region },
    };
  });
  const app = createApp(withoutValidation);
  createPawlStacks(app, parseConfig({ clusters: fleet }));
  const { stacks } = app.synth();

  test("have a shared stack in each place, and each its own there", () => {
    const places = stacks.map(({ stackName, environment }) => `${stackName} ${environment.name}`);
    expect(new Set(places).size).toBe(62);
    expect(stacks.filter(({ stackName }) => stackName === "pawl")).toHaveLength(12);
    for (const { stackName, environment } of stacks.filter((one) => one.stackName !== "pawl")) {
      const { account, region } = fleet.find(({ name }) => stackName === `pawl-${name}`)!;
      expect(environment).toMatchObject({ account, region });
      expect(places).toContain(`pawl ${environment.name}`);
    }
  });

  test("are deployed ring after ring, and those of one ring at once", () => {
    const ringOf = (id: string) => fleet.find(({ name }) => id === `pawl-${name}`)?.ring;
    const waits = stacks.flatMap(({ id, dependencies }) =>
      dependencies.map((before) => [ringOf(before.id), ringOf(id)]),
    );
    const ofRings = waits.filter(([before, after]) => before !== undefined && after !== undefined);
    expect(new Set(ofRings.map(([before, after]) => `${before} ${after}`))).toEqual(new Set(["0 1", "1 2", "2 3"]));
    // Each stack of a ring waits for each of the ring before: 4 x 4, 4 x 4, and 38 x 4.
    expect(ofRings).toHaveLength(16 + 16 + 38 * 4);
  });

  test("have templates far below what CloudFormation accepts: 1 MB and 500 resources", () => {
    const sizes = stacks.map(({ template }) => {
      const { Resources } = template as { Resources: object };
      return { bytes: JSON.stringify(template).length, resources: Object.keys(Resources).length };
    });
    const largest = (size: "bytes" | "resources") => Math.max(...sizes.map((one) => one[size]));
    expect(largest("bytes")).toBeGreaterThan(50_000);
    expect(largest("bytes")).toBeLessThan(200_000);
    expect(largest("resources")).toBeGreaterThan(100);
    expect(largest("resources")).toBeLessThan(200);
  });

  test("take 60 minutes of shifted traffic, beside what CloudFormation needs", () => {
    const cluster = stacks.find(({ stackName }) => stackName === "pawl-c0");
    const resources = Object.values((cluster!.template as { Resources: Record<string, Resource> }).Resources);
    const preference = resources.find(({ Type }) => Type === "AWS::StepFunctions::StateMachineAlias")!.Properties;
    const { Interval } = preference["DeploymentPreference"] as { Interval: number };
    expect(4 * Interval).toBe(60);
  });

  test("with a key or a topic of one region are refused", () => {
    const key = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
    expect(() => parseConfig({ clusters: fleet.slice(0, 4), encryptionKeyArn: key })).toThrow(
      "encryptionKeyArn: is in eu-central-1, and other regions have clusters (c1, c2); give them another configuration",
    );
    expect(parseConfig({ clusters: [fleet[0]!, fleet[3]!, { name: "d", eks }], encryptionKeyArn: key })).toBeTruthy();
    const ring = { clusters: [{ ...fleet[0]!, ring: 10 }] };
    expect(() => parseConfig(ring)).toThrow(/ring/);
  });
});

test.for([
  { region: "eu-cental-1", warns: true },
  { region: "eu-central-1", warns: false },
  { region: "us-gov-west-1", warns: false },
  { region: undefined, warns: false },
])("a region that is not known to have EventBridge Scheduler is named: $region, $warns", ({ region, warns }) => {
  const input = { clusters: [{ name: "a", ...(region && { region }), eks }] };
  const stacks = createPawlStacks(createApp(withoutValidation), parseConfig(input));
  const texts = warningsOf(stacks).filter((text) => text.includes("Scheduler"));
  const named = /^"region eu-cental-1: .*; check its name/;
  expect(texts.map((text) => named.test(text))).toEqual(warns ? [true] : []);
});

test.for([
  { region: "eu-west-1", warns: true },
  { region: "eu-central-1", warns: false },
  { region: undefined, warns: false },
])(
  "a stack that can create no access entries, because its region is not the cluster's, is named: $region, $warns",
  (given) => {
    const input = { clusters: [{ name: "a", ...(given.region && { region: given.region }), eks }] };
    const texts = warningsOf(createPawlStacks(createApp(withoutValidation), parseConfig(input)));
    const named = /^"cluster prod: .* the stack is in eu-west-1 and eks.region is eu-central-1; /;
    const ofAccess = texts.filter((text) => text.includes("access entries"));
    expect(ofAccess.map((text) => named.test(text))).toEqual(given.warns ? [true] : []);
  },
);

function warningsOf(stacks: readonly Stack[]): readonly string[] {
  const found = stacks.flatMap((stack) => Annotations.fromStack(stack).findWarning("*", Match.anyValue()));
  return found.map(({ entry }) => JSON.stringify(entry.data));
}

describe("pushes to the ECR of other accounts and regions", () => {
  const [hub, own] = [
    { account: "210987654321", region: "eu-central-1" },
    { account: "123456789012", region: "eu-central-1" },
  ];
  const places = [own, { account: "333333333333", region: "us-east-1" }];
  const registries = { ecrAccounts: [hub.account, own.account], ecrEvents: [hub, own] };
  const fleet = { registries, clusters: places.map((place, index) => ({ name: `c${index}`, ...place, eks })) };
  const synthesised = (input: object) => createPawlStacks(createApp(withoutValidation), parseConfig(input));
  const resourcesOf = (stack: Stack, type: string) =>
    Object.values(Template.fromStack(stack).findResources(type)).map(({ Properties }) => Properties as object);
  const stacks = synthesised(fleet);
  const named = (name: string) => stacks.filter(({ stackName }) => stackName === name);

  test("are sent to each place of clusters by a stack there, but to itself, and only what happened there", () => {
    const rules = named("pawl-EcrEvents").map((stack) => ({
      account: stack.account,
      texts: resourcesOf(stack, "AWS::Events::Rule").map((rule) => JSON.stringify(rule)),
    }));
    const to = ({ account, region }: typeof hub) => `:events:${region}:${account}:event-bus/default"`;
    expect(rules).toEqual([
      { account: hub.account, texts: places.map((place) => expect.stringContaining(to(place)) as string) },
      { account: own.account, texts: [expect.stringContaining(to(places[1]!))] },
    ]);
    for (const { account, texts } of rules)
      for (const text of texts) expect(text).toContain(`"account":["${account}"],"region":["eu-central-1"]`);
  });

  test("are sent by a stack that needs no bootstrap, with the rules of the account", () => {
    const ruled = synthesised({ ...fleet, roles: { permissionsBoundary: "limit" } });
    const stack = ruled.find(({ stackName }) => stackName === "pawl-EcrEvents");
    expect(JSON.stringify(resourcesOf(stack!, "AWS::IAM::Role"))).toContain(":policy/limit");
    expect(Template.fromStack(stack!).toJSON()).not.toHaveProperty("Parameters");
  });

  test("are what other accounts may send to the default bus, and nothing else", () => {
    const policies = named("pawl").map((stack) =>
      resourcesOf(stack, "AWS::Events::EventBusPolicy").map((policy) => policy as { Statement: object }),
    );
    const statements = policies.map((all) => all.map(({ Statement }) => Statement as { Sid: string }));
    expect(statements.map((all) => all.map(({ Sid }) => Sid))).toEqual([
      [`pawl-ecr-${hub.account}`],
      [`pawl-ecr-${hub.account}`, `pawl-ecr-${own.account}`],
    ]);
    for (const statement of statements.flat())
      expect(statement).toMatchObject({
        Action: "events:PutEvents",
        Condition: { StringEquals: { "events:source": ["aws.ecr"], "events:detail-type": ["ECR Image Action"] } },
      });
  });

  test.for([
    {
      when: "a cluster's place is unknown",
      input: { ...fleet, clusters: [{ name: "c0", account: own.account, eks }] },
      message: "registries.ecrEvents: the account or region of a cluster is unknown; set both of each cluster",
    },
    {
      when: "the account is not read",
      input: { ...fleet, registries: { ecrEvents: [hub] } },
      message: `registries.ecrEvents[0].account: ${hub.account} is not in registries.ecrAccounts`,
    },
    {
      when: "one is there twice",
      input: { ...fleet, registries: { ...registries, ecrEvents: [hub, hub] } },
      message: "registries.ecrEvents[1]: ",
    },
    {
      when: "two clusters of different accounts have one name",
      input: { ...fleet, clusters: fleet.clusters.map((one) => ({ ...one, name: "c" })) },
      message: 'clusters[1].name: "c" is a duplicate of [0].name',
    },
  ])("are refused if $when", ({ input, message }) => {
    expect(() => synthesised(input)).toThrow(message);
  });
});

test("a cluster's stack is the same with and without other clusters", () => {
  const alone = stacksOf({ clusters: clusters.slice(0, 1) });
  expect(stacksOf({ clusters })["pawl-a-b"]).toEqual(alone["pawl-a-b"]);
});

describe("two deployments have no name in common", () => {
  const one = namesIn(stacksOf({ clusters, notifications }), "eu-west-1");
  const otherStacks = stacksOf({ prefix: "pawla", clusters, notifications });
  const duplicates = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => others.includes(name));

  test("with different prefixes in one region", () => {
    const other = namesIn(otherStacks, "eu-west-1");
    expect(one.length).toBeGreaterThan(100);
    expect(duplicates(one, other)).toEqual([]);
    expect(other.filter((name) => /"pawl"|\bpawl-/.test(name))).toEqual([]);
  });

  test("in two regions with one prefix, of the types whose names are global in an account", () => {
    const global = /^AWS::(CloudWatch::Dashboard|IAM::(Role|ManagedPolicy)|S3::Bucket) /;
    const namesOf = (region: string) =>
      namesIn(stacksOf({ clusters: clusters.slice(0, 1) }, region), region).filter((name) => global.test(name));
    expect(namesOf("eu-west-1")).toEqual(['AWS::CloudWatch::Dashboard "pawl-eu-west-1"']);
    expect(namesOf("us-east-1")).toEqual(['AWS::CloudWatch::Dashboard "pawl-us-east-1"']);
  });

  test("nor a metric, which the alarms of both would count", () => {
    const namespaces = JSON.stringify(otherStacks).matchAll(/"(?:Namespace|MetricNamespace)":"(Pawl[^"]*)"/g);
    const names = [...namespaces].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !name.startsWith("Pawl/pawla"))).toEqual([]);
  });

  test("nor does one have a name twice", () => {
    expect(one.filter((name, index) => one.indexOf(name) !== index)).toEqual([]);
  });
});

test.for(["Pawl", "a-b", "1a", "abcdefghijklm", ""])("the prefix %j is refused", (prefix) => {
  expect(() => parseConfig({ prefix, clusters })).toThrow(/^prefix: .*starting with a letter$/);
});

test("the names of functions fit into 64 characters with the longest prefix and cluster", () => {
  const longest = stacksOf({ prefix: "p".repeat(12), clusters: [{ name: "c".repeat(24), ...everything }] });
  const names = namesIn(longest, "ap-southeast-1").filter((name) => name.startsWith("AWS::Lambda::Function "));
  const lengths = names.map((name) => (JSON.parse(name.replace(/^\S+ /, "")) as string).length);
  expect(Math.max(...lengths)).toBeGreaterThan(50);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
});

test("the dashboard has room for any number of clusters: one more for every 40", () => {
  const stack = new Stack(createApp(withoutValidation), "pawl");
  const pawl = new Pawl(stack, "Pawl");
  for (const index of Array(41).keys()) {
    const cluster = { prefix: "pawl", name: `c${index}`, nodePools: {} };
    pawl.addCluster(new Construct(stack, cluster.name), cluster);
  }
  const dashboards = Object.values(Template.fromStack(stack).findResources("AWS::CloudWatch::Dashboard"));
  expect(dashboards).toHaveLength(2);
  for (const dashboard of dashboards)
    expect(JSON.stringify(dashboard).match(/\\"type\\":/g)?.length).toBeLessThanOrEqual(500);
});
