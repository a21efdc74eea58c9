import { withSettings, eks, withCluster, secretArn, type Case } from "./inputs.ts";

const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
const assumeRoleArn = "arn:aws:iam::210987654321:role/pawl";
const pools = (nodePools: unknown) => withCluster({ nodePools });
const at = "clusters[0].nodePools";

export const nodePoolCases: readonly Case[] = [
  { when: "node pools not managed", input: pools(null), problems: [] },
  { when: "node pools with defaults", input: pools({}), problems: [] },
  {
    when: "node pools with all settings",
    input: pools({ tagCacheSeconds: 60, usePullSecrets: true, runCommand: { instanceTag } }),
    problems: [],
  },
  { when: "no commands", input: pools({ runCommand: false }), problems: [] },
  { when: "node pools as a boolean", input: pools(true), problems: [`${at}: true is not an object`] },
  {
    when: "a tag cache of 0 seconds",
    input: pools({ tagCacheSeconds: 0 }),
    problems: [`${at}.tagCacheSeconds: 0 is not a whole number from 1 to 604800`],
  },
  {
    when: "commands to any instance",
    input: pools({ runCommand: true }),
    problems: [`${at}.runCommand: true is not false or an object`],
  },
  {
    when: "commands without a tag",
    input: pools({ runCommand: {} }),
    problems: [`${at}.runCommand.instanceTag: is missing; use an object`],
  },
  {
    when: "commands to any value of a tag",
    input: pools({ runCommand: { instanceTag: { ...instanceTag, value: "*" } } }),
    problems: [`${at}.runCommand.instanceTag.value: "*" is not the value of a tag: letters, digits and _.:/=+@-`],
  },
  {
    when: "a tag with a policy variable",
    input: pools({ runCommand: { instanceTag: { key: "${aws:x}", value: "owned" } } }),
    problems: [`${at}.runCommand.instanceTag.key: "\${aws:x}" is not the key of a tag`],
  },
  {
    when: "several settings of node pools",
    input: pools({ tagCacheSeconds: "5m", usePullSecret: true }),
    problems: [
      `${at}.tagCacheSeconds: "5m" is not a whole number from 1 to 604800`,
      `${at}.usePullSecret: is not a known field; did you mean usePullSecrets?`,
    ],
  },
  {
    when: "node pools of another account",
    input: withCluster({ eks: { ...eks, assumeRoleArn }, nodePools: {} }),
    problems: [],
  },
  {
    when: "commands to another account",
    input: withCluster({
      eks: { ...eks, assumeRoleArn },
      nodePools: { runCommand: { instanceTag } },
    }),
    problems: [
      `${at}.runCommand: SSM sends no commands to instances of another account, which eks.assumeRoleArn names`,
    ],
    beyondSchema: true,
  },
  {
    when: "commands to the nodes of a cluster that is not EKS",
    input: { clusters: [{ name: "edge", kubeconfig: { secretArn }, nodePools: { runCommand: { instanceTag } } }] },
    problems: [],
  },
  {
    when: "node pools outside a cluster",
    input: withSettings({ nodePools: {} }),
    problems: [
      "nodePools: is not a known field; known fields are $schema, clusters, prefix, registries, digests, proxy, notifications, alarms, schedulesManagedBy, deployments, logRetentionDays, tracing, namespaceMetrics, freeze, changeCalendars, defaults, limits, verify, git, tags, roles, retainLogs, encryptionKeyArn, codeSigningConfigArn",
    ],
  },
];
