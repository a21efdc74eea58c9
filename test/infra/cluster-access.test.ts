import { describe, expect, test } from "vitest";
import { statementsOf } from "./policies.ts";
import { synthesise } from "./synthesised.ts";

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
      [role("apply-update"), ["pawl:updaters"], "prod"],
      [role("adopt-update"), ["pawl:updaters"], "prod"],
      [role("start-canary"), ["pawl:updaters"], "prod"],
      [role("check-canary"), ["pawl:pollers"], "prod"],
      [role("analyze-canary"), ["pawl:analysts"], "prod"],
      [role("check-readiness"), ["pawl:pollers"], "prod"],
      [role("record-success"), ["pawl:updaters"], "prod"],
      [role("roll-back"), ["pawl:updaters"], "prod"],
      [role("open-circuit"), ["pawl:recorders"], "prod"],
    ]);
  });

  test("where the stack is elsewhere, it says what to make instead", () => {
    const [, entry] = stack.ofType("AWS::EKS::AccessEntry")[0] ?? [];
    const here = String(entry?.Condition);
    expect(stack.template.findConditions("*")[here]).toEqual({
      "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-central-1"],
    });
    const { value, condition } = outputOf(stack, "ToDo");
    expect(value).toContain(
      "Make access entries on prod in eu-central-1 for <prod/Functions/record-check/Role.Arn> as pawl:recorders",
    );
    expect(stack.template.findConditions("*")[String(condition)]).toEqual({ "Fn::Not": [{ Condition: here }] });
  });

  test("asking EKS for the endpoint is allowed where it is not written, on that cluster alone", () => {
    expect(statementsOf(stack, stack.at("prod/Functions/poll/Role"))).toContain(
      "Allow eks:DescribeCluster on arn:<AWS::Partition>:eks:eu-central-1:<AWS::AccountId>:cluster/prod",
    );
    expect(statementsOf(stack, stack.at("prod/Functions/hand-over/Role")).join("\n")).not.toContain("eks:");
  });

  test("outside a VPC nothing may be done in one", () => {
    expect(statementsOf(stack, stack.at("prod/Functions/poll/Role")).join("\n")).not.toContain("ec2:");
    expect(stack.at("prod/Functions/poll/Function").Properties).not.toHaveProperty("VpcConfig");
  });
});

describe("a cluster of another account", () => {
  const roleArn = "arn:aws:iam::210987654321:role/pawl";
  const stack = deploy({ eks: { ...eks, assumeRoleArn: roleArn } });

  test("that one role may be assumed, and EKS is asked nothing in the function's own name", () => {
    const allowed = statementsOf(stack, stack.at("prod/Functions/apply-update/Role")).join("\n");
    expect(allowed).toContain(`Allow sts:AssumeRole on ${roleArn}`);
    expect(allowed).not.toContain("eks:");
  });

  test("no access entry is made; the output says which is needed", () => {
    expect(stack.ofType("AWS::EKS::AccessEntry")).toEqual([]);
    expect(outputOf(stack, "ToDo").value).toMatch(
      /^Give arn:aws:iam::210987654321:role\/pawl an access entry with the groups pawl:recorders, pawl:pollers, pawl:updaters, pawl:analysts; let it be assumed by <prod/,
    );
  });
});

test("a kubeconfig's user is to be bound to the groups", () => {
  const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-a1B2c3";
  const stack = deploy({ kubeconfig: { secretArn } });
  expect(stack.ofType("AWS::EKS::AccessEntry")).toEqual([]);
  expect(outputOf(stack, "ToDo").value).toBe(
    "Bind the user of the kubeconfig to the groups pawl:recorders, pawl:pollers, pawl:updaters, pawl:analysts",
  );
});
