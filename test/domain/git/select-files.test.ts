import { expect, test } from "vitest";
import { isAllowedFile, mayHaveAllowedFiles, mayNameImage } from "../../../functions/domain/git/select-files.ts";

test.for([
  { path: "apps/web.yaml", allowed: ["apps"], is: true },
  { path: "apps/a/b/web.yml", allowed: ["apps/"], is: true },
  { path: "apps2/web.yaml", allowed: ["apps"], is: false },
  { path: "apps/web.yaml", allowed: ["apps/web.yaml"], is: true },
  { path: "apps/web.json", allowed: ["*"], is: false },
  { path: "apps/Kustomization", allowed: ["*"], is: true },
  { path: "clusters/eu/prod.yaml", allowed: ["x", "clusters/*/prod.yaml"], is: true },
  { path: "clusters/eu/test.yaml", allowed: ["x", "clusters/*/prod.yaml"], is: false },
  { path: "clusters/eu/prod/web.yaml", allowed: ["clusters/*/prod"], is: true },
  { path: "web.yaml", allowed: [], is: false },
])("$path is allowed by $allowed: $is", ({ path, allowed, is }) => {
  expect(isAllowedFile(path, allowed)).toBe(is);
  const folders = path
    .split("/")
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join("/"));
  expect(is && folders.some((folder) => !mayHaveAllowedFiles(folder, allowed))).toBe(false);
});

test.for([
  { folder: "docs", allowed: ["apps", "clusters/*"], may: false },
  { folder: "apps", allowed: ["apps/web"], may: true },
  { folder: "app", allowed: ["apps/web"], may: false },
  { folder: "apps/web/base", allowed: ["apps/web"], may: true },
  { folder: "docs", allowed: ["*/web.yaml"], may: true },
])("$folder may have files that $allowed allows: $may", ({ folder, allowed, may }) => {
  expect(mayHaveAllowedFiles(folder, allowed)).toBe(may);
});

test.for([
  { path: "a/web.yaml", text: 'a: b # {"$imagepolicy": "shop:web"}', may: true },
  { path: "a/web.yaml", text: "a: b", may: false },
  { path: "a/kustomization.yml", text: "", may: true },
  { path: "Kustomization", text: "", may: true },
  { path: "a/.argocd-source-shop.yaml", text: "", may: false },
])("$path with $text may name an image: $may", ({ path, text, may }) => {
  expect(mayNameImage(path, text)).toBe(may);
});
