import { expect } from "vitest";
import { secretArn, eks, one, beside, type Case } from "./writing.ts";

export const clusterCases: readonly Case[] = [
  { when: "nothing but a cluster", write: one({}), problems: [] },
  {
    when: "by kubeconfig",
    write: { clusters: [{ name: "edge", kubeconfig: { secretArn, context: "edge" } }] },
    problems: [],
  },
  { when: "null", write: null, problems: ["pawl: is null, write an object"] },
  { when: "a list", write: [], problems: ["pawl: is a list, write an object"] },
  { when: "empty", write: {}, problems: ["clusters: is missing, write a list"] },
  { when: "no cluster", write: { clusters: [] }, problems: ["clusters: has 0 entries, at least 1 needed"] },
  {
    when: "a cluster is a text",
    write: { clusters: ["prod"] },
    problems: ["clusters[0]: is a string, write an object"],
  },
  {
    when: "a setting misspelt",
    write: beside({ cluster: [] }),
    problems: ["cluster: is not a setting; did you mean clusters?"],
  },
  {
    when: "a setting of a cluster misspelt",
    write: one({ namespace: ["a"] }),
    problems: ["clusters[0].namespace: is not a setting; did you mean namespaces?"],
  },
  { when: "a setting nobody knows", write: one({ colour: "red" }), problems: ["clusters[0].colour: is not a setting"] },
  {
    when: "a name in capitals",
    write: one({ name: "Prod" }),
    problems: ['clusters[0].name: "Prod" is not 1 to 24 of a-z, 0-9 and inner hyphens'],
  },
  {
    when: "a name of 25",
    write: one({ name: "a".repeat(25) }),
    problems: [`clusters[0].name: "${"a".repeat(25)}" is not 1 to 24 of a-z, 0-9 and inner hyphens`],
  },
  { when: "a name of 24", write: one({ name: "a".repeat(24) }), problems: [] },
  {
    when: "both ways in",
    write: one({ kubeconfig: { secretArn } }),
    problems: ["clusters[0]: has both eks and kubeconfig, one is needed"],
  },
  {
    when: "no way in",
    write: { clusters: [{ name: "prod" }] },
    problems: ["clusters[0]: has neither eks nor kubeconfig, one is needed"],
  },
  {
    when: "the same name twice",
    write: {
      clusters: [
        { name: "a", eks },
        { name: "a", eks },
      ],
    },
    problems: ['clusters[1].name: "a" is already clusters[0].name'],
    beyondSchema: true,
  },
  {
    when: "six clusters",
    write: { clusters: "abcdef".split("").map((name) => ({ name, eks })) },
    problems: ["clusters: has 6 entries, at most 5 allowed"],
  },

  {
    when: "a namespace with a dot",
    write: one({ namespaces: ["a.b"] }),
    problems: ['clusters[0].namespaces[0]: "a.b" is not the name of a namespace'],
  },
  {
    when: "no namespaces at all",
    write: one({ namespaces: [] }),
    problems: ["clusters[0].namespaces: has 0 entries, at least 1 needed"],
  },
  {
    when: "a mirrored runtime",
    write: one({ runtimeImages: { openclaw: "registry.example.com/openclaw" } }),
    problems: [],
  },
  {
    when: "a runtime with a comma",
    write: one({ runtimeImages: { "a,b": "x/y" } }),
    problems: ['clusters[0].runtimeImages: the key "a,b" is not a runtime\'s name'],
  },
  {
    when: "a Prometheus of each kind",
    write: one({ prometheus: ["service://monitoring/prometheus:web", "https://p.example/x", "amp://eu-west-1/ws-1"] }),
    problems: [],
  },
  { when: "no Prometheus at all", write: one({ prometheus: [] }), problems: [] },
  {
    when: "a Prometheus without a scheme",
    write: one({ prometheus: ["prometheus:9090"] }),
    problems: [
      'clusters[0].prometheus[0]: "prometheus:9090" is not service://<namespace>/<service>:<port>, https://<host>[:port][/path] or amp://<region>/<workspace>, without blanks or commas',
    ],
  },
  {
    when: "two Prometheus in one text",
    write: one({ prometheus: ["http://a,http://b"] }),
    problems: [expect.stringContaining("without blanks or commas")],
  },
  {
    when: "a Prometheus twice",
    write: one({ prometheus: ["http://a", "http://a"] }),
    problems: ['clusters[0].prometheus[1]: "http://a" is already clusters[0].prometheus[0]'],
  },
  {
    when: "a workspace without its region",
    write: one({ prometheus: ["amp://ws-1"] }),
    problems: [
      'clusters[0].prometheus[0]: "amp://ws-1" does not name a workspace: write amp://eu-west-1/ws-0123abcd-…',
    ],
    beyondSchema: true,
  },
  {
    when: "a Prometheus with a login in its address",
    write: one({ prometheus: ["https://me:pass@p.example"] }),
    problems: [expect.not.stringContaining("pass@")],
    beyondSchema: true,
  },
  { when: "nothing reserved", write: one({ writesAtOnce: null }), problems: [] },
  {
    when: "nobody may write",
    write: one({ writesAtOnce: 0 }),
    problems: ["clusters[0].writesAtOnce: 0 is not a whole number from 1 to 100"],
  },
  { when: "polls switched off", write: one({ poll: { enabled: false } }), problems: [] },
  {
    when: "switched off in words",
    write: one({ poll: { enabled: "no" } }),
    problems: ["clusters[0].poll.enabled: is a string, write true or false"],
  },
  { when: "a zone of IANA", write: one({ poll: { timeZone: "America/Argentina/Ushuaia" } }), problems: [] },
  {
    when: "a zone that does not exist",
    write: one({ poll: { timeZone: "Europe/Atlantis" } }),
    problems: ['clusters[0].poll.timeZone: "Europe/Atlantis" is not an IANA time zone'],
    beyondSchema: true,
  },
  {
    when: "an offset for a zone",
    write: one({ poll: { timeZone: "+02:00" } }),
    problems: ['clusters[0].poll.timeZone: "+02:00" is not an IANA time zone'],
  },
  {
    when: "several things at once",
    write: one({ name: "", poll: { schedule: "@daily" } }),
    problems: [
      'clusters[0].name: "" is not 1 to 24 of a-z, 0-9 and inner hyphens',
      'clusters[0].poll.schedule: "@daily" is neither rate(...) nor cron(...)',
    ],
  },
];
