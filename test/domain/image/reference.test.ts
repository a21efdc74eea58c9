import { describe, expect, test } from "vitest";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
} from "../../../functions/domain/image/reference.ts";

const hub = "registry-1.docker.io";
const hex = "0123456789abcdef".repeat(4);
const sha256 = `sha256:${hex}`;
const sha512 = `sha512:${hex}${hex}`;
const sha384 = `sha384:${hex}${"a".repeat(32)}`;
const blake3 = `blake3:${hex}`;

function at(registry: string, repository: string, tag: string | null = null, digest: string | null = null) {
  return { registry, repository, tag, digest } satisfies ImageReference;
}

describe("a valid reference is parsed, and formatted in full", () => {
  test.for([
    { text: "nginx", image: at(hub, "library/nginx"), formatted: "docker.io/library/nginx" },
    { text: "nginx:1.27", image: at(hub, "library/nginx", "1.27"), formatted: "docker.io/library/nginx:1.27" },
    { text: "org/app:1", image: at(hub, "org/app", "1"), formatted: "docker.io/org/app:1" },
    { text: "docker.io/nginx", image: at(hub, "library/nginx"), formatted: "docker.io/library/nginx" },
    { text: "index.docker.io/org/app", image: at(hub, "org/app"), formatted: "docker.io/org/app" },
    { text: "registry-1.docker.io/nginx", image: at(hub, "library/nginx"), formatted: "docker.io/library/nginx" },
    {
      text: "localhost:5000",
      image: at(hub, "library/localhost", "5000"),
      formatted: "docker.io/library/localhost:5000",
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
    {
      text: "REGISTRY.example.com/app",
      image: at("registry.example.com", "app"),
      formatted: "registry.example.com/app",
    },
    { text: "xn--7o8h.com/my.app/a_b/c__d/e---f", image: at("xn--7o8h.com", "my.app/a_b/c__d/e---f") },
    { text: "ghcr.io/app:_1.2-RC_3", image: at("ghcr.io", "app", "_1.2-RC_3") },
    { text: `ghcr.io/app@${sha256}`, image: at("ghcr.io", "app", null, sha256) },
    { text: `ghcr.io/app:1.2@${sha256}`, image: at("ghcr.io", "app", "1.2", sha256) },
    { text: `ghcr.io/app@${sha512}`, image: at("ghcr.io", "app", null, sha512) },
    { text: `ghcr.io/app@${sha384}`, image: at("ghcr.io", "app", null, sha384) },
    { text: `ghcr.io/app@${blake3}`, image: at("ghcr.io", "app", null, blake3) },
    { text: "ghcr.io:65535/app", image: at("ghcr.io:65535", "app") },
    { text: `ghcr.io/${"a".repeat(255)}`, image: at("ghcr.io", "a".repeat(255)) },
    { text: `ghcr.io/app:${"a".repeat(128)}`, image: at("ghcr.io", "app", "a".repeat(128)) },
  ])("$text", ({ text, image, formatted = text }) => {
    expect(parseImageReference(text)).toEqual(image);
    expect(formatImageReference(image)).toBe(formatted);
  });
});

describe("an invalid reference names its invalid part", () => {
  test.for([
    { text: "", part: "", reason: "is empty: use an image such as nginx:1.27" },
    { text: "nginx :1", part: "nginx :1", reason: "contains whitespace" },
    { text: "nginx:1\n", part: "nginx:1\n", reason: "contains whitespace" },
    { text: "https://ghcr.io/app:1", part: "https://ghcr.io/app:1", reason: "is a URL: remove https://" },
    { text: hex, part: hex, reason: "is an image ID and names no repository" },
    { text: "-bad.example.com/app", part: "-bad.example.com", reason: "is not a registry host" },
    { text: "ghcr.io:port/app", part: "ghcr.io:port", reason: "is not a registry host" },
    { text: "[::1%eth0]/app", part: "[::1%eth0]", reason: "is not a registry host" },
    { text: "evil.example:99999/x", part: "evil.example:99999", reason: "a port is from 1 to 65535" },
    { text: "evil.example:0/x", part: "evil.example:0", reason: "a port is from 1 to 65535" },
    { text: "[::1]:65536/x", part: "[::1]:65536", reason: "a port is from 1 to 65535" },
    { text: "999.1.1.1/x", part: "999.1.1.1", reason: "it is not an address" },
    { text: "[:::]/x", part: "[:::]", reason: "it is not an address" },
    { text: "xn--.example/x", part: "xn--.example", reason: "is not a registry host" },
    { text: "ghcr..io/app", part: "ghcr..io", reason: "is not a registry host" },
    { text: "Nginx:1", part: "Nginx", reason: "must be lower case: nginx" },
    { text: "ghcr.io/Org/app", part: "Org", reason: "must be lower case: org" },
    { text: "ghcr.io/a...b", part: "a...b", reason: "is not a repository name" },
    { text: "ghcr.io/-a", part: "-a", reason: "is not a repository name" },
    { text: "ghcr.io/a:b/c", part: "a:b", reason: "is not a repository name" },
    { text: "ghcr.io/a//b", part: "a//b", reason: "has an empty component" },
    { text: "/app", part: "/app", reason: "has an empty component" },
    { text: ":1.2", part: "library/", reason: "has an empty component" },
    { text: `ghcr.io/${"a".repeat(256)}`, part: "a".repeat(256), reason: "is longer than 255 characters" },
    { text: "nginx:", part: ":", reason: "has no tag after it" },
    { text: "nginx:.1", part: ".1", reason: "is not a tag" },
    { text: "nginx:1:2", part: "1:2", reason: "is not a tag" },
    { text: `nginx:${"a".repeat(129)}`, part: "a".repeat(129), reason: "is longer than 128 characters" },
    { text: "nginx@", part: "", reason: "is not a digest: use sha256:" },
    { text: "nginx@latest", part: "latest", reason: "is not a digest" },
    { text: "nginx@md5:abc", part: "md5:abc", reason: "is not a digest" },
    {
      text: `name@invaliddigest:${"f".repeat(64)}`,
      part: `invaliddigest:${"f".repeat(64)}`,
      reason: "is not a digest: use sha256:",
    },
    { text: `nginx@sha1:${"a".repeat(40)}`, part: `sha1:${"a".repeat(40)}`, reason: "use sha256:" },
    { text: `nginx@${sha256}0`, part: `${sha256}0`, reason: "sha256 has 64 hexadecimal digits" },
    { text: `nginx@${sha512.slice(0, -1)}`, part: sha512.slice(0, -1), reason: "sha512 has 128 hexadecimal digits" },
    { text: "nginx@sha256:abc", part: "sha256:abc", reason: "sha256 has 64 hexadecimal digits, in lower case" },
    { text: `nginx@sha256:${hex.toUpperCase()}`, part: `sha256:${hex.toUpperCase()}`, reason: "in lower case" },
    { text: `nginx@sha384:${hex}`, part: `sha384:${hex}`, reason: "sha384 has 96 hexadecimal digits" },
  ])("$text: $reason", ({ text, part, reason }) => {
    expect(parseImageReference(text)).toEqual({ kind: "invalid", part, reason: expect.stringContaining(reason) });
  });
});
