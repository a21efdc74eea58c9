import { describe, expect, test } from "vitest";
import { allowanceIn, nextAfter, paceOf } from "../../../functions/adapters/oci-registry/allowance.ts";
import { noon } from "./scripted.ts";

const now = noon.getTime();
const hub = "registry-1.docker.io";
const inAMinute = String(now / 1000 + 60);

describe("what a registry says is left", () => {
  test.for<{ when: string; headers: Record<string, string>; host?: string; says: unknown }>([
    {
      when: "Docker Hub counts pulls",
      host: hub,
      headers: { "ratelimit-limit": "100;w=21600", "ratelimit-remaining": "76;w=21600" },
      says: { limit: 100, remaining: 76, endsAt: 3600, counts: "pulls" },
    },
    {
      when: "a mirror passes on what Docker Hub says",
      headers: {
        "ratelimit-limit": "100;w=600",
        "ratelimit-remaining": "76;w=600",
        "docker-ratelimit-source": "1.2.3.4",
      },
      says: { limit: 100, remaining: 76, endsAt: 600, counts: "pulls" },
    },
    {
      when: "GitLab counts requests, until a time",
      headers: { "ratelimit-limit": "2000", "ratelimit-remaining": "1999", "ratelimit-reset": inAMinute },
      says: { limit: 2000, remaining: 1999, endsAt: 60, counts: "requests" },
    },
    {
      when: "another names them with an x, until a delay is over",
      headers: { "x-ratelimit-limit": "50, 50;w=1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "7" },
      says: { limit: 50, remaining: 0, endsAt: 7, counts: "requests" },
    },
    {
      when: "it says neither of how much nor until when",
      headers: { "ratelimit-remaining": "3" },
      says: { limit: null, remaining: 3, endsAt: 60, counts: "requests" },
    },
    {
      when: "it wants to be left alone for years",
      headers: { "ratelimit-remaining": "0", "ratelimit-reset": "99999999" },
      says: { limit: null, remaining: 0, endsAt: 3600, counts: "requests" },
    },
    { when: "it says nothing", headers: {}, says: null },
    { when: "it says what is none", headers: { "ratelimit-limit": "9", "ratelimit-remaining": "many" }, says: null },
    { when: "it says less than nothing", headers: { "ratelimit-remaining": "-1" }, says: null },
  ])("$when", ({ headers, host = "r.example", says }) => {
    const found = allowanceIn(new Headers(headers), host, noon);
    expect(found && { ...found, endsAt: (found.endsAt - now) / 1000 }).toEqual(says);
  });
});

describe("a request that counts", () => {
  const seconds = (n: number) => now + n * 1000;
  test.for([
    { when: "more than a tenth remains", remaining: 11, pace: { kind: "go" } },
    {
      when: "a tenth of the pulls remains",
      counts: "pulls",
      remaining: 10,
      pace: { kind: "refuse", untilMilliseconds: seconds(60) },
    },
    { when: "the window is over", counts: "pulls", remaining: 0, endsIn: 0, pace: { kind: "go" } },
    { when: "a tenth remains, and its turn has come", remaining: 10, pace: { kind: "go" } },
    {
      when: "a tenth remains, and its turn comes soon",
      remaining: 10,
      nextIn: 2,
      pace: { kind: "wait", milliseconds: 2000 },
    },
    { when: "its turn comes late", remaining: 10, nextIn: 4, pace: { kind: "refuse", untilMilliseconds: seconds(4) } },
    { when: "nothing remains", remaining: 0, pace: { kind: "refuse", untilMilliseconds: seconds(60) } },
    { when: "nobody knows of how much one remains", limit: null, remaining: 1, nextIn: 9, pace: { kind: "go" } },
    {
      when: "of an unknown limit nothing remains",
      limit: null,
      remaining: 0,
      pace: { kind: "refuse", untilMilliseconds: seconds(60) },
    },
  ] as const)("where $when: $pace.kind", ({ pace, ...given }) => {
    const { counts, limit, remaining, endsIn, nextIn } = {
      counts: "requests",
      limit: 100,
      endsIn: 60,
      nextIn: 0,
      ...given,
    } as const;
    const allowance = { counts, limit, remaining, endsAt: seconds(endsIn) };
    expect(paceOf(allowance, seconds(nextIn), now, 3000)).toEqual(pace);
  });

  test.for([
    { remaining: 10, at: 0, next: 6 },
    { remaining: 10, at: 30, next: 33 },
    { remaining: 0, at: 0, next: 60 },
    { remaining: 10, at: 90, next: 90 },
  ])("at second $at with $remaining left lets the next go at second $next", ({ remaining, at, next }) => {
    const allowance = { counts: "requests", limit: 100, remaining, endsAt: seconds(60) } as const;
    expect(nextAfter(allowance, seconds(at))).toBe(seconds(next));
  });
});
