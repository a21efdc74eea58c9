import { describe, expect, test } from "vitest";
import { targetToPin } from "../../../../functions/domain/workload/decision/pin.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import {
  imageOfTarget,
  isSameTarget,
  versionOfTarget,
  writtenImage,
} from "../../../../functions/domain/workload/target/target.ts";
import { isCancelled } from "../../../../functions/domain/workload/update/completion.ts";
import { image, ownRecord, target, updateTarget, workload } from "../../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const update = { kind: "update", target: updateTarget } as const;

describe("a tag is resolved to a digest that is written with it", () => {
  test.for([
    { when: "the image has none", runs: image, pin: undefined, is: false },
    { when: "the image has one beside its tag", runs: `${image}@${digest}`, pin: undefined, is: true },
    { when: "the image has only a digest", runs: `registry.example/app@${digest}`, pin: undefined, is: false },
    { when: "the policy says so", runs: image, pin: "digest", is: true },
    { when: "the policy says never", runs: `${image}@${digest}`, pin: "tag", is: false },
    { when: "no image is known", runs: null, pin: undefined, is: false },
  ] as const)("if $when: $is", ({ runs, pin, is }) => {
    const initial = workload({ image: runs, ...(pin === undefined ? {} : { policy: { pin } }) });
    expect(targetToPin(initial, update)).toEqual(is ? updateTarget : null);
  });

  test.for([
    { of: "a rollback of a restart that pinned the digest", parts: { isPinnedByPawl: true } },
    { of: "a kind whose owner names the whole image", parts: { requestedImage: target } },
    { of: "a kind that records its own updates", parts: { record: ownRecord } },
  ])("not for $of", ({ parts }) => {
    expect(targetToPin(workload({ image: `${image}@${digest}`, ...parts }), update)).toBeNull();
  });

  test("and only for an update to an image", () => {
    const initial = workload({ policy: { pin: "digest" } });
    expect(targetToPin(initial, hold("paused", ""))).toBeNull();
    expect(targetToPin(initial, { kind: "update", target: { kind: "restart", image, request: "r" } })).toBeNull();
  });
});

test("an update of a workload whose image is not known any more counts as reverted once its owner disables it", () => {
  expect(isCancelled(workload({ image: null, policy: { optIn: "no" } }), updateTarget)).toBe(true);
  expect(isCancelled(workload({ image: `${target}@${digest}`, policy: { optIn: "no" } }), updateTarget)).toBe(false);
});

test("a target with a digest is of the same version as without, and is written with both", () => {
  const pinned = { ...updateTarget, digest };
  expect(isSameTarget(pinned, updateTarget)).toBe(true);
  expect(versionOfTarget(pinned)).toBe(versionOfTarget(updateTarget));
  expect(writtenImage(pinned)).toBe(`${target}@${digest}`);
  expect(imageOfTarget(pinned)).toBe(`${target}@${digest}`);
});
