import { expect } from "vitest";
import { type Case, secretArn, withCluster } from "./inputs.ts";

const withServers = (...prometheus: readonly unknown[]) => withCluster({ prometheus });

export const prometheusCases: readonly Case[] = [
  {
    when: "a Prometheus of each kind",
    input: withCluster({
      prometheus: ["service://monitoring/prometheus:web", "https://p.example/x", "amp://eu-west-1/ws-1"],
    }),
    problems: [],
  },
  { when: "an empty list of Prometheus servers", input: withCluster({ prometheus: [] }), problems: [] },
  {
    when: "a Prometheus without a scheme",
    input: withCluster({ prometheus: ["prometheus:9090"] }),
    problems: [
      'clusters[0].prometheus[0]: "prometheus:9090" is not the address of a Prometheus; use service://<namespace>/<service>:<port>, https://<host>[:port][/path] or amp://<region>/<workspace>',
    ],
  },
  {
    when: "two Prometheus addresses in one string",
    input: withCluster({ prometheus: ["http://a,http://b"] }),
    problems: ['clusters[0].prometheus[0]: "http://a,http://b" must not contain blanks or commas'],
  },
  {
    when: "a duplicate Prometheus",
    input: withCluster({ prometheus: ["http://a", "http://a"] }),
    problems: ['clusters[0].prometheus[1]: "http://a" is a duplicate of [0]'],
  },
  {
    when: "a workspace without its region",
    input: withCluster({ prometheus: ["amp://ws-1"] }),
    problems: ['clusters[0].prometheus[0]: "amp://ws-1" does not name a workspace; use amp://eu-west-1/ws-0123abcd-…'],
    beyondSchema: true,
  },
  {
    when: "a Prometheus with a login in its address",
    input: withCluster({ prometheus: ["https://me:pass@p.example"] }),
    problems: [expect.not.stringContaining("pass@")],
    beyondSchema: true,
  },
  {
    when: "a Prometheus with a login",
    input: withServers({ address: "https://p.example/x", secretArn }, "https://p.example:8443"),
    problems: [],
  },
  { when: "a login over loopback", input: withServers({ address: "http://127.0.0.1:9090", secretArn }), problems: [] },
  {
    when: "an object without a login",
    input: withServers(
      { address: "service://monitoring/prometheus:web" },
      { address: "amp://eu-west-1/ws-1", secretArn: null },
    ),
    problems: [],
  },
  {
    when: "a login over plain HTTP",
    input: withServers({ address: "http://p.example/x", secretArn }),
    problems: [
      "clusters[0].prometheus[0].secretArn: http://p.example would receive the login in clear text; use https://, or http:// to 127.0.0.1 or [::1] only",
    ],
    beyondSchema: true,
  },
  {
    when: "a login for a Service and one for a workspace",
    input: withServers({ address: "service://m/p:web/x", secretArn }, { address: "amp://eu-west-1/ws-1", secretArn }),
    problems: [
      "clusters[0].prometheus[0].secretArn: service://m/p:web has no login: Pawl's own credentials are used; remove it",
      "clusters[0].prometheus[1].secretArn: amp://eu-west-1/ws-1 has no login: Pawl's own credentials are used; remove it",
    ],
    beyondSchema: true,
  },
  {
    when: "two logins for one origin",
    input: withServers({ address: "https://p.example/a", secretArn }, "https://p.example:443/b"),
    problems: [
      "clusters[0].prometheus: https://p.example/a has two logins; paths of one origin have the same secretArn",
    ],
    beyondSchema: true,
  },
  {
    when: "one login for two paths of an origin",
    input: withServers({ address: "https://p.example/a", secretArn }, { address: "https://p.example/b", secretArn }),
    problems: [],
  },
  {
    when: "an address twice, once with a login",
    input: withServers({ address: "https://p.example", secretArn }, "https://p.example"),
    problems: ['clusters[0].prometheus[1]: "https://p.example" is a duplicate of [0]'],
    beyondSchema: true,
  },
  {
    when: "a login that is no secret",
    input: withServers({ address: "https://p.example", secretArn: "hunter2" }),
    problems: [
      expect.stringContaining('clusters[0].prometheus[0].secretArn: "hunter2" is not the complete ARN of a secret'),
    ],
  },
  {
    when: "a login without an address",
    input: withServers({ secretArn }),
    problems: [expect.stringContaining("clusters[0].prometheus[0].address: is missing")],
  },
  {
    when: "a login under another name",
    input: withServers({ address: "https://p.example", secret: secretArn }),
    problems: [expect.stringContaining("clusters[0].prometheus[0].secret: is not a known field")],
  },
  {
    when: "a Prometheus that is neither a text nor an object",
    input: withServers(9090),
    problems: ["clusters[0].prometheus[0]: 9090 is not a string"],
  },
  {
    when: "a Prometheus that is a list",
    input: withServers(["https://p.example"]),
    problems: ['clusters[0].prometheus[0]: ["https://p.example"] is not an object'],
  },
  {
    when: "a Prometheus that is null",
    input: withServers(null),
    problems: ["clusters[0].prometheus[0]: null is not an object"],
  },
];
