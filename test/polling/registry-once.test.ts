import { expect, test } from "vitest";
import { registryOnce } from "../../functions/polling/registry-once.ts";
import type { Registry } from "../../functions/ports/registry.ts";

const image = { registry: "registry.example", repository: "shop/app", tag: "prod", digest: null };

/** Answers with how often it was asked. */
function counting(): Registry & { asked: string[] } {
  const asked: string[] = [];
  const note = (what: string) => asked.push(what);
  return {
    asked,
    listTags: async ({ repository }) => [`${note(`tags ${repository}`)}.0.0`],
    digestOf: async ({ repository, tag }) => `sha256:${note(`digest ${repository}:${tag}`)}`,
    digestsOf: async ({ repository, tag }) => [`sha256:${note(`digests ${repository}:${tag}`)}`],
  };
}

test("whoever asks for the same is given the same, while it is awaited and afterwards", async () => {
  const registry = counting();
  const once = registryOnce(registry);
  const together = await Promise.all([once.listTags(image), once.listTags({ ...image, tag: "1.0.0" })]);
  expect([...together, await once.listTags(image)]).toEqual([["1.0.0"], ["1.0.0"], ["1.0.0"]]);
  expect(registry.asked).toEqual(["tags shop/app"]);
});

test.for([
  { what: "another repository", other: { ...image, repository: "shop/web" } },
  { what: "another registry", other: { ...image, registry: "mirror.example" } },
])("$what is asked for itself", async ({ other }) => {
  const registry = counting();
  const once = registryOnce(registry);
  expect([await once.listTags(image), await once.listTags(other)]).toEqual([["1.0.0"], ["2.0.0"]]);
});

test("each tag has a digest of its own, and latest is what is meant without one", async () => {
  const registry = counting();
  const once = registryOnce(registry);
  for (const tag of ["prod", "latest", null]) await once.digestOf({ ...image, tag });
  await once.digestsOf(image);
  expect(registry.asked).toEqual(["digest shop/app:prod", "digest shop/app:latest", "digests shop/app:prod"]);
});

test("what one login was shown is not given to another", async () => {
  const registry = counting();
  const once = registryOnce(registry);
  for (const logins of [[], ["one"], ["other"], ["one"], ["one", "other"]]) await once.listTags(image, logins);
  expect(registry.asked).toHaveLength(4);
});

test("what fails fails for everybody, and is asked for once", async () => {
  let asked = 0;
  const failing = { ...counting(), listTags: () => Promise.reject(new Error(`down ${(asked += 1)}`)) };
  const once = registryOnce(failing);
  const outcomes = await Promise.allSettled([once.listTags(image), once.listTags(image)]);
  expect(outcomes.map((one) => one.status === "rejected" && String(one.reason))).toEqual([
    "Error: down 1",
    "Error: down 1",
  ]);
  await expect(once.listTags(image)).rejects.toThrow("down 1");
});
