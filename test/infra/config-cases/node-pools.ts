import { beside, eks, one, secretArn, type Case } from "./writing.ts";

const instanceTag = { key: "kubernetes.io/cluster/prod", value: "owned" };
const assumeRoleArn = "arn:aws:iam::210987654321:role/pawl";
const pools = (nodePools: unknown) => one({ nodePools });
const at = "clusters[0].nodePools";
const many = (withPools: number, without: number) => ({
  clusters: [
    ...Array.from({ length: withPools }, (_, index) => ({ name: `p${index}`, eks, nodePools: {} })),
    ...Array.from({ length: without }, (_, index) => ({ name: `w${index}`, eks })),
  ],
});
const tooMany = (withPools: number, without: number, resources: number) =>
  `clusters: ${withPools} with nodePools and ${without} without come to about ${resources} resources, and CloudFormation ` +
  "takes 500 in a stack: at most 3 and 0, 2 and 2, or 1 and 3";

export const nodePoolCases: readonly Case[] = [
  { when: "node pools left alone", write: pools(null), problems: [] },
  { when: "node pools as usual", write: pools({}), problems: [] },
  {
    when: "node pools by all settings",
    write: pools({ tagResolutionSeconds: 60, pullSecrets: true, runCommand: { instanceTag } }),
    problems: [],
  },
  { when: "nobody commanded", write: pools({ runCommand: false }), problems: [] },
  { when: "node pools in a word", write: pools(true), problems: [`${at}: is a boolean, write an object`] },
  {
    when: "tags resolved all the time",
    write: pools({ tagResolutionSeconds: 0 }),
    problems: [`${at}.tagResolutionSeconds: 0 is not a whole number from 1 to 604800`],
  },
  {
    when: "commands to whomever",
    write: pools({ runCommand: true }),
    problems: [`${at}.runCommand: is a boolean, write an object`],
  },
  {
    when: "commands without a tag",
    write: pools({ runCommand: {} }),
    problems: [`${at}.runCommand.instanceTag: is missing, write an object`],
  },
  {
    when: "commands to any value of a tag",
    write: pools({ runCommand: { instanceTag: { ...instanceTag, value: "*" } } }),
    problems: [`${at}.runCommand.instanceTag.value: "*" is not the value of a tag: letters, digits and _.:/=+@-`],
  },
  {
    when: "a tag that a policy would fill in",
    write: pools({ runCommand: { instanceTag: { key: "${aws:x}", value: "owned" } } }),
    problems: [`${at}.runCommand.instanceTag.key: "\${aws:x}" is not the key of a tag`],
  },
  {
    when: "several settings of node pools",
    write: pools({ tagResolutionSeconds: "5m", pullSecret: true }),
    problems: [
      `${at}.pullSecret: is not a setting; did you mean pullSecrets?`,
      `${at}.tagResolutionSeconds: "5m" is not a whole number from 1 to 604800`,
    ],
  },
  {
    when: "node pools of another account",
    write: one({ eks: { ...eks, assumeRoleArn }, nodePools: {} }),
    problems: [],
  },
  {
    when: "commands to another account",
    write: one({
      eks: { ...eks, assumeRoleArn },
      nodePools: { runCommand: { instanceTag } },
    }),
    problems: [`${at}.runCommand: SSM commands no instance of another account, as eks.assumeRoleArn is of`],
    beyondSchema: true,
  },
  {
    when: "commands to the nodes of a cluster that is not EKS",
    write: { clusters: [{ name: "edge", kubeconfig: { secretArn }, nodePools: { runCommand: { instanceTag } } }] },
    problems: [],
  },
  { when: "node pools of all", write: beside({ nodePools: {} }), problems: ["nodePools: is not a setting"] },
  ...[many(3, 0), many(2, 2), many(1, 3)].map((write) => ({
    when: `${write.clusters.map(({ name }) => name).join(" ")}, which fit`,
    write,
    problems: [],
  })),
  { when: "four clusters with pools", write: many(4, 0), problems: [tooMany(4, 0, 600)], beyondSchema: true },
  { when: "one cluster too many beside three", write: many(3, 1), problems: [tooMany(3, 1, 548)], beyondSchema: true },
  { when: "five clusters, one with pools", write: many(1, 4), problems: [tooMany(1, 4, 537)], beyondSchema: true },
];
