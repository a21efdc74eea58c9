import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { clusterSwitches } from "../../../functions/domain/cluster/switches.ts";
import { configJsonSchema } from "../../../infra/config/generate-schema.ts";
import { readConfig } from "../../../infra/config/read-config.ts";
import { accessCases } from "./cases/access.ts";
import { clusterCases } from "./cases/clusters.ts";
import { rejectedScheduleCases, scheduleCases } from "./cases/schedules.ts";
import { sharedCases } from "./cases/shared.ts";
import { imageCases } from "./cases/images.ts";
import { notificationCases } from "./cases/notifications.ts";
import { nodePoolCases } from "./cases/node-pools.ts";
import { prometheusCases } from "./cases/prometheus.ts";
import type { Case } from "./cases/inputs.ts";

const schema: unknown = JSON.parse(readFileSync("infra/config/pawl.schema.json", "utf8"));
const matchesSchema = new Ajv({ allErrors: true, strict: false }).compile(schema as object);

function problemsOf(input: unknown): readonly string[] {
  const reading = readConfig(input, { allowsPlaceholders: true });
  return reading.kind === "invalid" ? reading.problems : [];
}

const cases: readonly Case[] = [
  ...clusterCases,
  ...accessCases,
  ...scheduleCases,
  ...rejectedScheduleCases,
  ...sharedCases,
  ...imageCases,
  ...notificationCases,
  ...nodePoolCases,
  ...prometheusCases,
];

describe("readConfig", () => {
  test.for(cases)("$when", ({ input, problems }) => {
    expect(problemsOf(input)).toEqual(problems);
  });
});

describe("the JSON Schema accepts and rejects the same", () => {
  test.for(cases)("$when", ({ input, problems, beyondSchema = false }) => {
    const verdict = matchesSchema(JSON.parse(JSON.stringify(input))) ? "valid" : "invalid";
    expect(verdict).toBe(problems.length === 0 || beyondSchema ? "valid" : "invalid");
  });
});

describe("a file", () => {
  test("the example is valid by both", () => {
    expect(matchesSchema(JSON.parse(readFileSync("infra/config/pawl.example.json", "utf8")))).toBe(true);
    const reading = readConfig("infra/config/pawl.example.json", { allowsPlaceholders: true });
    expect(reading.kind === "config" && reading.config.clusters.map(({ name, access }) => [name, access.kind])).toEqual(
      [
        ["production", "eks"],
        ["edge", "kubeconfig"],
      ],
    );
  });

  test.for([
    { file: "infra/no-such-file.json", problem: /^infra\/no-such-file\.json: ENOENT/ },
    { file: "infra/pawl.ts", problem: /^infra\/pawl\.ts: / },
    { file: "infra", problem: /^infra: EISDIR/ },
  ])("$file is invalid", ({ file, problem }) => {
    const problems = problemsOf(file);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });
});

test.for(Object.keys(clusterSwitches))(
  "docs/reference/configuration.md describes the switch %s of a cluster",
  (name) => {
    expect(readFileSync("docs/reference/configuration.md", "utf8")).toMatch(
      new RegExp(`^\\| \`${name}\` \\|.*\\| \`false\` \\|$`, "m"),
    );
  },
);

test("the example of node pools in docs/reference/configuration.md is valid by both", () => {
  const [, example = ""] =
    /```json\n("nodePools": .*?)```/s.exec(readFileSync("docs/reference/configuration.md", "utf8")) ?? [];
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const written = { clusters: [{ name: "prod", eks, ...(JSON.parse(`{${example}}`) as object) }] };
  expect(matchesSchema(written)).toBe(true);
  const reading = readConfig(written);
  expect(reading.kind === "config" && reading.config.clusters[0]?.nodePools).toEqual({
    tagCacheSeconds: 300,
    usePullSecrets: false,
    runCommand: { instanceTag: { key: "kubernetes.io/cluster/prod", value: "owned" } },
  });
});

test("absent settings have defaults", () => {
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const input = { clusters: [{ name: "prod", eks }] };
  expect(readConfig(input)).toEqual({
    kind: "config",
    input,
    config: {
      prefix: "pawl",
      clusters: [
        {
          name: "prod",
          access: {
            kind: "eks",
            ...eks,
            endpoint: null,
            certificateAuthority: null,
            assumeRoleArn: null,
            externalId: null,
          },
          network: null,
          poll: {
            expression: "rate(5 minutes)",
            timeZone: "UTC",
            pushBatchSeconds: 30,
            enabled: true,
            memory: 512,
            timeout: 300,
          },
          pollBatch: { memory: 512, timeout: 240 },
          runtimeImages: {},
          configSecrets: false,
          hooks: false,
          jobMetrics: false,
          prometheus: [],
          cloudWatchRegions: [],
          ring: 0,
          webMetrics: [],
          writerReservedConcurrency: null,
          nodePools: null,
          peers: [],
          releases: false,
        },
      ],
      registries: {
        secretArn: null,
        logins: [],
        ecrAccounts: [],
        ecrEvents: [],
        ecrRepositoryPrefixes: [],
        insecureHosts: [],
        allowed: ["*"],
        denied: [],
        usePullSecrets: false,
        certificateAuthority: null,
      },
      digests: { onFirstSeen: "restart", imagePullPolicy: "unchanged" },
      proxy: null,
      notifications: [],
      alarms: { topicArn: null, emails: [], runbookUrl: null },
      schedulesManagedBy: "stack",
      deployments: "gradual",
      logRetentionDays: 30,
      tracing: false,
      namespaceMetrics: false,
      limits: {},
      freeze: [],
      changeCalendars: [],
      git: [],
      defaults: [],
      verify: [],
      tags: {},
      roles: { path: null, permissionsBoundary: null },
      retainLogs: false,
      encryptionKeyArn: null,
      codeSigningConfigArn: null,
    },
  });
});

test("pawl.schema.json is what generate-schema.ts writes", () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});
