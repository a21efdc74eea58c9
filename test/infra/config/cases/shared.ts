import { expect } from "vitest";
import { eks, secretArn, withSettings, type Case } from "./inputs.ts";

const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
const codeSigningConfigArn = "arn:aws:lambda:eu-central-1:123456789012:code-signing-config:csc-0123456789abcdef0";

const repository = {
  name: "config",
  cluster: "prod",
  provider: "github",
  apiUrl: "https://github.example.com/api/v3",
  repository: "shop/config",
  branch: "release/1.x",
  appSecretArn: secretArn,
  paths: ["apps/*"],
  namespaces: ["shop-*"],
};

/** A configuration of two clusters with one repository. */
function twoClusters(prod: readonly string[], edge: readonly string[]) {
  return {
    clusters: [
      { name: "prod", eks },
      { name: "edge", eks },
    ],
    git: [
      { ...repository, paths: prod },
      { ...repository, cluster: "edge", repository: "Shop/Config", paths: edge },
    ],
  };
}

export const sharedCases: readonly Case[] = [
  {
    when: "alarms by e-mail",
    input: withSettings({ alarms: { emails: ["a@example.com"], runbookUrl: "https://wiki.example.com/pawl" } }),
    problems: [],
  },
  {
    when: "an address without @",
    input: withSettings({ alarms: { emails: ["example.com"] } }),
    problems: ['alarms.emails[0]: "example.com" is not an e-mail address'],
  },
  { when: "a repository that names images", input: withSettings({ git: [repository] }), problems: [] },
  {
    when: "a repository with pull requests",
    input: withSettings({ git: [{ ...repository, mode: "pullRequest" }] }),
    problems: [],
  },
  {
    when: "a repository with an unknown mode",
    input: withSettings({ git: [{ ...repository, mode: "pull-request" }] }),
    problems: [expect.stringContaining("git[0].mode")],
  },
  {
    when: "two repositories of one name, a token for credentials and a way out of the repository",
    input: withSettings({ git: [repository, { ...repository, token: "ghp_x", paths: ["../x"], branch: "a..b" }] }),
    problems: [
      expect.stringContaining("git[1].branch"),
      expect.stringContaining("git[1].paths[0]"),
      expect.stringContaining("git[1].token: is not a known field"),
      'git[1]: "prod/config" is a duplicate of [0]',
    ],
  },
  {
    when: "a repository without a cluster",
    input: withSettings({ git: [{ ...repository, cluster: undefined }] }),
    problems: [expect.stringContaining("git[0].cluster")],
  },
  {
    when: "a repository of an unknown cluster",
    input: withSettings({ git: [{ ...repository, cluster: "prd" }] }),
    problems: ['git[0].cluster: "prd" is no cluster of the configuration; use prod'],
    beyondSchema: true,
  },
  {
    when: "two clusters with their own files of a repository",
    input: twoClusters(["clusters/prod"], ["clusters/edge/*"]),
    problems: [],
  },
  ...[
    { prod: ["apps/*"], other: ["apps/*"] },
    { prod: ["other", "apps"], other: ["apps/web/app.yaml"] },
    { prod: ["apps/*"], other: ["*/prod/*"] },
  ].map(({ prod, other }) => ({
    when: `two clusters with files that both may change: ${prod.join(", ")} and ${other.join(", ")}`,
    input: twoClusters(prod, other),
    problems: [
      "git[1].paths: may have files of git[0], which is for the cluster prod; give each cluster its own, such as clusters/edge/*",
    ],
    beyondSchema: true as const,
  })),
  { when: "schedules managed externally", input: withSettings({ schedulesManagedBy: "external" }), problems: [] },
  {
    when: "an unknown manager of schedules",
    input: withSettings({ schedulesManagedBy: "ops" }),
    problems: ['schedulesManagedBy: "ops" is not one of stack, external'],
  },
  {
    when: "a customer key, signed code and logs that outlive the stack",
    input: withSettings({ retainLogs: true, encryptionKeyArn: keyArn, codeSigningConfigArn }),
    problems: [],
  },
  {
    when: "an alias of a key",
    input: withSettings({ encryptionKeyArn: "arn:aws:kms:eu-central-1:123456789012:alias/pawl" }),
    problems: [
      'encryptionKeyArn: "arn:aws:kms:eu-central-1:123456789012:alias/pawl" is not the ARN of a KMS key, and not of an alias',
    ],
  },
  {
    when: "the id of a code signing configuration",
    input: withSettings({ codeSigningConfigArn: "csc-0123456789abcdef0" }),
    problems: ['codeSigningConfigArn: "csc-0123456789abcdef0" is not the ARN of a code signing configuration'],
  },
  {
    when: "tags, and what an account requires of roles",
    input: withSettings({ tags: { team: "platform" }, roles: { path: "/pawl/", permissionsBoundary: "org/boundary" } }),
    problems: [],
  },
  {
    when: "a reserved tag, and rules of roles that IAM does not allow",
    input: withSettings({
      tags: { "aws:team": "a" },
      roles: { path: "pawl", permissionsBoundary: "arn:aws:iam::1:policy/a" },
    }),
    problems: [
      'tags: the key "aws:team" is not the key of a tag, without the prefix aws:',
      'roles.path: "pawl" is not a path such as /pawl/',
      'roles.permissionsBoundary: "arn:aws:iam::1:policy/a" is not the name of an IAM policy',
    ],
  },
  { when: "logs kept for a year", input: withSettings({ logRetentionDays: 365 }), problems: [] },
  {
    when: "logs kept for 31 days",
    input: withSettings({ logRetentionDays: 31 }),
    problems: [
      "logRetentionDays: 31 is not one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653",
    ],
  },
  {
    when: "requests of AWS that are no rates",
    input: withSettings({ limits: { aws: { startsPerSecond: 0, describesPerSecond: "5", events: 1 } } }),
    problems: [
      "limits.aws.startsPerSecond: 0 is not a number from 0.001 to 100000",
      'limits.aws.describesPerSecond: "5" is not a number from 0.001 to 100000',
      "limits.aws.events: is not a known field; known fields are startsPerSecond, describesPerSecond, eventsPerSecond",
    ],
  },
];
