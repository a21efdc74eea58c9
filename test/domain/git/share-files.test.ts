import { expect, test } from "vitest";
import { mayShareFiles } from "../../../functions/domain/git/share-files.ts";

const files = { apiUrl: null, repository: "shop/config", branch: "main" };

test.for([
  { one: "apps/*", other: "apps/*", shared: true },
  { one: "apps", other: "apps/web/app.yaml", shared: true },
  { one: "apps/", other: "apps/web.yaml", shared: true },
  { one: "*/prod/*", other: "apps/*", shared: true },
  { one: "a?c.yaml", other: "ab*", shared: true },
  { one: "*", other: "clusters/edge", shared: true },
  { one: "clusters/prod/*", other: "clusters/edge/*", shared: false },
  { one: "apps/*/prod.yaml", other: "apps/*/edge.yaml", shared: false },
  { one: "a?.yaml", other: "abc.yaml", shared: false },
  { one: "clusters/prod", other: "clusters/prod2", shared: false },
])("$one and $other may have a file in common: $shared", ({ one, other, shared }) => {
  const [first, second] = [one, other].map((path) => ({ ...files, paths: ["else", path] }));
  const differ = { ...files, paths: [other] };
  expect(mayShareFiles({ ...files, paths: [one] }, differ)).toBe(shared);
  expect(mayShareFiles(differ, { ...files, paths: [one] })).toBe(shared);
  expect(first && second && mayShareFiles(first, second)).toBe(true);
});

test("two branches, repositories or hosts have no file in common, whatever the case of their names", () => {
  const own = { ...files, paths: ["apps/*"] };
  expect(mayShareFiles(own, { ...own, repository: "Shop/Config" })).toBe(true);
  const others = [{ branch: "edge" }, { repository: "shop/edge" }, { apiUrl: "https://github.example.com/api/v3" }];
  expect(others.map((other) => mayShareFiles(own, { ...own, ...other }))).toEqual([false, false, false]);
});
