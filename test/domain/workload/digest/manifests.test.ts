import { expect, test } from "vitest";
import { decideByDigest } from "../../../../functions/domain/workload/digest/decide-by-digest.ts";
import { formatManifests, parseManifests } from "../../../../functions/domain/workload/digest/digests.ts";
import { digest, digestWorkload } from "../../../support/digest-workloads.ts";
import { noon } from "../../../support/workloads.ts";

test.for([
  { when: "one container", manifests: { app: [digest(2), digest(8)] }, text: `app:${digest(2)},app:${digest(8)}` },
  { when: "two", manifests: { b: [digest(3)], a: [digest(2)] }, text: `a:${digest(2)},b:${digest(3)}` },
  { when: "none", manifests: {}, text: "" },
])("manifests of $when are formatted and parsed", ({ manifests, text }) => {
  expect(formatManifests(manifests)).toBe(text);
  expect(parseManifests(text)).toEqual(manifests);
});

test("invalid manifests are skipped", () => {
  expect(parseManifests(`app:${digest(2)},app,:x,app:latest`)).toEqual({ app: [digest(2)] });
});

test.for([
  { count: 64, isKnown: true },
  { count: 65, isKnown: false },
])("an index with $count digests is carried to the execution: $isKnown", ({ count, isKnown }) => {
  const app = Array.from({ length: count }, (_, index) => digest(index + 2));
  const decision = decideByDigest(digestWorkload(), null, { tagDigests: { app }, running: null }, noon);
  expect("manifests" in decision).toBe(isKnown);
});
