import { expect, test } from "vitest";
import { classify, digestOf, stateTowards, willReboot } from "../../../functions/domain/node-pool/classify.ts";
import { approved, digestA, digestB, failing, member, rebooting, staged, staging, updated } from "./pools.ts";

test.for([
  { when: "equal digest, Idle", of: updated, state: "up-to-date" },
  { when: "equal digest, no conditions", of: { ...updated, idle: null }, state: "up-to-date" },
  { when: "equal digest, still Rebooting", of: { ...rebooting, ...updated }, state: "up-to-date" },
  { when: "equal digest, Degraded", of: { ...updated, ...failing }, state: "degraded" },
  { when: "other digest, Staging and Degraded", of: { ...staging, ...failing }, state: "degraded" },
  { when: "nothing booted, Degraded", of: { bootedDigest: null, ...failing }, state: "degraded" },
  { when: "nothing booted", of: { bootedDigest: null, idle: null }, state: "pending" },
  { when: "nothing booted, Staging", of: { ...staging, bootedDigest: null }, state: "pending" },
  { when: "other digest, Idle", of: {}, state: "pending" },
  { when: "other digest, no conditions", of: { idle: null }, state: "pending" },
  { when: "other digest, Staging", of: staging, state: "staging" },
  { when: "other digest, Staged", of: staged, state: "staged" },
  { when: "other digest, Rebooting", of: rebooting, state: "rebooting" },
  { when: "an image without a digest", of: { desiredImage: "quay.io/example/myos:1" }, state: "pending" },
])("$when: $state", ({ of, state }) => {
  expect(classify(member("w1", of).bootcNode)).toBe(state);
});

test.for([
  { when: "it runs what it was asked for", of: updated, state: "up-to-date" },
  { when: "it runs what it was asked for before", of: updated, target: digestA, state: "pending" },
  { when: "it has staged something else", of: staged, target: digestA, state: "pending" },
  { when: "it reports an error", of: failing, target: digestA, state: "degraded" },
])("towards the target, $when: $state", ({ of, target = digestB, state }) => {
  expect(stateTowards(member("w1", of).bootcNode, target)).toBe(state);
});

test.for([
  { when: "told to", of: approved, will: true },
  { when: "told to, and it did", of: { ...approved, ...updated }, will: false },
  { when: "not told to", of: staged, will: false },
])("reboots for its image, $when: $will", ({ of, will }) => {
  expect(willReboot(member("w1", of).bootcNode)).toBe(will);
});

test("a digest stands after the @", () => {
  expect(digestOf(`quay.io/example/myos:9@${digestA}`)).toBe(digestA);
  expect(digestOf("quay.io/example/myos:9")).toBeNull();
});
