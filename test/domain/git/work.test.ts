import { expect, test } from "vitest";
import { parseYaml } from "../../../functions/domain/git/yaml-scalars.ts";
import { find } from "./cases.ts";

const app = "ghcr.io/org/app";
const of = (index: number) => ({ namespace: "shop", autoUpdate: `web${index}`, image: app });
const lineOf = (index: number) => `a${index}: ${app}:v${index} # {"$imagepolicy": "shop:web${index}"}\n`;

test("a document with the images of many workloads is parsed once, and forgotten after a mebibyte of others", () => {
  const indexes = Array.from({ length: 300 }, (_, index) => index);
  const text = indexes.map(lineOf).join("");
  const parsed = parseYaml(text);
  for (const index of indexes) expect(find({ "a.yaml": text }, of(index))).toBe(`${app}:v${index}`);
  expect(parseYaml(text)).toBe(parsed);
  for (const index of [1, 2, 3, 4, 5]) parseYaml(`a: ${index} # ${"x".repeat(250_000)}`);
  expect(parseYaml(text)).not.toBe(parsed);
});

test("a document that is broken is a problem of the workloads that it names only", () => {
  const files = {
    "a.yaml": `${lineOf(1)}---\n${lineOf(2)}b: [\n`,
    "kustomization.yaml": "namespace: shop\nimages:\n- {name: ghcr.io/org/other, newTag: [",
    "b/kustomization.yaml": `namespace: other\nimages:\n- {name: ${app}, newTag: [`,
  };
  expect(find(files, of(1))).toBe(`${app}:v1`);
  expect(find(files, of(2))).toMatch(/^a\.yaml:5: not valid YAML: /);
  expect(find(files, of(3))).toMatch(/^no file names /);
});

test("keys of a deep document are kept as far as places need them", () => {
  const parsed = parseYaml(`${"[".repeat(300)}a, b${"]".repeat(300)}`);
  expect(parsed).toMatchObject({ scalars: [{ keys: [0, 0, 0, 0], isItem: true }, { keys: [0, 0, 0, 0] }] });
});

test("an entry may have any number of keys", () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `  k${index}: v\n`).join("");
  const text = `namespace: shop\nimages:\n- name: ${app}\n${keys}  newTag: v1\n`;
  expect(find({ "kustomization.yaml": text }, of(1))).toBe(`${app}:v1`);
});
