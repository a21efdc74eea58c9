import { describe, expect, test } from "vitest";
import { changedFrom, formatDigests, parseDigests, sameDigests } from "../../functions/domain/digests.ts";
import { parseImageReference } from "../../functions/domain/image-reference.ts";
import { trackedContainers, unknownContainers } from "../../functions/domain/tracked-containers.ts";
import { digest } from "../support/followed.ts";

// What kubernetes-image-updater tests of itself, and where Pawl differs on purpose.

test.for([
  ["nginx:latest", "registry-1.docker.io", "library/nginx", "latest"],
  ["myregistry.io/myorg/app:v1.2.3", "myregistry.io", "myorg/app", "v1.2.3"],
  ["localhost:5000/myapp:dev", "localhost:5000", "myapp", "dev"],
  ["ghcr.io/owner/app:main", "ghcr.io", "owner/app", "main"],
  ["quay.io/org/app:v2", "quay.io", "org/app", "v2"],
  ["myuser/app:1", "registry-1.docker.io", "myuser/app", "1"],
  // Its bugs: skipped without a tag, split at the port, and `localhost` taken for a user of Docker Hub.
  ["nginx", "registry-1.docker.io", "library/nginx", null],
  ["host:5000/x", "host:5000", "x", null],
  ["localhost/x:t", "localhost", "x", "t"],
] as const)("the image %s is of %s, %s, tag %s", ([text, registry, repository, tag]) => {
  expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest: null });
});

test("an image with a digest keeps its tag apart from it", () => {
  expect(parseImageReference(`app:1@${digest(1)}`)).toMatchObject({ tag: "1", digest: digest(1) });
});

describe("which containers are followed", () => {
  const names = ["nginx", "sidecar", "proxy", "logger"];
  test.for([
    { says: "nothing", track: undefined, ignore: undefined, followed: names },
    { says: "nothing in both", track: "", ignore: " , ", followed: names },
    { says: "two to track, with blanks", track: " nginx , sidecar ", ignore: undefined, followed: names.slice(0, 2) },
    { says: "two to track, and nothing", track: "nginx,,sidecar,", ignore: undefined, followed: names.slice(0, 2) },
    { says: "two to ignore", track: undefined, ignore: "proxy,logger", followed: names.slice(0, 2) },
    { says: "all to ignore", track: undefined, ignore: names.join(","), followed: [] },
    { says: "one both to track and to ignore", track: "nginx", ignore: "nginx,sidecar", followed: ["nginx"] },
    { says: "an unknown one to track", track: "web", ignore: undefined, followed: [] },
    { says: "an unknown one to ignore", track: undefined, ignore: "web", followed: names },
  ])("$says: $followed", ({ track, ignore, followed }) => {
    expect(trackedContainers(names, { track, ignore })).toEqual(followed);
  });

  test("of no containers none", () => {
    expect(trackedContainers([], { track: undefined, ignore: undefined })).toEqual([]);
    expect(trackedContainers([], { track: "nginx", ignore: undefined })).toEqual([]);
  });

  test("those that are asked for and that nobody has are said, which the original does not do", () => {
    expect(unknownContainers(names, { track: "nginx, web,db", ignore: "nobody" })).toEqual(["web", "db"]);
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
  ])("$text is of $first", ({ text, first, digests }) => {
    expect(parseDigests(text, first)).toEqual(digests);
  });

  test.for(["-", "app", "app:latest", `:${digest(1)}`, `app:${digest(1)},side`, "sha256:abc", `a:b:${digest(1)}`])(
    "%s cannot be read",
    (text) => expect(parseDigests(text, "app")).toBeNull(),
  );

  test("is written by name, and reads as it was", () => {
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
    expect(changedFrom(before, now)).toEqual(changed);
    expect(sameDigests(before, now)).toBe(same);
  });
});
