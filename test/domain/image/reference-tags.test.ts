import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatImageReference,
  isDigestPinned,
  parseImageReference,
  replaceTag,
  isSameImage,
  tagOf,
  withTag,
} from "../../../functions/domain/image/reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

test.for([
  { text: "ghcr.io/org/app:1.2.0", tag: "1.2.0" },
  { text: "registry:5000/org/repo:1.2.0", tag: "1.2.0" },
  { text: "registry:5000/org/repo", tag: "" },
  { text: "repo:latest", tag: "latest" },
  { text: "repo", tag: "" },
  { text: "repo:v0.1.0-rc1", tag: "v0.1.0-rc1" },
  { text: `repo@${digest}`, tag: "" },
  { text: `[::1]:5000/repo:1.2@${digest}`, tag: "1.2" },
  { text: "", tag: "" },
])("the tag of $text is $tag", ({ text, tag }) => {
  expect(tagOf(text)).toBe(tag);
});

test.for([
  { text: "nginx:1.2", replaced: "nginx:1.3" },
  { text: "nginx", replaced: "nginx:1.3" },
  { text: "docker.io/library/nginx:1.2", replaced: "docker.io/library/nginx:1.3" },
  { text: "registry:5000/org/repo", replaced: "registry:5000/org/repo:1.3" },
  { text: "[::1]:5000/repo:1.2", replaced: "[::1]:5000/repo:1.3" },
  { text: `nginx:1.2@${digest}`, replaced: "nginx:1.3" },
  { text: `nginx@${digest}`, replaced: "nginx:1.3" },
])("$text at 1.3 is $replaced", ({ text, replaced }) => {
  expect(replaceTag(text, "1.3")).toBe(replaced);
});

test.for([
  { text: "app:1.0.0", pinned: false },
  { text: "app:latest", pinned: false },
  { text: "", pinned: false },
  { text: `app@${digest}`, pinned: true },
  { text: `app:1.0.0@${digest}`, pinned: true },
  { text: "app@sha256:abc", pinned: true },
  { text: "app@tarsum.v1+sha1:abc", pinned: true },
])("$text is pinned by digest: $pinned", ({ text, pinned }) => {
  expect(isDigestPinned(text)).toBe(pinned);
});

test.for([
  { a: "nginx:1.2", b: "docker.io/library/nginx:1.2", same: true },
  { a: "nginx", b: "index.docker.io/nginx:latest", same: true },
  { a: "ghcr.io/app:1", b: "ghcr.io/app:1", same: true },
  { a: "nginx:1.2", b: "nginx:1.3", same: false },
  { a: "ghcr.io/nginx:1.2", b: "nginx:1.2", same: false },
  { a: `nginx@${digest}`, b: `docker.io/library/nginx@${digest}`, same: true },
  { a: `nginx@${digest}`, b: "nginx:latest", same: false },
  { a: "not an image", b: "not an image", same: true },
  { a: "not an image", b: "nginx", same: false },
  { a: "", b: "nginx", same: false },
])("$a and $b are the same: $same", ({ a, b, same }) => {
  expect(isSameImage(a, b)).toBe(same);
});

test("withTag keeps registry and repository, and removes the digest", () => {
  const image = { registry: "ghcr.io", repository: "org/app", tag: "1.2", digest };
  expect(withTag(image, "1.3")).toEqual({ registry: "ghcr.io", repository: "org/app", tag: "1.3", digest: null });
});

describe("for any reference", () => {
  const component = fc.stringMatching(/^[a-z0-9]{1,5}((\.|_|__|-{1,3})[a-z0-9]{1,5}){0,2}$/);
  const path = fc.array(component, { minLength: 1, maxLength: 4 }).map((components) => components.join("/"));
  const hub = fc.constantFrom("org/", "docker.io/", "index.docker.io/", "registry-1.docker.io/");
  const other = fc.constantFrom("ghcr.io/", "Local/", "localhost/", "r:5000/", "10.0.0.1:80/", "[::1]:5000/");
  const name = fc.oneof(fc.constantFrom("nginx", "a__b"), fc.tuple(fc.oneof(hub, other), path));
  const tag = fc.oneof(fc.constant(""), fc.stringMatching(/^:[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/));
  const reference = fc.tuple(name, tag, fc.constantFrom("", `@${digest}`)).map((parts) => parts.flat().join(""));

  test("formatting and parsing are inverse", () => {
    fc.assert(
      fc.property(reference, (text) => {
        const image = parseImageReference(text);
        if ("kind" in image) throw new Error(image.reason);
        const formatted = formatImageReference(image);
        const again = parseImageReference(formatted);
        expect(again).toEqual(image);
        expect("kind" in again ? again : formatImageReference(again)).toBe(formatted);
        expect(isSameImage(text, formatted)).toBe(true);
      }),
    );
  });

  test("replaceTag changes only the tag", () => {
    fc.assert(
      fc.property(reference, (text) => {
        const replaced = replaceTag(text, "9.9");
        expect(tagOf(replaced)).toBe("9.9");
        const before = parseImageReference(text);
        if ("kind" in before) throw new Error(before.reason);
        expect(parseImageReference(replaced)).toEqual(withTag(before, "9.9"));
      }),
    );
  });
});
