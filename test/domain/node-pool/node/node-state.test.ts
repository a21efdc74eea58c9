import { expect, test } from "vitest";
import {
  classifyNode,
  parseDigest,
  stateForTarget,
  willReboot,
} from "../../../../functions/domain/node-pool/node/node-state.ts";
import { approved, digestA, digestB, failing, member, rebooting, staged, staging, updated } from "../pools.ts";

test.for([
  { when: "equal digest, Idle", bootc: updated, state: "up-to-date" },
  { when: "equal digest, no conditions", bootc: { ...updated, idle: null }, state: "up-to-date" },
  { when: "equal digest, still Rebooting", bootc: { ...rebooting, ...updated }, state: "up-to-date" },
  { when: "equal digest, Degraded", bootc: { ...updated, ...failing }, state: "degraded" },
  { when: "other digest, Staging and Degraded", bootc: { ...staging, ...failing }, state: "degraded" },
  { when: "nothing booted, Degraded", bootc: { bootedDigest: null, ...failing }, state: "degraded" },
  { when: "nothing booted", bootc: { bootedDigest: null, idle: null }, state: "pending" },
  { when: "nothing booted, Staging", bootc: { ...staging, bootedDigest: null }, state: "pending" },
  { when: "other digest, Idle", bootc: {}, state: "pending" },
  { when: "other digest, no conditions", bootc: { idle: null }, state: "pending" },
  { when: "other digest, Staging", bootc: staging, state: "staging" },
  { when: "other digest, Staged", bootc: staged, state: "staged" },
  { when: "other digest, Rebooting", bootc: rebooting, state: "rebooting" },
  { when: "an image without a digest", bootc: { desiredImage: "quay.io/example/myos:1" }, state: "pending" },
])("$when: $state", ({ bootc, state }) => {
  expect(classifyNode(member("w1", bootc).bootcNode)).toBe(state);
});

test.for([
  { when: "it runs its desired image", bootc: updated, state: "up-to-date" },
  { when: "it runs its previous desired image", bootc: updated, target: digestA, state: "pending" },
  { when: "it has staged another image", bootc: staged, target: digestA, state: "pending" },
  { when: "it reports an error", bootc: failing, target: digestA, state: "degraded" },
])("relative to the target, $when: $state", ({ bootc, target = digestB, state }) => {
  expect(stateForTarget(member("w1", bootc).bootcNode, target)).toBe(state);
});

test.for([
  { when: "approved", bootc: approved, expected: true },
  { when: "approved, and it has rebooted", bootc: { ...approved, ...updated }, expected: false },
  { when: "not approved", bootc: staged, expected: false },
])("will reboot, $when: $expected", ({ bootc, expected }) => {
  expect(willReboot(member("w1", bootc).bootcNode)).toBe(expected);
});

test("the digest follows the @", () => {
  expect(parseDigest(`quay.io/example/myos:9@${digestA}`)).toBe(digestA);
  expect(parseDigest("quay.io/example/myos:9")).toBeNull();
});
