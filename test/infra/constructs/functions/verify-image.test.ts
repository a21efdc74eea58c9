import { generateKeyPairSync } from "node:crypto";
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { statementsOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));
const key = join(folder, "release.pub");
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
writeFileSync(key, publicKey.export({ type: "spki", format: "pem" }));

const example = parse(readFileSync("infra/config/pawl.example.json", "utf8")) as object;
const verify = [{ repositories: ["ghcr.io/shop/*"], any: [{ key, transparencyLog: "optional" }] }];
const stack = synthesise({ ...example, verify });
const { at, ofType, render, template } = stack;
const path = "production/Functions/verify-image";

function definitionOf(resources: { readonly template: { toJSON(): object } }): string {
  return JSON.stringify(resources.template.toJSON());
}

function environmentOf(handler: string): Record<string, string> {
  const { Variables } = at(`production/Functions/${handler}/Function`).Properties["Environment"] as {
    Variables: Record<string, unknown>;
  };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, render(value)]));
}

describe("verify-image", () => {
  test("reads registries, and has no right in a cluster", () => {
    const statements = statementsOf(stack, at(`${path}/Role`)).map((one) => one.replace(/ on .*/, ""));
    expect(statements.filter((one) => /eks|sts:AssumeRole|states|lambda|events|s3/.test(one))).toEqual([]);
    expect(statements).toContain("Allow ecr:GetDownloadUrlForLayer");
    const entries = ofType("AWS::EKS::AccessEntry").filter(([entry]) => entry.includes("verify-image"));
    expect(entries).toEqual([]);
  });

  test("has the rules in a file, and knows no cluster access", () => {
    const environment = environmentOf("verify-image");
    expect(environment["PAWL_VERIFY_FILE"]).toBe("/opt/verify.json");
    expect(Object.keys(environment).filter((name) => /EKS|KUBECONFIG|STATE_MACHINE|RECORD/.test(name))).toEqual([]);
    expect(at(`${path}/Function`).Properties["Layers"]).toHaveLength(1);
  });

  test("runs where the polls reach registries", () => {
    const network = at("production/Functions/poll/Function").Properties["VpcConfig"];
    expect(at(`${path}/Function`).Properties["VpcConfig"]).toEqual(network);
  });

  test.for(["poll", "poll-batch"])("is asked by %s, which knows only what the rules are for", (handler) => {
    const environment = environmentOf(handler);
    expect(environment["PAWL_VERIFY_FUNCTION"]).toBe(`<${path}/Live>`);
    const scopes = [{ repositories: ["ghcr.io/shop"], namespaces: null, mode: "enforce" }];
    expect(JSON.parse(environment["PAWL_VERIFY_SCOPES"] ?? "")).toEqual(scopes);
    expect(statementsOf(stack, at(`production/Functions/${handler}/Role`))).toContain(
      `Allow lambda:InvokeFunction on <${path}/Live>`,
    );
  });

  const writers = [
    "apply-update",
    "adopt-update",
    "start-canary",
    "record-success",
    "roll-back",
    "check-rollback",
    "analyze-canary",
    "analyze-rollout",
  ];
  test.for(writers)("is asked by %s about each image that it writes", (handler) => {
    const environment = environmentOf(handler);
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(["PAWL_VERIFY_FUNCTION", "PAWL_VERIFY_SCOPES"]));
    expect(statementsOf(stack, at(`production/Functions/${handler}/Role`))).toContain(
      `Allow lambda:InvokeFunction on <${path}/Live>`,
    );
  });

  test("is a Task of the machine", () => {
    expect(definitionOf({ template })).toContain("VerifyImageArn");
  });
});

test("may ask ECR whether it has signed an image only if a rule says so", () => {
  const profiles = ["arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release"];
  const asking = synthesise({
    ...example,
    verify: [{ repositories: ["*.dkr.ecr.*.amazonaws.com"], any: [{ ecrSigning: { profiles } }] }],
  });
  const rightsIn = (of: typeof stack, handler: string) =>
    statementsOf(of, of.at(`production/Functions/${handler}/Role`)).filter((one) =>
      one.includes("DescribeImageSigningStatus"),
    );
  const rights = rightsIn(asking, "verify-image");
  expect(rights).not.toEqual([]);
  expect(rights.filter((one) => !/ on arn:<AWS::Partition>:ecr:\*:.*:repository\//.test(one))).toEqual([]);
  expect([...rightsIn(stack, "verify-image"), ...rightsIn(asking, "poll")]).toEqual([]);
});

describe("a trusted root", () => {
  const root = join(folder, "trusted_root.json");
  writeFileSync(
    root,
    JSON.stringify({
      mediaType: "",
      tlogs: [],
      certificateAuthorities: [{ uri: "https://fulcio" }],
      ctlogs: [],
      timestampAuthorities: [],
    }),
  );
  const keyless = { repository: "shop/web", ref: "refs/heads/main", trustedRoot: { file: root, date: "2026-10-01" } };
  const aged = synthesise({ ...example, verify: [{ repositories: ["ghcr.io/shop"], any: [{ keyless }] }] });

  test("that is older than 90 days is an alarm, by the date that polls report", () => {
    expect(aged.at("production/Alarms/trusted-root-old").Properties).toMatchObject({
      MetricName: "pawl_trusted_root_age_days",
      Threshold: 91,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "ignore",
    });
    const { Variables } = aged.at("production/Functions/poll/Function").Properties["Environment"] as {
      Variables: Record<string, unknown>;
    };
    expect(Variables["PAWL_TRUSTED_ROOT_DATE"]).toBe("2026-10-01");
  });

  test("is no alarm of a cluster whose rules have none", () => {
    const alarms = ofType("AWS::CloudWatch::Alarm").filter(([name]) => name.endsWith("trusted-root-old"));
    expect([alarms, environmentOf("poll")["PAWL_TRUSTED_ROOT_DATE"]]).toEqual([[], undefined]);
  });
});

test("without rules there is no such function, and VerifyImage is a Pass", () => {
  const without = synthesise();
  expect(without.ofType("AWS::Lambda::Function").filter(([name]) => name.includes("verify-image"))).toEqual([]);
  expect(definitionOf(without)).not.toContain("VerifyImageArn");
});
