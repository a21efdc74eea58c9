import { describe, expect, test } from "vitest";
import {
  formatAddress,
  isAllowed,
  parseAddress,
  type PrometheusAddress,
} from "../../../functions/domain/analysis/address.ts";

const service = { kind: "service", namespace: "monitoring", name: "prometheus", port: "9090", path: "" } as const;

describe("an address is read", () => {
  test.for<{ text: string; address: PrometheusAddress; again?: string }>([
    { text: "service://monitoring/prometheus:9090", address: service },
    { text: "service://monitoring/prometheus:web/prom", address: { ...service, port: "web", path: "/prom" } },
    {
      text: "service://monitoring/prometheus:9090/",
      address: service,
      again: "service://monitoring/prometheus:9090",
    },
    { text: "https://prom.example", address: { kind: "url", origin: "https://prom.example", path: "" } },
    {
      text: "HTTPS://Prom.Example:443/a/",
      address: { kind: "url", origin: "https://prom.example", path: "/a" },
      again: "https://prom.example/a",
    },
    { text: "http://127.0.0.1:9090", address: { kind: "url", origin: "http://127.0.0.1:9090", path: "" } },
    { text: "amp://eu-west-1/ws-0a1b", address: { kind: "amp", region: "eu-west-1", workspace: "ws-0a1b" } },
    { text: "amp://us-gov-east-1/ws-1", address: { kind: "amp", region: "us-gov-east-1", workspace: "ws-1" } },
  ])("$text", ({ text, address, again = text }) => {
    expect(parseAddress(text)).toEqual(address);
    expect(formatAddress(address)).toBe(again);
  });
});

test.for([
  { text: "", says: "service://<namespace>/<service>:<port>, https://" },
  { text: "prometheus:9090", says: "is not the address of a Prometheus" },
  { text: "ftp://prom.example", says: "is not the address of a Prometheus" },
  { text: "file:///etc/passwd", says: "is not the address of a Prometheus" },
  { text: "service://monitoring/prometheus", says: "port number or name" },
  { text: "service://prometheus:9090", says: "does not name a Service" },
  { text: "service://a/b:9090/../../secrets", says: "may not have . or .. in it" },
  { text: "service://a/b:9090/%2e%2e", says: "does not name a Service" },
  { text: "service://a/b:9090?x=1", says: "does not name a Service" },
  { text: "amp://eu-west-1", says: "does not name a workspace" },
  { text: "amp://evil.example/ws-1", says: "does not name a workspace" },
  { text: "https://", says: "is not a URL" },
  { text: "https://prom.example?query=up", says: "may not have a query" },
  { text: "https://prom.example#x", says: "may not have a query or a fragment" },
])("$text is none: $says", ({ text, says }) => {
  expect(parseAddress(text)).toEqual({
    kind: "invalid",
    part: expect.any(String),
    reason: expect.stringContaining(says),
  });
});

test.for(["https://me:hunter2@prom.example", "https://me@prom.example", "https://:hunter2@prom.example"])(
  "%s holds a login, which is not repeated",
  (text) => {
    const problem = parseAddress(text);
    expect(problem).toMatchObject({ kind: "invalid", reason: expect.stringContaining("holds a login") });
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  },
);

describe("a configuration allows", () => {
  test.for([
    { allowed: "https://prom.example", asked: "https://prom.example/any/path", allows: true },
    { allowed: "https://prom.example/a", asked: "https://prom.example", allows: true },
    { allowed: "https://prom.example", asked: "http://prom.example", allows: false },
    { allowed: "https://prom.example", asked: "https://prom.example:8443", allows: false },
    { allowed: "https://prom.example", asked: "https://prom.example.evil.example", allows: false },
    { allowed: "service://a/b:1", asked: "service://a/b:1/prom", allows: true },
    { allowed: "service://a/b:1", asked: "service://c/b:1", allows: false },
    { allowed: "service://a/b:1", asked: "service://a/b:2", allows: false },
    { allowed: "amp://eu-west-1/ws-1", asked: "amp://eu-west-1/ws-1", allows: true },
    { allowed: "amp://eu-west-1/ws-1", asked: "amp://eu-west-1/ws-2", allows: false },
  ])("$allowed and $asked is asked: $allows", ({ allowed, asked, allows }) => {
    expect(isAllowed(read(asked), [read("https://other.example"), read(allowed)])).toBe(allows);
  });

  test("nothing where it names nothing", () => {
    expect(isAllowed(service, [])).toBe(false);
  });
});

function read(text: string): PrometheusAddress {
  const address = parseAddress(text);
  if (address.kind === "invalid") throw new Error(address.reason);
  return address;
}
