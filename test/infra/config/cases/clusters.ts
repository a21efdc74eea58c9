import { expect } from "vitest";
import { secretArn, eks, withCluster, withSettings, type Case } from "./inputs.ts";

export const clusterCases: readonly Case[] = [
  { when: "only a cluster", input: withCluster({}), problems: [] },
  {
    when: "by kubeconfig",
    input: { clusters: [{ name: "edge", kubeconfig: { secretArn, context: "edge" } }] },
    problems: [],
  },
  { when: "null", input: null, problems: ["pawl: null is not an object"] },
  { when: "a list", input: [], problems: ["pawl: [] is not an object"] },
  { when: "empty", input: {}, problems: ["clusters: is missing; use a list"] },
  { when: "no cluster", input: { clusters: [] }, problems: ["clusters: has 0 entries, at least 1 needed"] },
  {
    when: "a cluster as a string",
    input: { clusters: ["prod"] },
    problems: ['clusters[0]: "prod" is not an object'],
  },
  {
    when: "a misspelt setting",
    input: withSettings({ cluster: [] }),
    problems: ["cluster: is not a known field; did you mean clusters?"],
  },
  {
    when: "a misspelt setting of a cluster",
    input: withCluster({ namespace: ["a"] }),
    problems: ["clusters[0].namespace: is not a known field; did you mean namespaces?"],
  },
  {
    when: "an unknown setting",
    input: withCluster({ colour: "red" }),
    problems: [
      expect.stringMatching(
        /^clusters\[0\]\.colour: is not a known field; known fields are name, account, region, ring, eks, .*, nodePools$/,
      ),
    ],
  },
  {
    when: "a name in capitals",
    input: withCluster({ name: "Prod" }),
    problems: ['clusters[0].name: "Prod" is not 1 to 24 of a-z, 0-9 and inner hyphens'],
  },
  {
    when: "a name of 25 characters",
    input: withCluster({ name: "a".repeat(25) }),
    problems: [`clusters[0].name: "${"a".repeat(25)}" is not 1 to 24 of a-z, 0-9 and inner hyphens`],
  },
  { when: "a name of 24 characters", input: withCluster({ name: "a".repeat(24) }), problems: [] },
  {
    when: "both eks and kubeconfig",
    input: withCluster({ kubeconfig: { secretArn } }),
    problems: ["clusters[0]: has both eks and kubeconfig; use one of them"],
  },
  {
    when: "neither eks nor kubeconfig",
    input: { clusters: [{ name: "prod" }] },
    problems: ["clusters[0]: has neither eks nor kubeconfig; use one of them"],
  },
  {
    when: "a duplicate name",
    input: {
      clusters: [
        { name: "a", eks },
        { name: "a", eks },
      ],
    },
    problems: ['clusters[1].name: "a" is a duplicate of [0].name'],
    beyondSchema: true,
  },
  {
    when: "25 clusters",
    input: { clusters: [...Array(25).keys()].map((index) => ({ name: `c${index}`, eks })) },
    problems: [],
  },
  {
    when: "the name of shared resources",
    input: withCluster({ name: "notifications" }),
    problems: ['clusters[0].name: "notifications" is reserved for resources of all clusters'],
  },

  {
    when: "a namespace with a dot",
    input: withCluster({ namespaces: ["a.b"] }),
    problems: ['clusters[0].namespaces[0]: "a.b" is not the name of a namespace'],
  },
  {
    when: "an empty list of namespaces",
    input: withCluster({ namespaces: [] }),
    problems: ["clusters[0].namespaces: has 0 entries, at least 1 needed"],
  },
  {
    when: "a list of namespaces without entries in YAML",
    input: withCluster({ namespaces: null }),
    problems: ["clusters[0].namespaces: null is not a list"],
  },
  {
    when: "a mirrored runtime",
    input: withCluster({ runtimeImages: { openclaw: "registry.example.com/openclaw" } }),
    problems: [],
  },
  {
    when: "a runtime with a comma",
    input: withCluster({ runtimeImages: { "a,b": "x/y" } }),
    problems: ['clusters[0].runtimeImages: the key "a,b" is not a runtime\'s name'],
  },
  {
    when: "regions of CloudWatch",
    input: withCluster({ cloudWatchRegions: ["eu-central-1", "us-east-1"] }),
    problems: [],
  },
  {
    when: "a region of CloudWatch that is none",
    input: withCluster({ cloudWatchRegions: ["eu-central-1", "frankfurt"] }),
    problems: ['clusters[0].cloudWatchRegions[1]: "frankfurt" is not a region such as eu-central-1'],
  },
  {
    when: "CloudWatch without a list",
    input: withCluster({ cloudWatchRegions: "eu-central-1" }),
    problems: [expect.stringContaining("clusters[0].cloudWatchRegions")],
  },
  {
    when: "URLs of the web, with a login",
    input: withCluster({ webMetrics: ["https://m.example/a", { address: "https://m.example/b", secretArn }] }),
    problems: [],
  },
  {
    when: "URLs of the web that are none, or whose login would not be encrypted",
    input: withCluster({
      webMetrics: ["m.example", "https://m.example/?a=b", { address: "http://m.example", secretArn }],
    }),
    problems: [
      expect.stringContaining('clusters[0].webMetrics[0]: "m.example" is not a URL such as'),
      expect.stringContaining("must not contain a query"),
      expect.stringContaining("clusters[0].webMetrics[2].secretArn: http://m.example would receive the login"),
    ],
  },
  { when: "no reserved concurrency", input: withCluster({ writerReservedConcurrency: null }), problems: [] },
  {
    when: "a reserved concurrency of 0",
    input: withCluster({ writerReservedConcurrency: 0 }),
    problems: ["clusters[0].writerReservedConcurrency: 0 is not a whole number from 1 to 100"],
  },
  {
    when: "large functions",
    input: withCluster({ poll: { memory: 10_240, timeout: 900 }, pollBatch: { memory: 1024, timeout: 60 } }),
    problems: [],
  },
  {
    when: "sizes that Lambda or a poll does not allow",
    input: withCluster({ poll: { memory: 20_480, timeout: 901 }, pollBatch: { memory: 256, timeout: 300 } }),
    problems: [
      "clusters[0].poll.memory: 20480 is not a whole number from 512 to 10240",
      "clusters[0].poll.timeout: 901 is not a whole number from 60 to 900",
      "clusters[0].pollBatch.memory: 256 is not a whole number from 512 to 10240",
      "clusters[0].pollBatch.timeout: 300 is not a whole number from 60 to 240",
    ],
  },
  { when: "disabled polls", input: withCluster({ poll: { enabled: false } }), problems: [] },
  {
    when: "enabled as a string",
    input: withCluster({ poll: { enabled: "no" } }),
    problems: ['clusters[0].poll.enabled: "no" is not true or false'],
  },
  { when: "an IANA time zone", input: withCluster({ poll: { timeZone: "America/Argentina/Ushuaia" } }), problems: [] },
  {
    when: "an unknown time zone",
    input: withCluster({ poll: { timeZone: "Europe/Atlantis" } }),
    problems: ['clusters[0].poll.timeZone: "Europe/Atlantis" is not an IANA time zone'],
    beyondSchema: true,
  },
  {
    when: "an offset as time zone",
    input: withCluster({ poll: { timeZone: "+02:00" } }),
    problems: ['clusters[0].poll.timeZone: "+02:00" is not an IANA time zone'],
  },
  {
    when: "several problems",
    input: withCluster({ name: "", poll: { schedule: "@daily" } }),
    problems: [
      'clusters[0].name: "" is not 1 to 24 of a-z, 0-9 and inner hyphens',
      'clusters[0].poll.schedule: "@daily" is neither rate(...) nor cron(...)',
    ],
  },
];
