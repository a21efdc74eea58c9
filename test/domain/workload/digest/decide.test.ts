import { describe, expect, test } from "vitest";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { digestWorkload, tagAndDigestWorkload, restartingWorkload } from "../../../support/digest-workloads.ts";
import { image, noon, workload } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const digest = `@sha256:${"a".repeat(64)}`;

describe("decideWithoutTags of a workload tracked by digest", () => {
  const source = null;
  const off = { containers: [] };
  test.for<{ when: string; initial: Workload; expected: object }>([
    { when: "by digest alone", initial: digestWorkload(), expected: { kind: "undecided", source } },
    { when: "by tag too", initial: tagAndDigestWorkload(), expected: { kind: "undecided", source: image } },
    {
      when: "by tag too, pinned by its owner",
      initial: tagAndDigestWorkload({ image: `app${digest}`, source: `app${digest}` }),
      expected: { kind: "undecided", source },
    },
    {
      when: "by tag too, pinned by Pawl",
      initial: tagAndDigestWorkload({ image: `${image}${digest}`, source: `${image}${digest}`, isPinnedByPawl: true }),
      expected: { kind: "undecided", source: `${image}${digest}` },
    },
    {
      when: "with no tracked container",
      initial: digestWorkload({ digests: off }),
      expected: { reason: "digest-pinned" },
    },
    {
      when: "tracked by tag alone",
      initial: tagAndDigestWorkload({ digests: off }),
      expected: { kind: "undecided", source: image },
    },
    { when: "paused", initial: digestWorkload({ policy: { paused: true } }), expected: { reason: "paused" } },
    {
      when: "with a problem",
      initial: digestWorkload({ problems: problemsOf("last-digest") }),
      expected: { kind: "problem" },
    },
    {
      when: "not due",
      initial: digestWorkload({ policy: { schedule: "@daily" }, updateRecord: { lastCheck: noon } }),
      expected: { reason: "not-due" },
    },
    { when: "neither", initial: workload({ source }), expected: { reason: "no-published-image" } },
    {
      when: "while it is being deleted",
      initial: digestWorkload({ digests: { isBlockedByFinalizer: true } }),
      expected: { reason: "being-deleted" },
    },
    {
      when: "while it is being deleted during an update",
      initial: restartingWorkload({ digests: { isBlockedByFinalizer: true } }),
      expected: { reason: "being-deleted" },
    },
    { when: "with a restart in flight", initial: restartingWorkload(), expected: { kind: "adopt" } },
    {
      when: "with a restart that was undone",
      initial: restartingWorkload({ restartedAt: null }),
      expected: { reason: "manual-change", detail: expect.stringContaining("the restart was reverted") },
    },
  ])("$when", ({ initial, expected }) => {
    expect(decideWithoutTags(initial, noon)).toMatchObject(expected);
  });
});
