import { describe, expect, test } from "vitest";
import { findImage } from "../../../functions/domain/git/find-image.ts";
import type { GitTarget } from "../../../functions/domain/git/git-target.ts";
import { writeImage } from "../../../functions/domain/git/write-image.ts";

const target: GitTarget = { namespace: "shop", autoUpdate: "web", image: "ghcr.io/org/app", application: null };
const mark = (part = "") => `# {"$imagepolicy": "shop:web${part}"}`;
const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const next = `ghcr.io/org/app:1.1.0@${digest}`;

function find(text: string) {
  return findImage(new Map([["a.yaml", text]]), target);
}

function write(text: string, image = next) {
  const written = writeImage(new Map([["a.yaml", text]]), target, image);
  return written.kind === "written" ? (written.files.get("a.yaml") ?? text) : written;
}

describe("a marker", () => {
  test.for([
    {
      field: "a whole reference",
      text: `image: ghcr.io/org/app:1.0.0 ${mark()}\n`,
      image: "ghcr.io/org/app:1.0.0",
      written: `image: ${next} ${mark()}\n`,
    },
    {
      field: "a tag",
      text: `tag: "1.0.0"   ${mark(":tag")}\r\nb: 1`,
      image: "ghcr.io/org/app:1.0.0",
      written: `tag: "1.1.0"   ${mark(":tag")}\r\nb: 1`,
    },
    {
      field: "a digest",
      text: `digest: 'sha256:${"0".repeat(64)}' ${mark(":digest")}`,
      image: `ghcr.io/org/app@sha256:${"0".repeat(64)}`,
      written: `digest: '${digest}' ${mark(":digest")}`,
    },
    {
      field: "each part",
      text: `name: org/app ${mark(":name")}\ntag: v1 ${mark(":tag")}\ndigest: sha256:${"0".repeat(64)} ${mark(":digest")}\n`,
      image: `org/app:v1@sha256:${"0".repeat(64)}`,
      written: `name: ghcr.io/org/app ${mark(":name")}\ntag: 1.1.0 ${mark(":tag")}\ndigest: ${digest} ${mark(":digest")}\n`,
    },
  ])("on $field is read and written", ({ text, image, written }) => {
    expect(find(text)).toEqual({ kind: "found", image, paths: ["a.yaml"] });
    expect(write(text)).toBe(written);
  });
});
