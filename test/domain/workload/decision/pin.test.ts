import { describe, expect, test } from "vitest";
import { digestGate } from "../../../../functions/domain/gates/gates.ts";
import { suspendedGate } from "../../../../functions/domain/gates/suspended.ts";
import {
  cannotPinReason,
  pinFailure,
  pinProblems,
  withResolved,
} from "../../../../functions/domain/workload/decision/pin.ts";
import {
  imageOfTarget,
  isSameTarget,
  type Target,
  versionOfTarget,
  writtenImage,
} from "../../../../functions/domain/workload/target/target.ts";
import type { VerificationOutcome } from "../../../../functions/domain/signature/outcome.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { isCancelled } from "../../../../functions/domain/workload/update/completion.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import {
  completeRollout,
  image,
  noon,
  ownRecord,
  target,
  updateTarget,
  updatingWorkload,
  workload,
  type WorkloadParts,
} from "../../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const child = `sha256:${"b".repeat(64)}`;
const resolved = { digest, manifests: [] };

describe("a target has the digest that its tag resolves to, which is written with it", () => {
  test.for([
    { when: "the image has none", runs: image, pin: undefined, is: false },
    { when: "the image has one beside its tag", runs: `${image}@${digest}`, pin: undefined, is: true },
    { when: "the image has only a digest", runs: `registry.example/app@${digest}`, pin: undefined, is: false },
    { when: "the policy says so", runs: image, pin: "digest", is: true },
    { when: "the policy says never", runs: `${image}@${digest}`, pin: "tag", is: false },
    { when: "no image is known", runs: null, pin: undefined, is: false },
  ] as const)("if $when: $is", ({ runs, pin, is }) => {
    const initial = workload({ image: runs, ...(pin === undefined ? {} : { policy: { pin } }) });
    const found = withResolved(initial, updateTarget, resolved);
    expect(found).toEqual({ ...updateTarget, digest, ...(is ? { pinned: true } : {}) });
    expect(writtenImage(found)).toBe(is ? `${target}@${digest}` : target);
  });

  test("if a gate judges it, which the policy does not ask for", () => {
    expect(withResolved(workload(), updateTarget, resolved, "signature")).toMatchObject({ pinned: true });
  });

  test.for([
    { of: "a rollback of a restart that pinned the digest", parts: { isPinnedByPawl: true }, pin: undefined },
    { of: "a kind that records its own updates", parts: { record: ownRecord }, pin: "digest" },
  ] as const)("not for $of", ({ parts, pin }) => {
    const initial = workload({
      image: `${image}@${digest}`,
      ...parts,
      ...(pin === undefined ? {} : { policy: { pin } }),
    });
    expect(withResolved(initial, updateTarget, resolved)).not.toHaveProperty("pinned");
  });

  test("and the manifests of its platforms, at most 64", () => {
    const manifests = [
      { digest: child, platform: "linux/amd64" },
      { digest, platform: null },
    ];
    expect(withResolved(workload(), updateTarget, { digest, manifests })).toMatchObject({ manifests: [child] });
    const many = Array.from({ length: 65 }, () => ({ digest: child, platform: "linux/amd64" }));
    expect(withResolved(workload(), updateTarget, { digest, manifests: many }).manifests).toHaveLength(64);
  });
});

test("the gate that judges a digest is found by its own predicate", () => {
  const gate = { ...suspendedGate, name: "signature", needsDigest: () => true };
  expect(digestGate(workload())).toBeNull();
  expect(digestGate(workload(), [{ ...gate, needsDigest: () => false }, suspendedGate])).toBeNull();
  expect(digestGate(workload(), [suspendedGate, gate])).toBe("signature");
});

test.for([
  { when: "of a Deployment, with a gate", parts: {}, pin: "digest", gate: "signature", reason: null },
  { when: "of a Claw", parts: { record: ownRecord }, pin: undefined, gate: null, reason: null },
  { when: "of a Claw that wants a tag", parts: { record: ownRecord }, pin: "tag", gate: null, reason: null },
  {
    when: "of a Claw that wants a digest",
    parts: { record: ownRecord },
    pin: "digest",
    gate: null,
    reason: "pawl.dev/pin",
  },
  {
    when: "of a Claw with a gate",
    parts: { record: ownRecord },
    pin: undefined,
    gate: "signature",
    reason: "the gate signature",
  },
] as const)("the target $when can be pinned: $reason", ({ parts, pin, gate, reason }) => {
  const found = cannotPinReason(workload({ ...parts, ...(pin === undefined ? {} : { policy: { pin } }) }), gate);
  expect(found ?? "pinnable").toContain(reason ?? "pinnable");
});

test("a policy that forbids the digest that a gate judges is a problem, which names its place", () => {
  const forbidden = workload({
    policy: { pin: "tag" },
    rawPolicy: rawPolicy({ pin: "tag" }, "spec.policy."),
  });
  expect(pinProblems(forbidden, null)).toEqual([]);
  expect(pinProblems(workload({ policy: { pin: "digest" } }), "signature")).toEqual([]);
  expect(pinProblems(forbidden, "signature")).toMatchObject([{ field: "spec.policy.pin", code: "InvalidValue" }]);
  expect(pinProblems({ ...forbidden, rawPolicy: {} }, "signature")).toMatchObject([{ field: "pawl.dev/pin" }]);
});

test("an update of a workload whose image is not known any more counts as reverted once its owner disables it", () => {
  expect(isCancelled(workload({ image: null, policy: { optIn: "no" } }), updateTarget)).toBe(true);
  expect(isCancelled(workload({ image: `${target}@${digest}`, policy: { optIn: "no" } }), updateTarget)).toBe(false);
});

test("a target with a digest is of the same version as without, and is written with both", () => {
  const pinned = { ...updateTarget, digest, pinned: true } as const;
  expect(isSameTarget(pinned, updateTarget)).toBe(true);
  expect(versionOfTarget(pinned)).toBe(versionOfTarget(updateTarget));
  expect(writtenImage(pinned)).toBe(`${target}@${digest}`);
  expect(imageOfTarget(pinned)).toBe(`${target}@${digest}`);
});

describe("an execution writes the digest that it was started with", () => {
  const pinned = { ...updateTarget, digest, pinned: true } as const;
  const written = `${target}@${digest}`;
  const verified = { kind: "verified", digest, reason: "signed" } as const;
  const canary = { ...completeRollout, image: written };
  test.for<{ when: string; parts?: WorkloadParts; of?: Target; by?: VerificationOutcome; may: boolean }>([
    { when: "nothing asks for one", may: false },
    { when: "its rules only warn", by: { ...verified, kind: "warned" }, may: false },
    { when: "the digest in place is another one, of a rollback", parts: { isPinnedByPawl: true }, may: false },
    { when: "the policy says never", parts: { policy: { pin: "tag" } }, may: false },
    { when: "it was verified", by: verified, may: true },
    { when: "the policy says so", parts: { policy: { pin: "digest" } }, may: true },
    { when: "the image has one", parts: { image: `${image}@${digest}` }, may: true },
    { when: "a canary runs it", parts: { canary }, may: true },
    { when: "all replicas run it", parts: { image: written, isPinnedByPawl: true }, may: true },
    { when: "it writes the tag alone", of: updateTarget, may: true },
    { when: "it is a restart", of: { kind: "restart", image, request: "r" }, may: true },
  ])("if $when: $may", ({ parts = {}, of = pinned, by, may }) => {
    const failure = pinFailure(workload(parts), of, by);
    expect(failure ?? "written").toMatch(may ? "written" : /neither its policy nor its image asks/);
  });

  test("an adopting one neither, which loses the claim", () => {
    expect(adopt(updatingWorkload(), "e-2", pinned, noon)).toMatchObject({ kind: "superseded", change: null });
    expect(adopt(updatingWorkload(), "e-2", updateTarget, noon)).toMatchObject({ kind: "adopted" });
  });
});
