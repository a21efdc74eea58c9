import { describe, expect, test } from "vitest";
import {
  changedContainers,
  formatDigests,
  parseDigests,
  isSameDigests,
} from "../../../../functions/domain/workload/digest/digests.ts";
import { parseImageReference } from "../../../../functions/domain/image/reference.ts";
import { trackedContainers, unknownContainers } from "../../../../functions/domain/workload/digest/tracking.ts";
import { digest } from "../../../support/digest-workloads.ts";

// Cases of kubernetes-image-updater's own tests, and the intended differences.

test.for([
  ["nginx:latest", "registry-1.docker.io", "library/nginx", "latest"],
  ["myregistry.io/myorg/app:v1.2.3", "myregistry.io", "myorg/app", "v1.2.3"],
  ["localhost:5000/myapp:dev", "localhost:5000", "myapp", "dev"],
  ["ghcr.io/owner/app:main", "ghcr.io", "owner/app", "main"],
  ["quay.io/org/app:v2", "quay.io", "org/app", "v2"],
  ["myuser/app:1", "registry-1.docker.io", "myuser/app", "1"],
  // Its bugs: skipped without a tag, split at the port, and `localhost` parsed as a user of Docker Hub.
  ["nginx", "registry-1.docker.io", "library/nginx", null],
  ["host:5000/x", "host:5000", "x", null],
  ["localhost/x:t", "localhost", "x", "t"],
] as const)("the image %s is of %s, %s, tag %s", ([text, registry, repository, tag]) => {
  expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest: null });
});

describe("the tracked containers", () => {
  const names = ["nginx", "sidecar", "proxy", "logger"];
  test.for([
    { when: "neither is set", track: undefined, ignore: undefined, expected: names },
    { when: "both are blank", track: "", ignore: " , ", expected: names },
    { when: "two are ignored", track: undefined, ignore: "proxy,logger", expected: names.slice(0, 2) },
    { when: "all are ignored", track: undefined, ignore: names.join(","), expected: [] },
    { when: "one is both tracked and ignored", track: "nginx", ignore: "nginx,sidecar", expected: ["nginx"] },
    { when: "an unknown one is tracked", track: "web", ignore: undefined, expected: [] },
    { when: "an unknown one is ignored", track: undefined, ignore: "web", expected: names },
  ])("$when: $expected", ({ track, ignore, expected }) => {
    expect(trackedContainers(names, { track, ignore })).toEqual(expected);
  });

  test("are none if there are no containers", () => {
    expect(trackedContainers([], { track: undefined, ignore: undefined })).toEqual([]);
    expect(trackedContainers([], { track: "nginx", ignore: undefined })).toEqual([]);
  });

  test("unknown names are reported, unlike in the original", () => {
    expect(unknownContainers(names, { track: "nginx, web,db", ignore: "missing" })).toEqual(["web", "db"]);
    expect(unknownContainers(names, { track: undefined, ignore: undefined })).toEqual([]);
  });
});

describe("last-digest", () => {
  test.for([
    { text: "", first: "app", digests: {} },
    { text: `app:${digest(1)}`, first: "app", digests: { app: digest(1) } },
    { text: `a:${digest(1)},b:${digest(2)}`, first: "a", digests: { a: digest(1), b: digest(2) } },
    { text: ` b:${digest(2)} ,, a:${digest(1)},`, first: "a", digests: { a: digest(1), b: digest(2) } },
    // Its first releases wrote the digest alone: that of the first container.
    { text: digest(1), first: "app", digests: { app: digest(1) } },
    { text: ` ${digest(1)}\n`, first: "app", digests: { app: digest(1) } },
    { text: `sha384:${"a".repeat(96)}`, first: "app", digests: { app: `sha384:${"a".repeat(96)}` } },
    { text: digest(1), first: null, digests: {} },
  ])("$text with first container $first", ({ text, first, digests }) => {
    expect(parseDigests(text, first)).toEqual(digests);
  });

  test.for(["-", "app", "app:latest", `:${digest(1)}`, `app:${digest(1)},side`, "sha256:abc", `a:b:${digest(1)}`])(
    "%s is invalid",
    (text) => expect(parseDigests(text, "app")).toBeNull(),
  );

  test("is formatted by name and parses to the same digests", () => {
    const digests = { web: digest(3), "app-b": digest(2), app: digest(1) };
    const text = `app:${digest(1)},app-b:${digest(2)},web:${digest(3)}`;
    expect(formatDigests(digests)).toBe(text);
    expect(parseDigests(text)).toEqual(digests);
    expect(formatDigests({})).toBe("");
  });

  const before = { a: digest(1), b: digest(2) };
  test.for([
    { when: "the same", now: { b: digest(2), a: digest(1) }, changed: [], same: true },
    { when: "another", now: { a: digest(3), b: digest(2) }, changed: ["a"], same: false },
    { when: "one more", now: { ...before, c: digest(3) }, changed: ["c"], same: false },
    { when: "one less", now: { a: digest(1) }, changed: [], same: false },
  ])("$when: changed $changed, same $same", ({ now, changed, same }) => {
    expect(changedContainers(before, now)).toEqual(changed);
    expect(isSameDigests(before, now)).toBe(same);
  });
});
