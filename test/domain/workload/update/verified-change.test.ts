import { describe, expect, test } from "vitest";
import type { VerificationOutcome } from "../../../../functions/domain/signature/outcome.ts";
import type { Target } from "../../../../functions/domain/workload/target/target.ts";
import type { RuleScope } from "../../../../functions/domain/signature/rule.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  imagesToProve,
  restartedDigest,
  restartsToProve,
  verificationFailure,
  withRestartedDigest,
  withoutPrevious,
  withVerifiedDigest,
} from "../../../../functions/domain/workload/update/verified-change.ts";
import { parseDigests } from "../../../../functions/domain/workload/digest/digests.ts";
import type { Change } from "../../../../functions/domain/workload/update/change.ts";
import { digest, digestWorkload, prod, restartTarget } from "../../../support/digest-workloads.ts";
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

const pinnedInPlace = workload({ image: `${image}@${digest(6)}` });
const ruled: readonly RuleScope[] = [{ repositories: ["registry.example"], namespaces: null, mode: "enforce" }];

describe("an update must not start", () => {
  test.for<{
    when: string;
    of?: ReturnType<typeof workload>;
    to?: Target;
    by?: VerificationOutcome;
    rules?: readonly RuleScope[];
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
    {
      when: "a restart with a digest in place, unverified",
      of: pinnedInPlace,
      to: restart,
      by: unverified,
      reason: null,
    },
    { when: "a digest of one image", of: digestWorkload(), to: restartTarget, by: verified, reason: null },
    {
      when: "a digest, unverified",
      of: digestWorkload(),
      to: restartTarget,
      by: unverified,
      reason: "is not verified",
    },
    { when: "a digest beside another image", of: twoImages, to: restartTarget, by: verified, reason: null },
    {
      when: "a digest with pin: tag",
      of: digestWorkload({ policy: { pin: "tag" } }),
      to: restartTarget,
      by: verified,
      rules: ruled,
      reason: "pin: tag",
    },
    {
      when: "a restart with pin: tag",
      of: workload({ policy: { pin: "tag" } }),
      to: restart,
      by: verified,
      rules: ruled,
      reason: "pin: tag",
    },
    {
      when: "a restart with pin: tag, without a rule",
      of: workload({ policy: { pin: "tag" } }),
      to: restart,
      by: unmatched,
      reason: null,
    },
    { when: "a restart that demands a rule", of: demanding, to: restart, by: unmatched, reason: "its policy requires" },
    {
      when: "a restart that demands a rule, with one",
      of: demanding,
      to: restart,
      by: verified,
      rules: ruled,
      reason: null,
    },
    {
      when: "a digest beside another image, where a rule is demanded",
      of: { ...twoImages, policy: demanding.policy },
      to: restartTarget,
      by: verified,
      rules: [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }],
      reason: "its policy requires",
    },
  ])("$when: $reason", ({ of = workload(), to = updateTarget, by, rules, reason }) => {
    const found = verificationFailure(of, to, by, rules);
    expect([found === null, found ?? ""]).toEqual([reason === null, expect.stringContaining(reason ?? "")]);
  });
});

describe("a restart", () => {
  const both = `app:${digest(2)},proxy:${digest(3)}`;
  const config: Target = { kind: "config", image, digest: "config:1" };
  const proxy = "registry.example/proxy:1";
  const changing = (digests: string | null): Change => ({
    restart: new Date(0),
    inFlight: { ...inFlight, digests: digests === null ? null : parseDigests(digests) },
  });
  const onlyProxy: readonly RuleScope[] = [
    { repositories: ["registry.example/proxy"], namespaces: null, mode: "enforce" },
  ];

  test.for<{
    what: string;
    of?: Workload;
    to: Target;
    digests?: string | null;
    rules?: readonly RuleScope[];
    pulls: readonly (readonly [string | null, string])[];
  }>([
    {
      what: "for digests: each container its own",
      of: twoImages,
      to: restartTarget,
      digests: both,
      pulls: [
        ["app", `${prod}@${digest(2)}`],
        ["proxy", `${proxy}@${digest(3)}`],
      ],
    },
    {
      what: "for digests, without one of them",
      of: digestWorkload(),
      to: restartTarget,
      digests: null,
      pulls: [["app", prod]],
    },
    {
      what: "for digests, where one has a rule",
      of: twoImages,
      to: restartTarget,
      digests: both,
      rules: onlyProxy,
      pulls: [["proxy", `${proxy}@${digest(3)}`]],
    },
    {
      what: "for a digest beside the image that is tracked by tag",
      of: digestWorkload({ image, digests: { containers: [{ name: "proxy", image: proxy }] } }),
      to: { ...restartTarget, image: proxy },
      digests: `proxy:${digest(3)}`,
      pulls: [
        [null, image],
        ["proxy", `${proxy}@${digest(3)}`],
      ],
    },
    { what: "for its configuration: its tag", to: config, pulls: [[null, image]] },
    { what: "of a person: its tag", to: restart, pulls: [[null, image]] },
    { what: "with a digest in place", of: pinnedInPlace, to: config, pulls: [] },
    { what: "of an unknown image", of: workload({ image: null }), to: config, pulls: [] },
    {
      what: "for its configuration, with a digest, a pin and a tag",
      of: digestWorkload({
        digests: {
          containers: [
            { name: "app", image: prod },
            { name: "proxy", image: proxy, digest: digest(3) },
            { name: "pinned", image: proxy },
          ],
          pinned: { pinned: digest(4) },
        },
      }),
      to: config,
      pulls: [["app", prod]],
    },
    { what: "is none: an update", to: updateTarget, pulls: [] },
  ])("pulls $what", ({ of = workload(), to, digests = null, rules = ruled, pulls }) => {
    const found = restartsToProve(of, changing(digests), { target: to, scopes: rules });
    expect(found.map((one) => [one.container, one.image])).toEqual(pulls);
  });

  test("that is not written pulls nothing", () => {
    expect(restartsToProve(workload(), { inFlight: null }, { target: config, scopes: ruled })).toEqual([]);
  });

  test("writes what was verified beside the tags", () => {
    expect(withRestartedDigest({}, { container: null, image }, digest(7))).toEqual({ image: `${image}@${digest(7)}` });
    const change = { written: { app: digest(1), other: null } };
    expect(withRestartedDigest(change, { container: "app", image: `${prod}@${digest(7)}` }, digest(7))).toEqual({
      written: { app: digest(7), other: null },
    });
  });

  test.for<{ by: VerificationOutcome | undefined; of: string; is: string | null }>([
    { by: verified, of: prod, is: digest(7) },
    { by: verified, of: `${prod}@${digest(7)}`, is: digest(7) },
    { by: verified, of: `${prod}@${digest(6)}`, is: null },
    { by: verified, of: proxy, is: null },
    { by: unmatched, of: prod, is: null },
    { by: { ...verified, digest: null }, of: prod, is: null },
    { by: undefined, of: prod, is: null },
  ])("knows the digest of $of by $by.kind: $is", ({ by, of, is }) => {
    expect(restartedDigest({ target: restartTarget, verification: by }, of)).toBe(is);
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
