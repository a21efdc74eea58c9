import { describe, expect, test } from "vitest";
import { digest, find, mark, next, write, zero } from "./cases.ts";

const path = "apps/kustomization.yaml";
const source = "apps/.argocd-source-shop.yaml";
const app = "ghcr.io/org/app";

describe("the image of a workload", () => {
  test.for([
    {
      where: "a marked reference",
      file: "a.yaml",
      text: `image: ${app}:1.0.0 ${mark()}\n`,
      image: `${app}:1.0.0`,
      written: `image: ${next} ${mark()}\n`,
    },
    {
      where: "a marked tag",
      file: "a.yaml",
      text: `tag: "1.0.0"   ${mark(":tag")}\r\nb: 1`,
      image: `${app}:1.0.0`,
      written: `tag: "1.1.0"   ${mark(":tag")}\r\nb: 1`,
    },
    {
      where: "a marked digest",
      file: "a.yaml",
      text: `digest: '${zero}' ${mark(":digest")}`,
      image: `${app}@${zero}`,
      written: `digest: '${digest}' ${mark(":digest")}`,
    },
    {
      where: "marked parts",
      file: "a.yaml",
      text: `name: org/app ${mark(":name")}\ntag: v1 ${mark(":tag")}\ndigest: ${zero} ${mark(":digest")}\n`,
      image: `org/app:v1@${zero}`,
      written: `name: ${app} ${mark(":name")}\ntag: 1.1.0 ${mark(":tag")}\ndigest: ${digest} ${mark(":digest")}\n`,
    },
    {
      where: "several marked references, each in its spelling",
      file: "a.yaml",
      text: `a: GHCR.io/org/app:1 ${mark()}\nb: ghcr.io/org/app:1 ${mark()}\nother: nginx:1 # {"$imagepolicy": "shop:web2"}\n`,
      image: "GHCR.io/org/app:1",
      written: `a: GHCR.io/org/app:1.1.0@${digest} ${mark()}\nb: ${next} ${mark()}\nother: nginx:1 # {"$imagepolicy": "shop:web2"}\n`,
    },
    {
      where: "a later document of a file with another that is broken",
      file: "a.yaml",
      text: `a: [\n---\nimage: ${app}:1 ${mark()}\n---\n{{ template }}\n`,
      image: `${app}:1`,
      written: `a: [\n---\nimage: ${next} ${mark()}\n---\n{{ template }}\n`,
    },
    {
      where: "a document with keys of every kind",
      file: "a.yaml",
      text: `? [a]\n: 1\n? b\nc: []\nd:\n- \nimage: ${app}:1 ${mark()}\n`,
      image: `${app}:1`,
      written: `? [a]\n: 1\n? b\nc: []\nd:\n- \nimage: ${next} ${mark()}\n`,
    },
    {
      where: "a marked value of a parameter of Helm",
      file: source,
      text: `helm:\n  parameters:\n  - name: image.tag\n    value: 1.0.0 ${mark(":tag")}\n    forceString: true\n`,
      image: `${app}:1.0.0`,
      written: `helm:\n  parameters:\n  - name: image.tag\n    value: 1.1.0 ${mark(":tag")}\n    forceString: true\n`,
    },
    {
      where: "a kustomization",
      file: path,
      text: `namespace: shop\nimages:\n- name: nginx\n  newTag: "1"\n- newTag: "1.0.0" # pinned\n  name: ${app}\n`,
      image: `${app}:1.0.0`,
      written: `namespace: shop\nimages:\n- name: nginx\n  newTag: "1"\n- newTag: "1.1.0" # pinned\n  name: ${app}\n`,
    },
    {
      where: "a kustomization with a new name, in flow style",
      file: path,
      text: `namespace: shop\nimages: [{name: app, newName: ${app}, newTag: v1, digest: "${zero}"}]`,
      image: `${app}:v1@${zero}`,
      written: `namespace: shop\nimages: [{name: app, newName: ${app}, newTag: 1.1.0, digest: "${digest}"}]`,
    },
  ])("in $where is found and written", ({ file, text, image, written }) => {
    const files = { [file]: text, "b.yaml": "{{ not YAML }}", "old/kustomization.yaml": "images: [" };
    expect(find(files)).toBe(image);
    expect(write(files)).toEqual({ ...files, [file]: written });
    expect(write({ ...files, [file]: written }, image)).toEqual(files);
  });

  test("is written as little as the files have it: a tag alone has no digest", () => {
    const files = { "a.yaml": `tag: 1.0.0 ${mark(":tag")}\n` };
    expect(write(files)).toEqual({ "a.yaml": `tag: 1.1.0 ${mark(":tag")}\n` });
    expect(write(files, `${app}:1.0.0`)).toEqual(files);
  });

  test("is that of the marker, if a kustomization names it too", () => {
    const files = {
      "a.yaml": `image: ${app}:1 ${mark()}`,
      [path]: `namespace: shop\nimages: [{name: ${app}, newTag: v2}]`,
    };
    expect(find(files)).toBe(`${app}:1`);
  });

  test("is that of the kustomization of its namespace, if others name it too", () => {
    const text = (namespace: string, tag: string) => `${namespace}images:\n- {name: ${app}, newTag: ${tag}}\n`;
    const files = {
      [path]: text("", "v1"),
      "shop/kustomization.yml": text("namespace: shop\n", "v2"),
      "test/Kustomization": text("namespace: test\n", "v3"),
    };
    expect(find(files)).toBe(`${app}:v2`);
    expect(write(files, `${app}:v9`)).toEqual({ ...files, "shop/kustomization.yml": text("namespace: shop\n", "v9") });
  });

  test("in a kustomization with a new name may change its repository", () => {
    const files = { [path]: `namespace: shop\nimages: [{name: app, newName: ${app}, newTag: v1}]` };
    expect(write(files, "ghcr.io/org/app2:v2")).toEqual({
      [path]: `namespace: shop\nimages: [{name: app, newName: ghcr.io/org/app2, newTag: v2}]`,
    });
  });
});
