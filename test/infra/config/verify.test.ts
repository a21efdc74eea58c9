import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compileRules, oldestRootDate, scopesOf, usesEcrSigning } from "../../../infra/config/compile-verify.ts";
import { readConfig } from "../../../infra/config/read-config.ts";
import { readKmsKeys } from "../../../infra/config/read-kms-keys.ts";
import { trustedRootProblem } from "../../../infra/config/verify-files.ts";
import { readRules } from "../../../functions/runtime/read-rules.ts";

const profile = "arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release";

const folder = mkdtempSync(join(tmpdir(), "pawl-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicPem = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const privatePem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const kmsKeyArn = "arn:aws:kms:eu-central-1:123456789012:key/1234";
const pub = file("release.pub", publicPem);
const secret = file("release.key", privatePem);
const validFor = (end?: string) => ({ start: "2020-01-01T00:00:00Z", ...(end === undefined ? {} : { end }) });
const rootOf = (end?: string) =>
  JSON.stringify({
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [{ publicKey: { validFor: validFor(end) } }],
    certificateAuthorities: [{ validFor: validFor(end) }],
  });
const root = { file: file("root.json", rootOf()), date: "2026-11-20" };
const expired = { ...root, file: file("expired.json", rootOf("2021-01-01T00:00:00Z")) };
const keyRule = { repositories: ["ghcr.io/shop/*"], any: [{ key: pub, transparencyLog: "optional" }] };
const keyless = (own: object) => ({ ...keyRule, any: [{ keyless: { trustedRoot: root, ...own } }] });
const eks = { clusterName: "prod", region: "eu-central-1" };

function readVerify(...verify: readonly unknown[]) {
  return readConfig({ clusters: [{ name: "prod", eks }], verify }, { allowsPlaceholders: true });
}

function rulesOf(...verify: readonly unknown[]) {
  const reading = readVerify(...verify);
  if (reading.kind === "invalid") throw new Error(reading.problems.join("\n"));
  return reading.config.verify;
}

describe("a rule with a problem is not deployed", () => {
  test.for<{ when: string; rule: unknown; problem: string }>([
    { when: "no authority", rule: { repositories: ["ghcr.io/shop"] }, problem: "verify[0].any: is missing" },
    { when: "an empty list", rule: { ...keyRule, any: [] }, problem: "verify[0].any" },
    { when: "no repository", rule: { ...keyRule, repositories: [] }, problem: "verify[0].repositories" },
    { when: "a pattern", rule: { ...keyRule, repositories: ["https://ghcr.io"] }, problem: "host[:port][/path]" },
    {
      when: "a private key",
      rule: { ...keyRule, any: [{ key: secret, transparencyLog: "optional" }] },
      problem: "is a private key",
    },
    {
      when: "a key that cannot be parsed",
      rule: { ...keyRule, any: [{ key: root.file, transparencyLog: "optional" }] },
      problem: "is not a public key",
    },
    {
      when: "no such file",
      rule: { ...keyRule, any: [{ key: "none.pub", transparencyLog: "optional" }] },
      problem: '"none.pub" does not exist',
    },
    {
      when: "a key with a log of no root",
      rule: { ...keyRule, any: [{ key: pub }] },
      problem: "any[0].trustedRoot: is missing",
    },
    { when: "no issuer", rule: keyless({ identity: "release@shop.test" }), problem: "issuer: is missing" },
    { when: "no identity", rule: keyless({ issuer: "https://issuer" }), problem: "identity and issuer" },
    { when: "both", rule: keyless({ identity: "a@b.c", repository: "shop/web" }), problem: "identity and issuer" },
    { when: "no reference", rule: keyless({ repository: "shop/web" }), problem: "ref: is missing" },
    {
      when: "an identity that is not anchored",
      rule: keyless({ identity: "https://.*", issuer: "https://issuer" }),
      problem: "is not anchored",
    },
    {
      when: "an expired root",
      rule: keyless({ identity: "a@b.c", issuer: "https://issuer", trustedRoot: expired }),
      problem: "has expired",
    },
    {
      when: "no root",
      rule: keyless({ identity: "a@b.c", issuer: "https://issuer", trustedRoot: { ...root, file: pub } }),
      problem: "is not a trusted root",
    },
    {
      when: "a root that is missing",
      rule: keyless({ identity: "a@b.c", issuer: "https://issuer", trustedRoot: { ...root, file: "none" } }),
      problem: "does not exist",
    },
    {
      when: "no date",
      rule: keyless({ identity: "a@b.c", issuer: "https://issuer", trustedRoot: { ...root, date: "2026-13-01" } }),
      problem: "is not a date",
    },
    {
      when: "a predicate",
      rule: { ...keyRule, attestations: [{ predicateType: "slsa", any: keyRule.any }] },
      problem: '"slsa" is no predicate type',
    },
    {
      when: "a profile with its version",
      rule: { ...keyRule, any: [{ ecrSigning: { profiles: [`${profile}/v1`] } }] },
      problem: "without its version",
    },
    {
      when: "an attestation by ECR",
      rule: {
        ...keyRule,
        attestations: [{ predicateType: "spdxjson", any: [{ ecrSigning: { profiles: [profile] } }] }],
      },
      problem: "ECR makes no attestations",
    },
    { when: "a field", rule: { ...keyRule, modes: "warn" }, problem: "modes: is not a known field" },
  ])("$when", ({ rule, problem }) => {
    const reading = readVerify(rule);
    const problems = reading.kind === "invalid" ? reading.problems : [];
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain(privatePem.split("\n")[1]);
  });
});

describe("rules", () => {
  const all = rulesOf(
    { ...keyRule, namespaces: ["shop"] },
    {
      ...keyless({ repository: "shop/web", workflow: "release.yml", ref: "refs/heads/main" }),
      attestations: [{ predicateType: "slsaprovenance1", any: keyRule.any, builder: "https://builder" }],
      mode: "warn",
    },
    keyless({ identity: "release@shop.test", issuer: "https://issuer", trustedRoot: { ...root, date: "2026-10-01" } }),
  );

  test("are for patterns without a star, in some namespaces or all", () => {
    expect(scopesOf(all)).toEqual([
      { repositories: ["ghcr.io/shop"], namespaces: ["shop"], mode: "enforce" },
      { repositories: ["ghcr.io/shop"], namespaces: null, mode: "warn" },
      { repositories: ["ghcr.io/shop"], namespaces: null, mode: "enforce" },
    ]);
  });

  test("are read by the function with the content of their files", () => {
    const rules = readRules(file("verify.json", JSON.stringify(compileRules(all))));
    const identity = "https://github.com/shop/web/.github/workflows/release.yml@refs/heads/main";
    expect(rules.map(({ requirements }) => requirements)).toMatchObject([
      [
        {
          predicateType: "https://sigstore.dev/cosign/sign/v1",
          any: [
            { kind: "key", name: "release.pub", publicKey: publicPem, transparencyLog: "optional", trustedRoot: null },
          ],
        },
      ],
      [
        {
          any: [
            {
              kind: "keyless",
              identity,
              issuer: "https://token.actions.githubusercontent.com",
              trustedRoot: { tlogs: [{}] },
            },
          ],
        },
        { predicateType: "https://slsa.dev/provenance/v1", builder: "https://builder" },
      ],
      [{ any: [{ identity: "release@shop.test", issuer: "https://issuer" }] }],
    ]);
  });

  test("accept the word of ECR, which the function asks only then", () => {
    const rules = rulesOf({ ...keyRule, any: [{ ecrSigning: { profiles: [profile] } }] });
    const read = readRules(file("ecr.json", JSON.stringify(compileRules(rules))));
    expect(read[0]?.requirements[0]?.any).toEqual([{ kind: "ecr", profiles: [profile] }]);
    expect([usesEcrSigning(rules), usesEcrSigning(all), oldestRootDate(rules)]).toEqual([true, false, null]);
  });

  test("know their oldest root", () => {
    expect(oldestRootDate(all)).toBe("2026-10-01");
    expect(oldestRootDate(rulesOf(keyRule))).toBeNull();
  });

  test.for(["{", "[{}]", ""])("that are no rules stop the function: %s", (text) => {
    expect(() => readRules(file("broken.json", text))).toThrow("has no valid rules");
    expect(() => readRules(join(folder, "missing.json"))).toThrow("has no valid rules");
  });
});

describe("a key of KMS", () => {
  const rule = { ...keyRule, any: [{ key: { kmsKeyArn }, transparencyLog: "optional" }] };
  const config = { clusters: [{ name: "prod", eks }], verify: [rule] } as never;

  test("is read at the deployment", () => {
    const der = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const asked: string[] = [];
    const read = readKmsKeys(config, (arn) => {
      asked.push(arn);
      return der;
    });
    expect(asked).toEqual([kmsKeyArn]);
    expect(compileRules(rulesOf(...(read.verify ?? [])))[0]?.requirements[0]?.any).toMatchObject([
      { name: kmsKeyArn, publicKey: publicPem },
    ]);
  });

  test("is not read again, and nothing is without rules", () => {
    const known = { ...rule, any: [{ key: { kmsKeyArn, publicKey: publicPem }, transparencyLog: "optional" }] };
    const never = () => {
      throw new Error("KMS is asked");
    };
    const configured = { clusters: [], verify: [known] } as never;
    expect(readKmsKeys(configured, never)).toEqual(configured);
    expect(readKmsKeys({ clusters: [] }, never)).toEqual({ clusters: [] });
  });

  test.for([
    { publicKey: null, problem: "is missing" },
    { publicKey: "no key", problem: "is not a public key in PEM" },
    { publicKey: privatePem, problem: "is a private key" },
  ])("whose public key $problem is not deployed", ({ publicKey, problem }) => {
    const rules = rulesOf({ ...keyRule, any: [{ key: { kmsKeyArn, publicKey }, transparencyLog: "optional" }] });
    expect(() => compileRules(rules)).toThrow(`the public key of ${kmsKeyArn} ${problem}`);
  });
});

test("a root is expired once none of its authorities and logs is valid", () => {
  const until = file("until.json", rootOf("2027-01-01T00:00:00Z"));
  expect(trustedRootProblem(until, new Date("2026-12-31"))).toBeNull();
  expect(trustedRootProblem(until, new Date("2027-01-02"))).toContain("has expired");
});
