import { describe, expect, test } from "vitest";
import { decideWithoutTags } from "../../functions/domain/poll-decision.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { followed, followedBoth, restarting } from "../support/followed.ts";
import { image, noon, workload } from "../support/workloads.ts";

const digest = `@sha256:${"a".repeat(64)}`;

describe("what is followed by digest", () => {
  const source = null;
  const off = { containers: [] };
  test.for<{ when: string; seen: Workload; says: object }>([
    { when: "by digest alone", seen: followed(), says: { kind: "undecided", source } },
    { when: "by tag too", seen: followedBoth(), says: { kind: "undecided", source: image } },
    {
      when: "by tag too, at an image that its owner pinned",
      seen: followedBoth({ image: `app${digest}`, source: `app${digest}` }),
      says: { kind: "undecided", source },
    },
    {
      when: "by tag too, at an image that Pawl pinned",
      seen: followedBoth({ image: `${image}${digest}`, source: `${image}${digest}`, isPinned: true }),
      says: { kind: "undecided", source: `${image}${digest}` },
    },
    { when: "with no container to follow", seen: followed({ digests: off }), says: { reason: "digest-pinned" } },
    {
      when: "with a tag alone to follow",
      seen: followedBoth({ digests: off }),
      says: { kind: "undecided", source: image },
    },
    { when: "paused", seen: followed({ policy: { paused: true } }), says: { reason: "paused" } },
    { when: "with a problem", seen: followed({ problems: ["last-digest"] }), says: { kind: "problem" } },
    {
      when: "not due",
      seen: followed({ policy: { schedule: "@daily" }, bookkeeping: { lastCheck: noon } }),
      says: { reason: "not-due" },
    },
    { when: "neither", seen: workload({ source }), says: { reason: "no-published-image" } },
    {
      when: "while it is being deleted",
      seen: followed({ digests: { isHeldBack: true } }),
      says: { reason: "being-deleted" },
    },
    {
      when: "while it is being deleted in mid-flight",
      seen: restarting({ digests: { isHeldBack: true } }),
      says: { reason: "being-deleted" },
    },
    { when: "restarted, and in flight", seen: restarting(), says: { kind: "adopt" } },
    {
      when: "restarted, and the restart was undone",
      seen: restarting({ restartedAt: null }),
      says: { reason: "changed-by-hand", detail: expect.stringContaining("the restart was taken back") },
    },
  ])("$when", ({ seen, says }) => {
    expect(decideWithoutTags(seen, noon)).toMatchObject(says);
  });
});
