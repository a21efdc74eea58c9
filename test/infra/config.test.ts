import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../infra/config.ts";
import { accessCases } from "./config-cases/access.ts";
import { clusterCases } from "./config-cases/clusters.ts";
import { refusedScheduleCases, scheduleCases } from "./config-cases/schedules.ts";
import { sharedCases } from "./config-cases/shared.ts";
import { imageCases } from "./config-cases/images.ts";
import { nodePoolCases } from "./config-cases/node-pools.ts";
import type { Case } from "./config-cases/writing.ts";

const schema: unknown = JSON.parse(readFileSync("infra/config.schema.json", "utf8"));
const matchesSchema = new Ajv({ allErrors: true, strict: false }).compile(schema as object);

function problemsOf(written: unknown): readonly string[] {
  const reading = readConfig(written);
  return reading.kind === "invalid" ? reading.problems : [];
}

const cases: readonly Case[] = [
  ...clusterCases,
  ...accessCases,
  ...scheduleCases,
  ...refusedScheduleCases,
  ...sharedCases,
  ...imageCases,
  ...nodePoolCases,
];

describe("the reader", () => {
  test.for(cases)("$when", ({ write, problems }) => {
    expect(problemsOf(write)).toEqual(problems);
  });
});

describe("the schema comes to the reader's verdict", () => {
  test.for(cases)("$when", ({ write, problems, beyondSchema = false }) => {
    const verdict = matchesSchema(JSON.parse(JSON.stringify(write))) ? "valid" : "invalid";
    expect(verdict).toBe(problems.length === 0 || beyondSchema ? "valid" : "invalid");
  });
});

describe("a file", () => {
  test("the example is valid by both, and is read", () => {
    expect(matchesSchema(JSON.parse(readFileSync("infra/pawl.example.json", "utf8")))).toBe(true);
    const reading = readConfig("infra/pawl.example.json");
    expect(reading.kind === "config" && reading.config.clusters.map(({ name, access }) => [name, access.kind])).toEqual(
      [
        ["production", "eks"],
        ["edge", "kubeconfig"],
      ],
    );
  });

  test.for([
    { file: "infra/no-such-file.json", problem: /^infra\/no-such-file\.json: ENOENT/ },
    { file: "infra/app.ts", problem: /^infra\/app\.ts: / },
    { file: "infra", problem: /^infra: EISDIR/ },
  ])("$file cannot be used", ({ file, problem }) => {
    const problems = problemsOf(file);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });
});

test("the example of node pools in docs/configuration.md is read, and valid by both", () => {
  const [, example = ""] = /```json\n("nodePools": .*?)```/s.exec(readFileSync("docs/configuration.md", "utf8")) ?? [];
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const written = { clusters: [{ name: "prod", eks, ...(JSON.parse(`{${example}}`) as object) }] };
  expect(matchesSchema(written)).toBe(true);
  const reading = readConfig(written);
  expect(reading.kind === "config" && reading.config.clusters[0]?.nodePools).toEqual({
    tagResolutionSeconds: 300,
    pullSecrets: false,
    runCommand: { instanceTag: { key: "kubernetes.io/cluster/prod", value: "owned" } },
  });
});

test("what is not written is filled in", () => {
  const eks = { clusterName: "prod", region: "eu-central-1" };
  expect(readConfig({ clusters: [{ name: "prod", eks }] })).toEqual({
    kind: "config",
    config: {
      clusters: [
        {
          name: "prod",
          access: { kind: "eks", ...eks, endpoint: null, certificateAuthority: null, assumeRoleArn: null },
          network: null,
          poll: { expression: "rate(5 minutes)", timeZone: "UTC", enabled: true },
          namespaces: null,
          runtimeImages: {},
          prometheus: [],
          writesAtOnce: 10,
          nodePools: null,
        },
      ],
      registries: {
        secretArn: null,
        ecrAccounts: [],
        insecureHosts: [],
        pullSecrets: false,
        certificateAuthority: null,
      },
      digests: { baseline: "restart", pullPolicy: "keep" },
      proxy: null,
      notifications: [],
      alarms: { topicArn: null, emails: [], runbookUrl: "docs/runbook.md" },
      schedulesManagedBy: "stack",
      logRetentionDays: 30,
    },
  });
});
