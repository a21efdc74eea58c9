import { expect, test } from "vitest";
import { whyNot } from "../../functions/domain/why-not-apply.ts";
import type { Digests } from "../../functions/domain/tracking.ts";
import { digest, followed, type FollowedParts, second } from "../support/followed.ts";
import { after, noon, target, workload } from "../support/workloads.ts";

const version = `prod@${digest(2)}`;

function refusal(parts: FollowedParts, digests: Digests | null = { app: digest(2) }) {
  return whyNot(followed(parts), { image: second, isRestart: true, digests }, noon);
}

const former = [{ app: digest(2) }];
const stood = { since: after(-60), digests: { app: digest(2) } };

test.for<{ when: string; parts: FollowedParts; reason: string | null }>([
  { when: "nothing speaks against it", parts: {}, reason: null },
  { when: "it is seen for the first time", parts: { digests: { last: {} } }, reason: null },
  { when: "it was switched off", parts: { policy: { enabled: false } }, reason: "auto-update is not switched on" },
  { when: "it was paused", parts: { policy: { paused: true } }, reason: "updates are paused" },
  { when: "a value cannot be read any more", parts: { problems: ["a", "b"] }, reason: "a; b" },
  { when: "the circuit has opened", parts: { bookkeeping: { circuitOpen: true } }, reason: "the circuit is open" },
  {
    when: "the digest has failed meanwhile",
    parts: { bookkeeping: { failedVersions: [version] } },
    reason: `${version} has failed before`,
  },
  {
    when: "its container is no longer followed",
    parts: { digests: { containers: [{ name: "app", image: "app:other" }] } },
    reason: "no container is followed any more that runs registry.example/shop/app:prod",
  },
  {
    when: "another execution restarted it for that since the poll looked",
    parts: { digests: { last: { app: digest(2) } } },
    reason: "it was started with these digests last",
  },
  {
    when: "another execution went on to the next since the poll looked",
    parts: { digests: { last: { app: digest(3) }, former } },
    reason: "it has left these digests behind meanwhile",
  },
  {
    when: "the tag went back an hour ago",
    parts: { digests: { last: { app: digest(3) }, former, returning: stood } },
    reason: null,
  },
])("a restart, when $when: $reason", ({ parts, reason }) => {
  expect(refusal(parts)).toBe(reason);
});

test("a restart of what is not followed by digest any more", () => {
  const seen = { ...followed(), digests: null };
  expect(whyNot(seen, { image: second, isRestart: true, digests: {} }, noon)).toMatch(/no container is followed/);
});

test("a restart that does not say for what is none", () => {
  expect(refusal({}, null)).toBe("it was started with these digests last");
});

test("an update by tag is asked about its tag", () => {
  expect(whyNot(workload(), { image: target }, noon)).toBeNull();
  expect(whyNot(workload({ image: target }), { image: target }, noon)).toBe("version 1.1.0 runs already");
});
