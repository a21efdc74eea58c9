import { describe, expect, test } from "vitest";
import type { VerificationOutcome } from "../../../../functions/domain/signature/outcome.ts";
import type { Target } from "../../../../functions/domain/workload/target/target.ts";
import type { RuleScope } from "../../../../functions/domain/signature/rule.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  imagesToProve,
  otherImageReason,
  verificationFailure,
  verifiedPins,
  withoutPrevious,
  withVerifiedDigest,
} from "../../../../functions/domain/workload/update/verified-change.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import { digest, digestWorkload, restartTarget } from "../../../support/digest-workloads.ts";
import { claw, image, imageTarget, inFlight, target, updateTarget, workload } from "../../../support/workloads.ts";

const verified: VerificationOutcome = { kind: "verified", digest: digest(7), reason: "signed by key release.pub" };
const unverified: VerificationOutcome = { kind: "unverified", digest: null, reason: "no valid signature" };
const unmatched: VerificationOutcome = { kind: "unmatched", digest: null, reason: "no rule is for it" };

const release: Target = { kind: "release", image, number: 3 };
const restart: Target = { kind: "restart", image, request: "1" };
const demanding = workload({ policy: { isVerifyRequired: true } });
const tracked = digestWorkload().digests!;
const twoImages = digestWorkload({
  digests: { ...tracked, containers: [...tracked.containers, { name: "proxy", image: "registry.example/proxy:1" }] },
});

describe("an update must not start", () => {
  test.for<{
    when: string;
    of?: ReturnType<typeof workload>;
    to?: Target;
    by?: VerificationOutcome;
    reason: string | null;
  }>([
    { when: "unverified", by: unverified, reason: "the image is not verified: no valid signature" },
    {
      when: "unknown",
      by: { ...unverified, kind: "unknown" },
      reason: "the image is not verified: no valid signature",
    },
    { when: "verified", by: verified, reason: null },
    { when: "without a rule", by: unmatched, reason: null },
    { when: "by a machine before it", reason: null },
    { when: "a release that ran before", to: release, by: unverified, reason: null },
    { when: "a restart, unverified", to: restart, by: unverified, reason: "the image is not verified" },
    { when: "a restart, verified", to: restart, by: verified, reason: null },
    { when: "a demand without a rule", of: demanding, by: unmatched, reason: "its policy requires a verified image" },
    {
      when: "a demand with a warning",
      of: demanding,
      by: { ...unmatched, kind: "warned" },
      reason: "its policy requires",
    },
    { when: "a demand that is met", of: demanding, by: verified, reason: null },
    { when: "a Claw", of: claw(), by: verified, reason: "the image of a Claw is a tag" },
    {
      when: "a digest that its owner named",
      of: claw(),
      to: imageTarget(`${target}@${digest(7)}`),
      by: verified,
      reason: null,
    },
    { when: "pin: tag", of: workload({ policy: { pin: "tag" } }), by: verified, reason: "pin: tag" },
    { when: "a digest of one image", of: digestWorkload(), to: restartTarget, by: verified, reason: null },
    {
      when: "a digest beside another image",
      of: twoImages,
      to: restartTarget,
      by: verified,
      reason: "only one can be verified",
    },
    {
      when: "a digest of nothing that is tracked",
      to: restartTarget,
      by: verified,
      reason: "only one can be verified",
    },
  ])("$when: $reason", ({ of = workload(), to = updateTarget, by, reason }) => {
    const found = verificationFailure(of, to, by);
    expect([found === null, found ?? ""]).toEqual([reason === null, expect.stringContaining(reason ?? "")]);
  });
});

describe("a restart for a digest", () => {
  test("pins all containers to what was verified", () => {
    expect(verifiedPins(digestWorkload(), restartTarget, verified)).toEqual({ written: { app: digest(7) } });
    expect(verifiedPins(workload(), restartTarget, verified)).toEqual({ written: {} });
  });

  test.for([
    { to: updateTarget, by: verified },
    { to: restartTarget, by: unmatched },
    { to: restartTarget, by: undefined },
    { to: restartTarget, by: { ...verified, digest: null } },
  ])("pins nothing to $to.kind by $by.kind", ({ to, by }) => {
    expect(verifiedPins(digestWorkload(), to, by)).toEqual({});
  });
});

const scopes: readonly RuleScope[] = [
  { repositories: ["registry.example"], namespaces: ["shop"], mode: "enforce" },
  { repositories: ["warned.example"], namespaces: null, mode: "warn" },
];
const knownBy = (verification: VerificationOutcome | undefined, by: readonly RuleScope[] = []) => ({
  target: updateTarget,
  verification,
  scopes: by,
});

test("of a workload whose image is not known, the verified image alone is written", () => {
  const unknown = workload({ image: null });
  expect(imagesToProve(unknown, { image: target }, knownBy(verified))).toEqual([target]);
  expect(imagesToProve(unknown, { pins: { app: digest(6) } }, knownBy(verified))).toEqual([]);
});

describe("a change writes what has to be proved", () => {
  const pinned = `${target}@${digest(7)}`;
  const evil = `${target}@${digest(6)}`;
  const other = "registry.example/proxy:1";
  const canary = (of: string): Change => ({ canary: { image: of, size: { amount: 1, unit: "replicas" } as never } });
  const spec = { containers: [{ name: "app", image: evil }, { name: "none" }] };
  const ofTwo = {
    containers: [
      { name: "app", image: target },
      { name: "proxy", image: other },
    ],
  };

  test.for<{
    what: string;
    change: Change;
    by?: VerificationOutcome;
    rules?: readonly RuleScope[];
    of?: Workload;
    found: readonly string[];
  }>([
    { what: "the verified image", change: { image: pinned }, by: verified, found: [] },
    { what: "its tag", change: { image: target }, by: verified, found: [target] },
    { what: "another digest", change: { image: evil }, by: verified, found: [evil] },
    {
      what: "the digest in another repository",
      change: { image: `evil.example/app@${digest(7)}` },
      by: verified,
      found: [`evil.example/app@${digest(7)}`],
    },
    { what: "what is no image", change: { image: "::" }, by: verified, found: ["::"] },
    { what: "a canary of another digest", change: canary(evil), by: verified, found: [evil] },
    { what: "a canary that is removed", change: { canary: null }, by: verified, found: [] },
    { what: "a pod template", change: { template: { spec } }, by: verified, found: [evil] },
    {
      what: "an init container",
      change: { template: { spec: { containers: [], initContainers: spec.containers } } },
      by: verified,
      found: [evil],
    },
    { what: "what is in place", change: { image }, by: unverified, found: [] },
    { what: "anything, unverified", change: { image: pinned }, by: unverified, found: [pinned] },
    {
      what: "anything, verified without a digest",
      change: { image: target },
      by: { ...verified, digest: null },
      found: [target],
    },
    { what: "no image", change: { image: null }, by: unverified, found: [] },
    { what: "anything without a rule", change: { image: evil }, by: unmatched, found: [] },
    { what: "anything by a machine before it, without a rule", change: { image: evil }, found: [] },
    { what: "anything by a machine before it", change: { image: evil }, rules: scopes, found: [evil] },
    {
      what: "a container of another repository",
      change: { template: { spec: ofTwo } },
      by: unmatched,
      rules: scopes,
      found: [target, other],
    },
    {
      what: "what a rule only warns of",
      change: { image: "warned.example/app:1" },
      by: unmatched,
      rules: scopes,
      found: [],
    },
    { what: "what no rule is for", change: { image: "free.example/app:1" }, by: unmatched, rules: scopes, found: [] },
    {
      what: "what is no image, without a rule of the target",
      change: { image: "::" },
      by: unmatched,
      rules: scopes,
      found: [],
    },
    {
      what: "an image for another namespace",
      change: { image: evil },
      rules: scopes,
      of: workload({ ref: { ...workload().ref, namespace: "other" } }),
      found: [],
    },
  ])("$what", ({ change, by, rules = [], of = workload(), found }) => {
    expect(imagesToProve(of, change, knownBy(by, rules))).toEqual(found);
  });

  const pinnedTo = (number: number) => `${image}@${digest(number)}`;
  const known = (by: VerificationOutcome | undefined) => ({ ...knownBy(by), target: imageTarget(image) });
  test.for<{ pins?: Change["pins"]; written?: Change["written"]; by?: VerificationOutcome; found: readonly string[] }>([
    { pins: { app: digest(7) }, by: verified, found: [] },
    { pins: { app: digest(6) }, by: verified, found: [pinnedTo(6)] },
    { pins: { app: digest(6) }, by: unverified, found: [pinnedTo(6)] },
    { pins: { app: digest(6) }, by: unmatched, found: [] },
    { pins: { app: digest(6) }, found: [] },
    { by: verified, found: [] },
    { written: { app: digest(6), other: null }, by: verified, found: [pinnedTo(6)] },
  ])("pins $pins and $written by $by.kind: $found", ({ pins = {}, written = {}, by, found }) => {
    expect(imagesToProve(workload(), { pins, written }, known(by))).toEqual(found);
  });

  test("the pin of a container is judged by its own image", () => {
    expect(imagesToProve(twoImages, { pins: { proxy: digest(6) } }, knownBy(unmatched, scopes))).toEqual([
      `${other}@${digest(6)}`,
    ]);
  });
});

describe("an image that is verified for itself", () => {
  const previous = "registry.example/app:0.9.0";
  const pinned = `${previous}@${digest(3)}`;
  test.for<{ what: string; of?: Workload; change: Change; is?: string; written: Change | null }>([
    { what: "is written by digest", change: { image: previous }, written: { image: pinned } },
    { what: "stays by its digest", change: { image: pinned }, is: pinned, written: { image: pinned } },
    {
      what: "is not written by another digest",
      change: { image: `${previous}@${digest(4)}` },
      is: `${previous}@${digest(4)}`,
      written: null,
    },
    { what: "is not written in a template", change: {}, written: null },
    { what: "is not written as a tag of a Claw", of: claw(), change: { image: previous }, written: null },
  ])("$what", ({ of = workload(), change, is = previous, written }) => {
    expect(withVerifiedDigest(of, change, is, digest(3))).toEqual(written);
  });
});

test("an update without a time before it has neither an image nor digests to restore", () => {
  const unknown = withoutPrevious(workload(), inFlight);
  expect([unknown.inFlight.previousImage, unknown.workload.digests]).toEqual([null, null]);
  const { containers } = withoutPrevious(digestWorkload(), inFlight).workload.digests!;
  expect(containers.flatMap((one) => one.digest ?? [])).toEqual([]);
});

describe("a restart for a digest that no rule is for", () => {
  test.for([
    {
      what: "restarts a container that has one",
      of: twoImages,
      to: restartTarget,
      by: scopes,
      reason: "containers with another image are tracked by digest too, and only one can be verified",
    },
    { what: "restarts no other", of: twoImages, to: restartTarget, by: [], reason: null },
    { what: "restarts nothing that is tracked", of: workload(), to: restartTarget, by: scopes, reason: null },
    { what: "is an image", of: twoImages, to: updateTarget, by: scopes, reason: null },
  ])("$what", ({ of, to, by, reason }) => {
    const found = [otherImageReason(of, to, by), verificationFailure(of, to, unmatched, by)];
    expect(found).toEqual([reason, reason]);
  });
});
