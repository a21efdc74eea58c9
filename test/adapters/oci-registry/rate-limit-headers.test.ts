import { describe, expect, test } from "vitest";
import {
  parseRateLimit,
  nextRequestAt,
  rateLimitDecision,
} from "../../../functions/adapters/oci-registry/rate-limit-headers.ts";
import { noon } from "./scripted-server.ts";

const now = noon.getTime();
const hub = "registry-1.docker.io";
const inAMinute = String(now / 1000 + 60);

describe("parsing the rate limit", () => {
  test.for<{ when: string; headers: Record<string, string>; host?: string; expected: unknown }>([
    {
      when: "Docker Hub counts pulls",
      host: hub,
      headers: { "ratelimit-limit": "100;w=21600", "ratelimit-remaining": "76;w=21600" },
      expected: { limit: 100, remaining: 76, endsAt: 3600, counts: "pulls" },
    },
    {
      when: "a mirror forwards the headers of Docker Hub",
      headers: {
        "ratelimit-limit": "100;w=600",
        "ratelimit-remaining": "76;w=600",
        "docker-ratelimit-source": "1.2.3.4",
      },
      expected: { limit: 100, remaining: 76, endsAt: 600, counts: "pulls" },
    },
    {
      when: "GitLab counts requests, until a time",
      headers: { "ratelimit-limit": "2000", "ratelimit-remaining": "1999", "ratelimit-reset": inAMinute },
      expected: { limit: 2000, remaining: 1999, endsAt: 60, counts: "requests" },
    },
    {
      when: "another uses x- headers, with a delay",
      headers: { "x-ratelimit-limit": "50, 50;w=1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "7" },
      expected: { limit: 50, remaining: 0, endsAt: 7, counts: "requests" },
    },
    {
      when: "it sends neither a limit nor a reset",
      headers: { "ratelimit-remaining": "3" },
      expected: { limit: null, remaining: 3, endsAt: 60, counts: "requests" },
    },
    {
      when: "its reset is years away",
      headers: { "ratelimit-remaining": "0", "ratelimit-reset": "99999999" },
      expected: { limit: null, remaining: 0, endsAt: 3600, counts: "requests" },
    },
    { when: "it sends nothing", headers: {}, expected: null },
    { when: "it sends no number", headers: { "ratelimit-limit": "9", "ratelimit-remaining": "many" }, expected: null },
    { when: "it sends a negative number", headers: { "ratelimit-remaining": "-1" }, expected: null },
  ])("$when", ({ headers, host = "r.example", expected }) => {
    const found = parseRateLimit(new Headers(headers), host, noon);
    expect(found && { ...found, endsAt: (found.endsAt - now) / 1000 }).toEqual(expected);
  });
});

describe("a request that counts", () => {
  const seconds = (n: number) => now + n * 1000;
  test.for([
    { when: "more than a tenth remains", remaining: 11, decision: { kind: "allow" } },
    {
      when: "a tenth of the pulls remains",
      counts: "pulls",
      remaining: 10,
      decision: { kind: "reject", untilMilliseconds: seconds(60) },
    },
    { when: "the window has ended", counts: "pulls", remaining: 0, endsIn: 0, decision: { kind: "allow" } },
    { when: "a tenth remains, and the next time is reached", remaining: 10, decision: { kind: "allow" } },
    {
      when: "a tenth remains, and the next time is near",
      remaining: 10,
      nextIn: 2,
      decision: { kind: "wait", milliseconds: 2000 },
    },
    {
      when: "the next time is beyond the maximum wait",
      remaining: 10,
      nextIn: 4,
      decision: { kind: "reject", untilMilliseconds: seconds(4) },
    },
    { when: "nothing remains", remaining: 0, decision: { kind: "reject", untilMilliseconds: seconds(60) } },
    { when: "one remains of an unknown limit", limit: null, remaining: 1, nextIn: 9, decision: { kind: "allow" } },
    {
      when: "nothing remains of an unknown limit",
      limit: null,
      remaining: 0,
      decision: { kind: "reject", untilMilliseconds: seconds(60) },
    },
  ] as const)("if $when: $decision.kind", ({ decision, ...given }) => {
    const { counts, limit, remaining, endsIn, nextIn } = {
      counts: "requests",
      limit: 100,
      endsIn: 60,
      nextIn: 0,
      ...given,
    } as const;
    const rateLimit = { counts, limit, remaining, endsAt: seconds(endsIn) };
    expect(rateLimitDecision(rateLimit, seconds(nextIn), now, 3000)).toEqual(decision);
  });

  test.for([
    { remaining: 10, at: 0, next: 6 },
    { remaining: 10, at: 30, next: 33 },
    { remaining: 0, at: 0, next: 60 },
    { remaining: 10, at: 90, next: 90 },
  ])("at second $at with $remaining remaining allows the next one at second $next", ({ remaining, at, next }) => {
    const rateLimit = { counts: "requests", limit: 100, remaining, endsAt: seconds(60) } as const;
    expect(nextRequestAt(rateLimit, seconds(at))).toBe(seconds(next));
  });
});
