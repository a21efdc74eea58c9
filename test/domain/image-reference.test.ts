import { describe, expect, test } from "vitest";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
} from "../../functions/domain/image-reference.ts";

const hub = "registry-1.docker.io";
const hex = "0123456789abcdef".repeat(4);
const sha256 = `sha256:${hex}`;
const sha512 = `sha512:${hex}${hex}`;
const tarsum = `tarsum.v1+sha1:${"A".repeat(32)}`;

function at(registry: string, repository: string, tag: string | null = null, digest: string | null = null) {
  return { registry, repository, tag, digest } satisfies ImageReference;
}

describe("a reference is taken apart and printed in full", () => {
  test.for([
    { text: "nginx", image: at(hub, "library/nginx"), printed: "docker.io/library/nginx" },
    { text: "nginx:1.27", image: at(hub, "library/nginx", "1.27"), printed: "docker.io/library/nginx:1.27" },
    { text: "org/app:1", image: at(hub, "org/app", "1"), printed: "docker.io/org/app:1" },
    { text: "docker.io/nginx", image: at(hub, "library/nginx"), printed: "docker.io/library/nginx" },
    { text: "index.docker.io/org/app", image: at(hub, "org/app"), printed: "docker.io/org/app" },
    { text: "registry-1.docker.io/nginx", image: at(hub, "library/nginx"), printed: "docker.io/library/nginx" },
    {
      text: "localhost:5000",
      image: at(hub, "library/localhost", "5000"),
      printed: "docker.io/library/localhost:5000",
    },
    { text: "docker.io/library/nginx:1", image: at(hub, "library/nginx", "1") },
    { text: "docker.io/org/team/app:1", image: at(hub, "org/team/app", "1") },
    { text: "ghcr.io/org/app:v1.2.0", image: at("ghcr.io", "org/app", "v1.2.0") },
    { text: "ghcr.io/app", image: at("ghcr.io", "app") },
    { text: "registry:5000/org/repo:1.2.0", image: at("registry:5000", "org/repo", "1.2.0") },
    { text: "registry:5000/org/repo", image: at("registry:5000", "org/repo") },
    { text: "localhost/app:1", image: at("localhost", "app", "1") },
    { text: "127.0.0.1:5000/app", image: at("127.0.0.1:5000", "app") },
    { text: "[::1]:5000/org/app:1", image: at("[::1]:5000", "org/app", "1") },
    { text: "[2001:db8::1]/app", image: at("[2001:db8::1]", "app") },
    { text: "Foo/bar:1", image: at("Foo", "bar", "1") },
    { text: "REGISTRY.example.com/app", image: at("REGISTRY.example.com", "app") },
    { text: "xn--7o8h.com/my.app/a_b/c__d/e---f", image: at("xn--7o8h.com", "my.app/a_b/c__d/e---f") },
    { text: "ghcr.io/app:_1.2-RC_3", image: at("ghcr.io", "app", "_1.2-RC_3") },
    { text: `ghcr.io/app@${sha256}`, image: at("ghcr.io", "app", null, sha256) },
    { text: `ghcr.io/app:1.2@${sha256}`, image: at("ghcr.io", "app", "1.2", sha256) },
    { text: `ghcr.io/app@${sha512}`, image: at("ghcr.io", "app", null, sha512) },
    { text: `ghcr.io/app@${tarsum}`, image: at("ghcr.io", "app", null, tarsum) },
    { text: `ghcr.io/${"a".repeat(255)}`, image: at("ghcr.io", "a".repeat(255)) },
    { text: `ghcr.io/app:${"a".repeat(128)}`, image: at("ghcr.io", "app", "a".repeat(128)) },
  ])("$text", ({ text, image, printed = text }) => {
    expect(parseImageReference(text)).toEqual(image);
    expect(formatImageReference(image)).toBe(printed);
  });
});

describe("what is no reference is named", () => {
  test.for([
    { text: "", part: "", why: "is empty: write an image such as nginx:1.27" },
    { text: "nginx :1", part: "nginx :1", why: "contains a blank" },
    { text: "nginx:1\n", part: "nginx:1\n", why: "contains a blank" },
    { text: "https://ghcr.io/app:1", part: "https://ghcr.io/app:1", why: "is a URL: leave out https://" },
    { text: hex, part: hex, why: "is an id and names no repository" },
    { text: "-bad.example.com/app", part: "-bad.example.com", why: "is not a registry's host" },
    { text: "ghcr.io:port/app", part: "ghcr.io:port", why: "is not a registry's host" },
    { text: "[::1%eth0]/app", part: "[::1%eth0]", why: "is not a registry's host" },
    { text: "ghcr..io/app", part: "ghcr..io", why: "is not a registry's host" },
    { text: "Nginx:1", part: "Nginx", why: "must be lower case: nginx" },
    { text: "ghcr.io/Org/app", part: "Org", why: "must be lower case: org" },
    { text: "ghcr.io/a...b", part: "a...b", why: "is not a repository's name" },
    { text: "ghcr.io/-a", part: "-a", why: "is not a repository's name" },
    { text: "ghcr.io/a:b/c", part: "a:b", why: "is not a repository's name" },
    { text: "ghcr.io/a//b", part: "a//b", why: "has an empty component" },
    { text: "/app", part: "/app", why: "has an empty component" },
    { text: ":1.2", part: "library/", why: "has an empty component" },
    { text: `ghcr.io/${"a".repeat(256)}`, part: "a".repeat(256), why: "is longer than 255 characters" },
    { text: "nginx:", part: ":", why: "has no tag after it" },
    { text: "nginx:.1", part: ".1", why: "is not a tag" },
    { text: "nginx:1:2", part: "1:2", why: "is not a tag" },
    { text: `nginx:${"a".repeat(129)}`, part: "a".repeat(129), why: "is longer than 128 characters" },
    { text: "nginx@", part: "", why: "is not a digest: write it as sha256:" },
    { text: "nginx@latest", part: "latest", why: "is not a digest" },
    { text: "nginx@md5:abc", part: "md5:abc", why: "is not a digest" },
    { text: "nginx@sha256:abc", part: "sha256:abc", why: "sha256 has 64 hexadecimal digits, in lower case" },
    { text: `nginx@sha256:${hex.toUpperCase()}`, part: `sha256:${hex.toUpperCase()}`, why: "in lower case" },
    { text: `nginx@sha384:${hex}`, part: `sha384:${hex}`, why: "sha384 has 96 hexadecimal digits" },
  ])("$text: $why", ({ text, part, why }) => {
    expect(parseImageReference(text)).toEqual({ kind: "invalid", part, reason: expect.stringContaining(why) });
  });
});
