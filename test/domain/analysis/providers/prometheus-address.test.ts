import { describe, expect, test } from "vitest";
import {
  formatAddress,
  loginProblem,
  parseAddress,
  type PrometheusAddress,
} from "../../../../functions/domain/analysis/providers/prometheus-address.ts";

const service = { kind: "service", namespace: "monitoring", name: "prometheus", port: "9090", path: "" } as const;

describe("an address is parsed", () => {
  test.for<{ text: string; address: PrometheusAddress; formatted?: string }>([
    { text: "service://monitoring/prometheus:9090", address: service },
    { text: "service://monitoring/prometheus:web/prom", address: { ...service, port: "web", path: "/prom" } },
    {
      text: "service://monitoring/prometheus:9090/",
      address: service,
      formatted: "service://monitoring/prometheus:9090",
    },
    { text: "https://prom.example", address: { kind: "url", origin: "https://prom.example", path: "" } },
    {
      text: "HTTPS://Prom.Example:443/a/",
      address: { kind: "url", origin: "https://prom.example", path: "/a" },
      formatted: "https://prom.example/a",
    },
    { text: "http://127.0.0.1:9090", address: { kind: "url", origin: "http://127.0.0.1:9090", path: "" } },
    { text: "amp://eu-west-1/ws-0a1b", address: { kind: "amp", region: "eu-west-1", workspace: "ws-0a1b" } },
    { text: "amp://us-gov-east-1/ws-1", address: { kind: "amp", region: "us-gov-east-1", workspace: "ws-1" } },
  ])("$text", ({ text, address, formatted = text }) => {
    expect(parseAddress(text)).toEqual(address);
    expect(formatAddress(address)).toBe(formatted);
  });
});

test.for([
  { text: "", reason: "service://<namespace>/<service>:<port>, https://" },
  { text: "prometheus:9090", reason: "is not the address of a Prometheus" },
  { text: "ftp://prom.example", reason: "is not the address of a Prometheus" },
  { text: "file:///etc/passwd", reason: "is not the address of a Prometheus" },
  { text: "service://monitoring/prometheus", reason: "port number or name" },
  { text: "service://prometheus:9090", reason: "does not name a Service" },
  { text: "service://a/b:9090/../../secrets", reason: "must not contain . or .." },
  { text: "service://a/b:9090/%2e%2e", reason: "does not name a Service" },
  { text: "service://a/b:9090?x=1", reason: "does not name a Service" },
  { text: "amp://eu-west-1", reason: "does not name a workspace" },
  { text: "amp://evil.example/ws-1", reason: "does not name a workspace" },
  { text: "https://", reason: "is not a URL" },
  { text: "https://prom.example?query=up", reason: "must not contain a query" },
  { text: "https://prom.example#x", reason: "must not contain a query or a fragment" },
])("$text is invalid: $reason", ({ text, reason }) => {
  expect(parseAddress(text)).toEqual({
    kind: "invalid",
    part: expect.any(String),
    reason: expect.stringContaining(reason),
  });
});

test.for(["https://me:hunter2@prom.example", "https://me@prom.example", "https://:hunter2@prom.example"])(
  "%s contains a login, which the reason does not show",
  (text) => {
    const problem = parseAddress(text);
    expect(problem).toMatchObject({ kind: "invalid", reason: expect.stringContaining("contains a login") });
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  },
);

describe("a login", () => {
  test.for([
    "https://prom.example",
    "https://prom.example:8443/path",
    "http://127.0.0.1:9090",
    "http://127.1.2.3",
    "http://[::1]:9090",
  ])("may be sent to %s", (address) => {
    expect(loginProblem(parseValid(address))).toBeNull();
  });

  test.for([
    "http://prom.example",
    "http://localhost:9090",
    "http://127.0.0.1.example",
    "http://10.0.0.1:9090",
    "http://[::ffff:127.0.0.1]",
  ])("must not be sent to %s", (address) => {
    expect(loginProblem(parseValid(address))).toMatch(
      /^http:\/\/.* would receive the login in clear text; use https:\/\//,
    );
  });

  test.for([
    { address: "service://a/b:1/prom", origin: "service://a/b:1" },
    { address: "amp://eu-west-1/ws-1", origin: "amp://eu-west-1/ws-1" },
  ])("is none for $address", ({ address, origin }) => {
    expect(loginProblem(parseValid(address))).toBe(
      `${origin} has no login: Pawl's own credentials are used; remove it`,
    );
  });
});

function parseValid(text: string): PrometheusAddress {
  const address = parseAddress(text);
  if (address.kind === "invalid") throw new Error(address.reason);
  return address;
}
