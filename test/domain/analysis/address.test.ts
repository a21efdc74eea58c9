import { describe, expect, test } from "vitest";
import {
  formatAddress,
  isAllowed,
  parseAddress,
  type PrometheusAddress,
} from "../../../functions/domain/analysis/address.ts";

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

describe("a configuration", () => {
  test.for([
    { allowed: "https://prom.example", requested: "https://prom.example/any/path", allows: true },
    { allowed: "https://prom.example/a", requested: "https://prom.example", allows: true },
    { allowed: "https://prom.example", requested: "http://prom.example", allows: false },
    { allowed: "https://prom.example", requested: "https://prom.example:8443", allows: false },
    { allowed: "https://prom.example", requested: "https://prom.example.evil.example", allows: false },
    { allowed: "service://a/b:1", requested: "service://a/b:1/prom", allows: true },
    { allowed: "service://a/b:1", requested: "service://c/b:1", allows: false },
    { allowed: "service://a/b:1", requested: "service://a/b:2", allows: false },
    { allowed: "amp://eu-west-1/ws-1", requested: "amp://eu-west-1/ws-1", allows: true },
    { allowed: "amp://eu-west-1/ws-1", requested: "amp://eu-west-1/ws-2", allows: false },
  ])("of $allowed allows $requested: $allows", ({ allowed, requested, allows }) => {
    expect(isAllowed(parseValid(requested), [parseValid("https://other.example"), parseValid(allowed)])).toBe(allows);
  });

  test("without addresses allows none", () => {
    expect(isAllowed(service, [])).toBe(false);
  });
});

function parseValid(text: string): PrometheusAddress {
  const address = parseAddress(text);
  if (address.kind === "invalid") throw new Error(address.reason);
  return address;
}
