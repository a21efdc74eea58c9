import { describe, expect, test } from "vitest";
import { findImage } from "../../../functions/domain/git/find-image.ts";
import { find, mark, next, target, write, zero } from "./cases.ts";

const path = "apps/kustomization.yaml";
const app = "ghcr.io/org/app";
const atField = "; write it behind a field, as in image: NAME:TAG # MARKER";

describe("files that name no image that could be written", () => {
  test.for([
    {
      when: "no file has a marker",
      files: { "a.yaml": `image: ${app}:1` },
      reason: `no file names ${app}; add the comment # {"$imagepolicy":"shop:web"} behind the field with the image`,
    },
    {
      when: "the marker is on a line of its own",
      files: { "a.yaml": `a: b\n${mark()}\nimage: ${app}:1` },
      reason: `a.yaml:2: the marker is on a line of its own${atField}`,
    },
    {
      when: "it is on the first line, after a byte order mark",
      files: { "a.yaml": `\uFEFF${mark()}\nimage: ${app}:1` },
      reason: `a.yaml:1: the marker is on a line of its own${atField}`,
    },
    {
      when: "it is on an item of a list",
      files: { "a.yaml": `a:\n- ${app}:1 ${mark()}` },
      reason: `a.yaml:2: the marker is on an item of a list${atField}`,
    },
    {
      when: "it is in a multi-line text",
      files: { "a.yaml": `a: |\n  image: ${app}:1 ${mark()}\n` },
      reason: `a.yaml:2: the marker is inside a text, and no comment${atField}`,
    },
    {
      when: "it is on the header of a multi-line text",
      files: { "a.yaml": `a: | ${mark()}\n  x\n` },
      reason: `a.yaml:1: the marker is inside a text, and no comment${atField}`,
    },
    {
      when: "it is in a quoted text",
      files: { "a.yaml": `a: '${mark()}'\n` },
      reason: `a.yaml:1: the marker is inside a text, and no comment${atField}`,
    },
    {
      when: "it is on a mapping",
      files: { "a.yaml": `a: ${mark()}\n  image: b\n` },
      reason: `a.yaml:1: the marker is on a mapping, a list or an empty field${atField}`,
    },
    {
      when: "it is on an empty field",
      files: { "a.yaml": `image: ${mark()}\n` },
      reason: `a.yaml:1: the marker is on a mapping, a list or an empty field${atField}`,
    },
    {
      when: "it is behind flow style",
      files: { "a.yaml": `a: {image: "${app}:1"} ${mark()}\n` },
      reason: `a.yaml:1: the marker is behind a flow collection${atField}`,
    },
    {
      when: "it is in flow style",
      files: { "a.yaml": `a: {\n  image: "${app}:1" ${mark()}\n}\n` },
      reason: `a.yaml:2: the marker is in a flow collection${atField}`,
    },
    {
      when: "its field is an alias",
      files: { "a.yaml": `a: &a ${app}:1\nimage: *a ${mark()}\n` },
      reason: "a.yaml:2: the field is an alias of another one; write the value itself",
    },
    {
      when: "its field has an anchor",
      files: { "a.yaml": `image: &a ${app}:1 ${mark()}\n` },
      reason:
        "a.yaml:1: the value belongs to an anchor, so that other fields would change too; write it without the anchor",
    },
    {
      when: "a mapping around it has an anchor",
      files: { "a.yaml": `a: &a\n  image: ${app}:1 ${mark()}\nb: *a\n` },
      reason:
        "a.yaml:2: the value belongs to an anchor, so that other fields would change too; write it without the anchor",
    },
    {
      when: "the value has escapes",
      files: { "a.yaml": `image: "ghcr\\u002eio/org/app:1" ${mark()}\n` },
      reason: "a.yaml:1: the value is a text of several lines, or has escapes; write it on one line without them",
    },
    {
      when: "the value has several lines",
      files: { "a.yaml": `image: "a\n  b" ${mark()}\n` },
      reason: "a.yaml:1: the value is a text of several lines, or has escapes; write it on one line without them",
    },
    {
      when: "the marker has an unknown end",
      files: { "a.yaml": `image: ${app}:1 ${mark(":version")}\n` },
      reason: "a.yaml:1: the marker ends with :version; use :tag, :name, :digest or none of them",
    },
    {
      when: "two markers disagree",
      files: { "a.yaml": `a: ${app}:1 ${mark()}\n`, "b.yaml": `b: c\na: ${app}:2 ${mark()}\n` },
      reason: `b.yaml:2: ${app}:2 is not ${app}:1 of a.yaml:1; make both the same`,
    },
    {
      when: "two markers name different repositories",
      files: { "a.yaml": `a: ${app}:1 ${mark()}\nb: nginx:1 ${mark()}\n` },
      reason: `a.yaml:2: nginx:1 is not ${app}:1 of a.yaml:1; make both the same`,
    },
    {
      when: "a reference has no digest, and a marked digest exists",
      files: { "a.yaml": `a: ${app}:1 ${mark()}\nb: ${zero} ${mark(":digest")}\n` },
      reason: `a.yaml:2: ${zero} is not ${app}:1 of a.yaml:1; make both the same`,
    },
    {
      when: "only the name is marked",
      files: { "a.yaml": `name: ${app} ${mark(":name")}\n` },
      reason: `a.yaml:1: ${app} has no tag and no digest; add a tag`,
    },
    {
      when: "the marked value is no image",
      files: { "a.yaml": `\nimage: "<tag>" ${mark()}\n` },
      reason:
        'a.yaml:2: "<tag>" is not a repository name: use letters and digits, with single . _ or - between them; correct it',
    },
    {
      when: "a key exists twice",
      files: { "a.yaml": `a: b\n---\nimage: a:1\nimage: ${app}:1 ${mark()}\n` },
      reason: "a.yaml:4: not valid YAML: the key image exists twice in one mapping; correct it",
    },
    {
      when: "the document is broken",
      files: { "a.yaml": `a: b\n---\nb: [\nimage: ${app}:1 ${mark()}\n` },
      reason: "a.yaml:4: not valid YAML: ",
    },
    {
      when: "two kustomizations name it",
      files: {
        [path]: `namespace: shop\nimages: [{name: ${app}, newTag: v1}]`,
        "b/kustomization.yaml": `namespace: shop\nimages: [{name: ${app}, newTag: v1}]`,
      },
      reason: `b/kustomization.yaml:2: ${app} has an entry here and in ${path}; add the comment # {"$imagepolicy":"shop:web:tag"} behind newTag of the one for this workload`,
    },
    {
      when: "an entry has no version",
      files: { [path]: `namespace: shop\nimages:\n- name: ${app}\n` },
      reason: `${path}:3: the entry has no newTag and no digest; add newTag with the running tag`,
    },
    {
      when: "an entry has an alias",
      files: { [path]: `namespace: shop\na: &t v1\nimages:\n- name: ${app}\n  newTag: *t\n` },
      reason: `${path}:5: the field is an alias of another one; write the value itself`,
    },
    {
      when: "a kustomization is broken",
      files: { [path]: `namespace: shop\nimages:\n- name: ${app}\n  newTag: [` },
      reason: "apps/kustomization.yaml:4: not valid YAML: ",
    },
    {
      when: "a kustomization names the image of another namespace, or sets none, or is broken there",
      files: {
        [path]: `images: [{name: ${app}, newTag: v1}]`,
        "b/kustomization.yaml": `namespace: victim\nimages: [{name: ${app}, newTag: v1}]`,
        "c/kustomization.yaml": `images: [{name: ${app}, newTag: v1}]\nnamePrefix: shop\nmeta: {namespace: shop}`,
        "d/kustomization.yaml": `images: [{name: ${app}, newTag: [`,
      },
      reason: "no file names ",
    },
    {
      when: "a document is too large to be parsed",
      files: { "a.yaml": `a: b\n---\nimage: ${app}:1 ${mark()}\n${"# x\n".repeat(70_000)}` },
      reason: "a.yaml:2: the document is larger than 256 KiB; move the image to a smaller file",
    },
    {
      when: "there are too many markers",
      files: { "a.yaml": `tag: v1 ${mark(":tag")}\n`.repeat(1001) },
      reason: "a.yaml:1001: shop:web has more than 1000 markers in this file; remove some",
    },
    {
      when: "there are too many entries",
      files: { [path]: `namespace: shop\nimages:\n${`- name: ${app}\n`.repeat(1001)}` },
      reason: `${path}:1003: more than 1000 entries in images; remove some`,
    },
    {
      when: "only the file of an Application of Argo CD names it",
      files: { "apps/.argocd-source-shop.yaml": `kustomize: {images: ["${app}:1"]}` },
      reason: "no file names ",
    },
    {
      when: "it is nested too deeply",
      files: { "a.yaml": `a: ${"[".repeat(5000)}${mark()}` },
      reason: "a.yaml:1: not valid YAML: ",
    },
  ] as const)("$when", ({ files, reason }) => {
    // What follows in some is a message of the parser.
    expect(find(files).slice(0, reason.length)).toBe(reason);
    expect(write(files)).toBe(find(files));
  });

  test("have the files that were not read in the reason, unless another one has the image", () => {
    const skipped = new Map([["big.yaml", "it is larger than 1 MiB; move the image to a smaller file"]]);
    const found = findImage(new Map([["a.yaml", `image: ${app}:1`]]), target, skipped);
    expect(found).toEqual({
      kind: "problem",
      reason: `no file names ${app}; add the comment # {"$imagepolicy":"shop:web"} behind the field with the image. Not read: big.yaml: it is larger than 1 MiB; move the image to a smaller file`,
    });
    const marked = findImage(new Map([["a.yaml", `image: ${app}:1 ${mark()}`]]), target, skipped);
    expect(marked).toMatchObject({ kind: "found", image: `${app}:1` });
  });

  test.for([
    {
      when: "the image is no reference",
      text: `image: ${app}:1 ${mark()}`,
      image: "A:1",
      reason: 'A:1: "A" must be lower case: a',
    },
    {
      when: "a tag is marked and the image has none",
      text: `tag: v1 ${mark(":tag")}`,
      image: `${app}@${zero}`,
      reason: `a.yaml:1: the field has a tag, and ${app}@${zero} has none; set policy.pin, or remove the field`,
    },
    {
      when: "a digest is marked and the image has none",
      text: `digest: ${zero} ${mark(":digest")}`,
      image: `${app}:1`,
      reason: `a.yaml:1: the field has a digest, and ${app}:1 has none; set policy.pin, or remove the field`,
    },
    {
      when: "a tag without quotes would be a number",
      text: `tag: v1 ${mark(":tag")}`,
      image: `${app}:1.10`,
      reason: "a.yaml:1: 1.10 is no string in YAML; put the value in quotes",
    },
    {
      when: "a number without quotes would be a string, and could not be restored",
      text: `tag: 1.10 ${mark(":tag")}`,
      image: `${app}:v2`,
      reason: "a.yaml:1: 1.10 is no string in YAML; put the value in quotes",
    },
    {
      when: "a reference without quotes would be a list",
      text: `image: ${app}:1 ${mark()}`,
      image: "[::1]:5000/app:2",
      reason: "a.yaml:1: [::1]:5000/app:2 is no string in YAML; put the value in quotes",
    },
    {
      when: "a tag is marked and the repository is another one",
      text: `tag: v1 ${mark(":tag")}`,
      image: "nginx:v1",
      reason: `a.yaml:1: the fields have a version only, and nginx is not ${app}; add a field with the name`,
    },
  ] as const)("are not written if $when", ({ text, image, reason }) => {
    expect(write({ "a.yaml": text }, image)).toBe(reason);
  });

  test("are written as numbers if their reader takes numbers", () => {
    expect(write({ "a.yaml": `tag: 1.10 ${mark(":tag")}` }, `${app}:1.20`)).toEqual({
      "a.yaml": `tag: 1.20 ${mark(":tag")}`,
    });
    expect(write({ "a.yaml": `tag: "v1" ${mark(":tag")}` }, `${app}:1.20`)).toEqual({
      "a.yaml": `tag: "1.20" ${mark(":tag")}`,
    });
    expect(next).toContain("1.1.0");
  });
});
