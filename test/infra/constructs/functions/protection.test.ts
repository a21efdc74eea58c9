import { describe, expect, test } from "vitest";
import { statementsOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
const codeSigningConfigArn = "arn:aws:lambda:eu-central-1:123456789012:code-signing-config:csc-0123456789abcdef0";
const clusters = [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" }, nodePools: {} }];

const plain = synthesise({ clusters });
const inPath = { path: "/pawl/", permissionsBoundary: "org/boundary" };
const protectedStack = synthesise({ clusters, retainLogs: true, encryptionKeyArn: keyArn, codeSigningConfigArn });

describe("a stack with a customer key, signed code and retained logs", () => {
  test.for([
    { type: "AWS::Logs::LogGroup", property: "KmsKeyId" },
    { type: "AWS::SQS::Queue", property: "KmsMasterKeyId" },
    { type: "AWS::SNS::Topic", property: "KmsMasterKeyId" },
  ])("encrypts every $type with the key", ({ type, property }) => {
    const keys = protectedStack.ofType(type).map(([, { Properties }]) => Properties[property]);
    expect(keys.length).toBe(plain.ofType(type).length);
    expect([...new Set(keys)]).toEqual([keyArn]);
    expect(plain.ofType(type).some(([, { Properties }]) => Properties[property] === keyArn)).toBe(false);
  });

  test("creates no key", () => {
    expect(protectedStack.ofType("AWS::KMS::Key")).toEqual([]);
  });

  test("requires a signature of every function's code", () => {
    const configs = protectedStack
      .ofType("AWS::Lambda::Function")
      .map(([, one]) => one.Properties["CodeSigningConfigArn"]);
    expect([...new Set(configs)]).toEqual([codeSigningConfigArn]);
    expect(configs.length).toBeGreaterThan(10);
  });

  test.for([
    { stack: protectedStack, policy: "Retain" },
    { stack: plain, policy: "Delete" },
  ])("keeps or deletes its log groups with the stack: $policy", ({ stack, policy }) => {
    const policies = stack.ofType("AWS::Logs::LogGroup").map(([, { DeletionPolicy }]) => DeletionPolicy);
    expect([...new Set(policies)]).toEqual([policy]);
  });

  test.for(["prod/Functions/poll/Role", "prod/Schedule/Role"])("lets %s encrypt what it sends to its queue", (path) => {
    const encrypt = `Allow kms:Decrypt, kms:GenerateDataKey on ${keyArn}`;
    expect(statementsOf(protectedStack, protectedStack.at(path))).toContain(encrypt);
    expect(statementsOf(plain, plain.at(path)).filter((line) => line.includes("kms:"))).toEqual([]);
  });
});

describe("the rights on ECR", () => {
  const repositories = (registries: object) => {
    const stack = synthesise({ clusters, registries });
    return statementsOf(stack, stack.at("prod/Functions/poll/Role")).filter((line) => line.includes("ecr:ListImages"));
  };

  test("cover all repositories by default", () => {
    expect(repositories({})).toEqual([
      "Allow ecr:BatchGetImage, ecr:DescribeImageScanFindings, ecr:DescribeImages, ecr:ListImages on arn:<AWS::Partition>:ecr:*:<AWS::AccountId>:repository/*",
    ]);
  });

  test("are limited to the prefixes in each account", () => {
    const [statement = ""] = repositories({
      ecrAccounts: ["123456789012", "210987654321"],
      ecrRepositoryPrefixes: ["shop/", "base"],
    });
    expect(statement.replace(/^.* on /, "").split(", ")).toEqual([
      "arn:<AWS::Partition>:ecr:*:123456789012:repository/base*",
      "arn:<AWS::Partition>:ecr:*:123456789012:repository/shop/*",
      "arn:<AWS::Partition>:ecr:*:210987654321:repository/base*",
      "arn:<AWS::Partition>:ecr:*:210987654321:repository/shop/*",
    ]);
  });
});

test("the poll may read the secret of each login, and no other", () => {
  const secret = (name: string) => `arn:aws:secretsmanager:eu-central-1:123456789012:secret:${name}-a1B2c3`;
  const logins = [{ secretArn: secret("shop"), namespaces: ["shop"] }, { secretArn: secret("own") }];
  const stack = synthesise({ clusters, registries: { secretArn: secret("own"), logins } });
  const reading = statementsOf(stack, stack.at("prod/Functions/poll/Role")).filter((one) =>
    one.includes("secretsmanager"),
  );
  expect(reading).toEqual([`Allow secretsmanager:GetSecretValue on ${secret("own")}, ${secret("shop")}`]);
});

test("each role has the path and the boundary of the account, and each resource the tags", () => {
  const ruled = synthesise({ clusters, tags: { team: "platform" }, roles: inPath });
  const roles = ruled.ofType("AWS::IAM::Role").map(([, { Properties }]) => Properties);
  expect(roles.length).toBe(plain.ofType("AWS::IAM::Role").length);
  for (const { Path, PermissionsBoundary } of roles) {
    expect(ruled.render(Path)).toMatch(/^\/pawl\/(pawl\/.*\/prod\/)?$/);
    expect(ruled.render(PermissionsBoundary)).toMatch(/^arn:.*:iam::.*:policy\/org\/boundary$/);
  }
  for (const type of [
    "AWS::Lambda::Function",
    "AWS::SQS::Queue",
    "AWS::Logs::LogGroup",
    "AWS::StepFunctions::StateMachine",
  ])
    for (const [path, { Properties }] of ruled.ofType(type))
      expect(Properties["Tags"], path).toContainEqual({ Key: "team", Value: "platform" });
  expect(plain.ofType("AWS::IAM::Role").some(([, { Properties }]) => "PermissionsBoundary" in Properties)).toBe(false);
});

test("every log group has the class in which CloudWatch extracts metrics", () => {
  for (const [path, { Properties }] of plain.ofType("AWS::Logs::LogGroup"))
    expect(Properties["LogGroupClass"] ?? "STANDARD", path).toBe("STANDARD");
});

test.for(["cn-north-1", "us-gov-west-1"])("a template for %s names no other partition", (region) => {
  const one = { ...clusters[0], region, account: "123456789012" };
  const { template } = synthesise({ clusters: [one] });
  const text = JSON.stringify(template.toJSON());
  expect(text).not.toContain("arn:aws:");
  expect(text).toContain('{"Ref":"AWS::Partition"}');
});
