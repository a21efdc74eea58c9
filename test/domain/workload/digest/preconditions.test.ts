import { expect, test } from "vitest";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import { digest, digestWorkload, type DigestWorkloadParts, restartTarget } from "../../../support/digest-workloads.ts";
import { after, noon, target, workload, updateTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const version = `prod@${digest(2)}`;

function failure(parts: DigestWorkloadParts, digests: Digests | null = { app: digest(2) }) {
  return preconditionFailure(digestWorkload(parts), { target: restartTarget, digests }, noon);
}

const previous = [{ app: digest(2) }];
const confirmed = { since: after(-60), digests: { app: digest(2) } };

test.for<{ when: string; parts: DigestWorkloadParts; reason: string | null }>([
  { when: "every precondition holds", parts: {}, reason: null },
  { when: "no digest is recorded", parts: { digests: { deployed: {} } }, reason: null },
  { when: "it was disabled", parts: { policy: { optIn: "no" } }, reason: "auto-update is disabled" },
  { when: "it was paused", parts: { policy: { paused: true } }, reason: "it is suspended, or pawl.dev/paused is set" },
  { when: "a setting is invalid", parts: { problems: problemsOf("a", "b") }, reason: "a; b" },
  { when: "the circuit is open", parts: { updateRecord: { circuitOpen: true } }, reason: "the circuit is open" },
  {
    when: "the digest has failed since",
    parts: { updateRecord: { failedVersions: [version] } },
    reason: `${version} has failed before`,
  },
  {
    when: "its container is no longer tracked",
    parts: { digests: { containers: [{ name: "app", image: "app:other" }] } },
    reason: "no tracked container runs registry.example/shop/app:prod",
  },
  {
    when: "another execution has deployed these digests since the poll",
    parts: { digests: { deployed: { app: digest(2) } } },
    reason: "these digests are already deployed",
  },
  {
    when: "another execution has deployed newer digests since the poll",
    parts: { digests: { deployed: { app: digest(3) }, previous } },
    reason: "a newer restart has replaced these digests",
  },
  {
    when: "the tag moved back an hour ago",
    parts: { digests: { deployed: { app: digest(3) }, previous, reverted: confirmed } },
    reason: null,
  },
])("preconditionFailure of a restart when $when: $reason", ({ parts, reason }) => {
  expect(failure(parts)).toBe(reason);
});

test("rejects a restart of a workload that is no longer tracked by digest", () => {
  const initial = { ...digestWorkload(), digests: null };
  expect(preconditionFailure(initial, { target: restartTarget, digests: {} }, noon)).toMatch(
    /no tracked container runs/,
  );
});

test("rejects a restart without digests", () => {
  expect(failure({}, null)).toBe("these digests are already deployed");
});

test("checks the tag of an update by tag", () => {
  expect(preconditionFailure(workload(), { target: updateTarget, digests: null }, noon)).toBeNull();
  expect(preconditionFailure(workload({ image: target }), { target: updateTarget, digests: null }, noon)).toBe(
    "version 1.1.0 is already running",
  );
});
