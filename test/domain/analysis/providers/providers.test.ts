import { describe, expect, test } from "vitest";
import { isSameScope } from "../../../../functions/domain/analysis/providers/provider.ts";
import { type QueryKind, queryProviders } from "../../../../functions/domain/analysis/providers/providers.ts";

describe("a deployment", () => {
  test.for<{ kind?: QueryKind; allowed: string; requested: string; allows: boolean }>([
    { allowed: "https://prom.example", requested: "https://prom.example/any/path", allows: true },
    { allowed: "https://prom.example/a", requested: "https://prom.example", allows: true },
    { allowed: "https://Prom.example:443", requested: "https://prom.example", allows: true },
    { allowed: "https://prom.example", requested: "http://prom.example", allows: false },
    { allowed: "https://prom.example", requested: "https://prom.example:8443", allows: false },
    { allowed: "https://prom.example", requested: "https://prom.example.evil.example", allows: false },
    { allowed: "https://prom.example", requested: "http://169.254.169.254", allows: false },
    { allowed: "service://a/b:1", requested: "service://a/b:1/prom", allows: true },
    { allowed: "service://a/b:1", requested: "service://c/b:1", allows: false },
    { allowed: "service://a/b:1", requested: "service://a/b:2", allows: false },
    { allowed: "amp://eu-west-1/ws-1", requested: "amp://eu-west-1/ws-1", allows: true },
    { allowed: "amp://eu-west-1/ws-1", requested: "amp://eu-west-1/ws-2", allows: false },
    { allowed: "https://prom.example", requested: "prom.example", allows: false },
    { allowed: "prom.example", requested: "prom.example", allows: false },
    { kind: "cloudwatch", allowed: "eu-west-1", requested: "eu-west-1", allows: true },
    { kind: "cloudwatch", allowed: "eu-west-1", requested: "eu-west-2", allows: false },
    { kind: "web", allowed: "https://m.example/a", requested: "HTTPS://M.example:443/a", allows: true },
    { kind: "web", allowed: "https://m.example", requested: "https://m.example/", allows: true },
    { kind: "web", allowed: "https://m.example/a", requested: "https://m.example/a/", allows: false },
    { kind: "web", allowed: "https://m.example/a", requested: "https://m.example/a/../b", allows: false },
    { kind: "web", allowed: "https://m.example/a", requested: "https://m.example/%61", allows: false },
    { kind: "web", allowed: "https://m.example/a", requested: "http://m.example/a", allows: false },
    { kind: "web", allowed: "https://m.example/a", requested: "https://m.example@169.254.169.254/a", allows: false },
    { kind: "web", allowed: "https://m.example", requested: "http://169.254.169.254/latest", allows: false },
    { kind: "web", allowed: "amp://eu-west-1/ws-1", requested: "amp://eu-west-1/ws-1", allows: false },
    { kind: "cloudwatch", allowed: "eusc-de-east-1", requested: "eusc-de-east-1", allows: true },
  ])("with $allowed allows $requested: $allows", ({ kind = "prometheus", allowed, requested, allows }) => {
    const { parse } = queryProviders[kind];
    expect(isSameScope(parse(allowed), parse(requested))).toBe(allows);
  });
});

test.for<{ kind: QueryKind; text: string; endpoint: object }>([
  {
    kind: "prometheus",
    text: "HTTPS://Prom.Example:443/a/",
    endpoint: { address: "https://prom.example/a", scope: "https://prom.example", loginProblem: null },
  },
  {
    kind: "prometheus",
    text: "service://a/b:1/prom/",
    endpoint: { address: "service://a/b:1/prom", scope: "service://a/b:1", loginProblem: expect.any(String) },
  },
  {
    kind: "cloudwatch",
    text: "eu-west-1",
    endpoint: {
      address: "eu-west-1",
      scope: "eu-west-1",
      loginProblem: "CloudWatch in eu-west-1 has no login: Pawl's own credentials are used; remove it",
    },
  },
])("$text is an address of $kind", ({ kind, text, endpoint }) => {
  expect(queryProviders[kind].parse(text)).toEqual({ kind: "endpoint", ...endpoint });
});
