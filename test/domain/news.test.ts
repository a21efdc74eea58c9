import { describe, expect, test } from "vitest";
import { consequencesOf, isNothing } from "../../functions/domain/check-consequences.ts";
import type { Decision } from "../../functions/domain/decision.ts";
import {
  canaryPromoted,
  circuitOpened,
  restartStarted,
  updateAvailable,
  updateStarted,
  updateSucceeded,
} from "../../functions/domain/news.ts";
import { digest, followed, second } from "../support/followed.ts";
import { noon, target, workload } from "../support/workloads.ts";

const version = `prod@${digest(2)}`;

test.for([
  [updateAvailable(workload(), "1.1.0", target), "Version 1.1.0 is available"],
  [
    updateAvailable(workload({ bookkeeping: { currentVersion: "1.0.0" } }), "1.1.0", target),
    "Version 1.1.0 is available, current is 1.0.0",
  ],
  [updateStarted(target, "e-1"), `Updating to ${target} (execution e-1)`],
  [
    updateStarted(target, "e-1", { unit: "percent", amount: 25 }),
    `Updating to ${target} with a canary of 25 % (execution e-1)`,
  ],
  [
    updateStarted(target, "e-1", { unit: "replicas", amount: 2 }),
    `Updating to ${target} with a canary of 2 (execution e-1)`,
  ],
  [restartStarted(second, "e-1"), `Restarting for what stands behind the tag now: ${second} (execution e-1)`],
  [canaryPromoted(target, "e-1"), `The canary of ${target} was found good: all replicas follow (execution e-1)`],
  [updateSucceeded(second, "e-1"), `Updated to ${second} (execution e-1)`],
  [
    circuitOpened(workload({ bookkeeping: { rollbackCount: 3 } }), second, "e-1"),
    "Circuit opened after 3 rollbacks: nothing newer is applied until it is reset",
  ],
] as const)("%#: %s", ([news, message]) => {
  expect(news.message).toBe(message);
});

test("a restart is told as an update is, and its version is the tag and the digest", () => {
  const { event, type, reason, key } = updateStarted(second, "e-1");
  expect(restartStarted(second, "e-1")).toMatchObject({ event, type, reason, key, version, image: second });
});

describe("what a poll tells of a restart that it starts", () => {
  const decision: Decision = { kind: "update", version, image: second, restart: true, digests: { app: digest(2) } };

  test("is that there is something new, and nothing is written", () => {
    const record = consequencesOf(followed(), decision, noon);
    expect(record).toMatchObject({ change: null, news: [{ event: "Update Available", version, image: second }] });
    expect(isNothing(record)).toBe(false);
  });

  test("is nothing where that was told before", () => {
    expect(isNothing(consequencesOf(followed({ bookkeeping: { availableVersion: version } }), decision, noon))).toBe(
      true,
    );
  });

  test("is what a hold says, where it holds", () => {
    const paused: Decision = { kind: "hold", reason: "paused", detail: "it is paused", version: null, image: null };
    expect(consequencesOf(followed(), paused, noon)).toEqual({ change: null, news: [] });
  });
});
