import { describe, expect, test } from "vitest";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { statementsOf } from "./policies.ts";
import { synthesise } from "./synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const deploy = (access: object) => synthesise({ clusters: [{ name: "prod", ...access }] });
const outputOf = ({ template, render }: ReturnType<typeof deploy>, name: string) => {
  const [, output] = Object.entries(template.findOutputs("*")).find(([id]) => id.includes(name)) ?? [];
  return { value: render(output?.["Value"]), condition: output?.["Condition"] as string | undefined };
};

describe("an EKS cluster", () => {
  const stack = deploy({ eks });

  test("each function's role gets an access entry with its group", () => {
    const entries = stack
      .ofType("AWS::EKS::AccessEntry")
      .map(([, { Properties: entry }]) => [
        stack.render(entry["PrincipalArn"]),
        entry["KubernetesGroups"],
        entry["ClusterName"],
      ]);
    const role = (handler: string) => `<prod/Functions/${handler}/Role.Arn>`;
    expect(entries).toEqual([
      [role("record-check"), ["pawl:recorders"], "prod"],
      [role("poll"), ["pawl:pollers"], "prod"],
      [role("poll-batch"), ["pawl:pollers"], "prod"],
      [role("collect-batches"), ["pawl:pollers"], "prod"],
      [role("apply-update"), ["pawl:updaters"], "prod"],
      [role("adopt-update"), ["pawl:updaters"], "prod"],
      [role("start-canary"), ["pawl:updaters"], "prod"],
      [role("check-canary"), ["pawl:analysts"], "prod"],
      [role("analyze-canary"), ["pawl:analysts"], "prod"],
      [role("check-readiness"), ["pawl:analysts"], "prod"],
      [role("roll-pod"), ["pawl:evictors"], "prod"],
      [role("analyze-rollout"), ["pawl:analysts"], "prod"],
      [role("record-success"), ["pawl:updaters"], "prod"],
      [role("roll-back"), ["pawl:updaters"], "prod"],
      [role("check-rollback"), ["pawl:updaters"], "prod"],
      [role("open-circuit"), ["pawl:recorders"], "prod"],
    ]);
  });

  test.for([
    { features: { hooks: true }, runners: ["run-hook", "check-hook"] },
    { features: { jobMetrics: true }, runners: ["analyze-canary", "analyze-rollout"] },
    {
      features: { hooks: true, jobMetrics: true },
      runners: ["run-hook", "check-hook", "analyze-canary", "analyze-rollout"],
    },
  ])("only functions that create Jobs may: $features", ({ features, runners }) => {
    const hooked = synthesise({ clusters: [{ name: "prod", eks, ...features }] });
    const groups = hooked
      .ofType("AWS::EKS::AccessEntry")
      .map(([, { Properties: entry }]) => [hooked.render(entry["PrincipalArn"]), entry["KubernetesGroups"]] as const)
      .filter(([, found]) => (found as readonly string[]).includes("pawl:hook-runners"));
    expect(groups).toEqual(
      runners.map((handler) => [
        `<prod/Functions/${handler}/Role.Arn>`,
        [...(handler.startsWith("analyze") ? ["pawl:analysts"] : []), "pawl:hook-runners"],
      ]),
    );
  });

  test("a stack in another region outputs the entries to create", () => {
    const [, entry] = stack.ofType("AWS::EKS::AccessEntry")[0] ?? [];
    const here = String(entry?.Condition);
    expect(stack.template.findConditions("*")[here]).toEqual({
      "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-central-1"],
    });
    const { value, condition } = outputOf(stack, "RequiredAccessEntries");
    expect(value).toContain(
      "Create access entries on prod in eu-central-1 for <prod/Functions/record-check/Role.Arn> as pawl:recorders",
    );
    expect(stack.template.findConditions("*")[String(condition)]).toEqual({ "Fn::Not": [{ Condition: here }] });
  });

  test("DescribeCluster is allowed on this cluster only, if the endpoint is not configured", () => {
    expect(statementsOf(stack, stack.at("prod/Functions/poll/Role"))).toContain(
      "Allow eks:DescribeCluster on arn:<AWS::Partition>:eks:eu-central-1:<AWS::AccountId>:cluster/prod",
    );
    expect(statementsOf(stack, stack.at("prod/Functions/continue-as-new/Role")).join("\n")).not.toContain("eks:");
  });

  test("without a VPC, no function has permissions for one", () => {
    expect(statementsOf(stack, stack.at("prod/Functions/poll/Role")).join("\n")).not.toContain("ec2:");
    expect(stack.at("prod/Functions/poll/Function").Properties).not.toHaveProperty("VpcConfig");
  });
});

describe("a cluster of another account", () => {
  const roleArn = "arn:aws:iam::210987654321:role/pawl";
  const externalId = "x".repeat(1224);
  const stack = deploy({
    eks: { ...eks, assumeRoleArn: roleArn, externalId },
    nodePools: {},
    releases: true,
    hooks: true,
  });

  test("functions may assume only that role, and have no EKS permissions", () => {
    const allowed = statementsOf(stack, stack.at("prod/Functions/apply-update/Role")).join("\n");
    expect(allowed).toContain(`Allow sts:AssumeRole on ${roleArn}`);
    expect(allowed).not.toContain("eks:");
  });

  test("no access entry is created; the output describes it", () => {
    expect(stack.ofType("AWS::EKS::AccessEntry")).toEqual([]);
    expect(outputOf(stack, "RequiredAccessEntries").value).toMatch(
      /^Create an access entry for arn:aws:iam::210987654321:role\/pawl with the groups pawl:recorders, pawl:pollers, .*; its trust policy: \{/,
    );
  });
});

test("the trust policy of that role allows the functions of the cluster, and fits with the longest names", () => {
  const name = "c".repeat(24);
  const access = {
    eks: { ...eks, assumeRoleArn: "arn:aws:iam::210987654321:role/pawl", externalId: "x".repeat(1224) },
  };
  const stack = synthesise({ prefix: "p".repeat(12), clusters: [{ name, ...access, nodePools: {}, releases: true }] });
  const { value = "" } = outputOf(stack, "RequiredAccessEntries") as { value?: string };
  const policy = value.slice(value.indexOf("{"));
  const { Statement } = JSON.parse(policy) as { Statement: readonly { Condition: object }[] };
  expect(Statement[0]?.Condition).toEqual({
    ArnLike: {
      "aws:PrincipalArn": `arn:<AWS::Partition>:iam::<AWS::AccountId>:role*/pppppppppppp/<AWS::Region>/${name}/*`,
    },
    StringEquals: { "sts:ExternalId": "x".repeat(1224) },
  });
  // IAM allows 2,048 characters. The longest partition is aws-iso-e, the longest region ap-southeast-1.
  expect(policy.length).toBeLessThan(2048);
  const roles = stack
    .ofType("AWS::IAM::Role")
    .filter(([, { Properties }]) => JSON.stringify(Properties).includes("lambda.amazonaws.com"));
  expect(roles).toHaveLength(stack.ofType("AWS::Lambda::Function").length);
  for (const [, { Properties }] of roles)
    expect(stack.render(Properties["Path"])).toBe(`/pppppppppppp/<AWS::Region>/${name}/`);
});

test("the output describes how to bind a kubeconfig's user to the groups", () => {
  const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-a1B2c3";
  const stack = deploy({ kubeconfig: { secretArn } });
  expect(stack.ofType("AWS::EKS::AccessEntry")).toEqual([]);
  expect(outputOf(stack, "RequiredAccessEntries").value).toBe(
    "Bind the user of the kubeconfig to the groups pawl:recorders, pawl:pollers, pawl:updaters, pawl:analysts, pawl:evictors",
  );
});

test("the functions that start updates read the peers, and no other does", () => {
  const assumeRoleArn = "arn:aws:iam::210987654321:role/pawl-peers";
  const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-a1B2c3";
  const peers = [
    { name: "stage", eks: { clusterName: "stage", region: "eu-central-1" } },
    { name: "test", eks: { clusterName: "test", region: "eu-central-1", assumeRoleArn } },
    { name: "edge", kubeconfig: { secretArn } },
  ];
  const stack = deploy({ eks, peers });
  const readers = ["poll", "poll-batch", "apply-update", "start-canary"];
  const entries = stack
    .ofType("AWS::EKS::AccessEntry")
    .map(([, { Properties: entry }]) => [stack.render(entry["PrincipalArn"]), entry] as const)
    .filter(([, { ClusterName: name }]) => name === "stage");
  expect(entries.map(([role, { KubernetesGroups: groups }]) => [role, groups])).toEqual(
    readers.map((handler) => [`<prod/Functions/${handler}/Role.Arn>`, ["pawl:peers"]]),
  );
  const stage = "arn:<AWS::Partition>:eks:eu-central-1:<AWS::AccountId>:cluster/stage";
  for (const handler of [...readers, "check-readiness", "roll-back", "record-check"]) {
    const statements = statementsOf(stack, stack.at(`prod/Functions/${handler}/Role`));
    const rights = [
      `Allow eks:DescribeCluster on ${stage}`,
      `Allow sts:AssumeRole on ${assumeRoleArn}`,
      `Allow secretsmanager:GetSecretValue on ${secretArn}`,
    ];
    const isReader = readers.includes(handler);
    expect(statements.filter((one) => rights.includes(one))).toEqual(isReader ? rights : []);
    const { Variables } = stack.at(`prod/Functions/${handler}/Function`).Properties["Environment"] as {
      readonly Variables: Readonly<Record<string, string>>;
    };
    const read = readSettings(Variables).peers;
    expect(read.map(({ name, access }) => [name, access.kind])).toEqual(
      isReader
        ? [
            ["stage", "eks"],
            ["test", "eks"],
            ["edge", "secret"],
          ]
        : [],
    );
  }
});
