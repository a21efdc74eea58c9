import { expect, test } from "vitest";
import { BudgetExceeded } from "../../../../functions/domain/budget/budget-exceeded.ts";
import { memoizeRegistry } from "../../../../functions/workflows/poll/evaluate/memoize-registry.ts";
import type { Registry } from "../../../../functions/ports/registry.ts";

const image = { registry: "registry.example", repository: "shop/app", tag: "prod", digest: null };

/** Returns a registry that numbers its answers. */
function countingRegistry(): Registry & { requests: string[] } {
  const requests: string[] = [];
  const note = (request: string) => requests.push(request);
  return {
    requests,
    listTags: async ({ repository }) => [`${note(`tags ${repository}`)}.0.0`],
    digestOf: async ({ repository, tag }) => `sha256:${note(`digest ${repository}:${tag}`)}`,
    resolve: async ({ repository, tag }) => ({
      digest: `sha256:${note(`digests ${repository}:${tag}`)}`,
      manifests: [],
    }),
    digestsOf: async ({ repository, tag }) => [`sha256:${note(`digests ${repository}:${tag}`)}`],
  };
}

test("each tag is a separate request; no tag means latest", async () => {
  const registry = countingRegistry();
  const memoized = memoizeRegistry(registry);
  for (const tag of ["prod", "latest", null]) await memoized.digestOf({ ...image, tag });
  await memoized.digestsOf(image);
  expect(registry.requests).toEqual(["digest shop/app:prod", "digest shop/app:latest", "digests shop/app:prod"]);
});

test("what is resolved is not asked for again by its digest", async () => {
  const registry = countingRegistry();
  const memoized = memoizeRegistry(registry);
  const { digest } = await memoized.resolve(image);
  expect([await memoized.digestOf(image), await memoized.digestsOf(image)]).toEqual([digest, [digest]]);
  expect(registry.requests).toEqual(["digests shop/app:prod"]);
});

test("answers are not shared between different logins", async () => {
  const registry = countingRegistry();
  const memoized = memoizeRegistry(registry);
  for (const logins of [[], ["one"], ["other"], ["one"], ["one", "other"]]) await memoized.listTags(image, logins);
  expect(registry.requests).toHaveLength(4);
});

test("a failed request fails for all callers and is sent once", async () => {
  let requests = 0;
  const failing = { ...countingRegistry(), listTags: () => Promise.reject(new Error(`down ${(requests += 1)}`)) };
  const memoized = memoizeRegistry(failing);
  const outcomes = await Promise.allSettled([memoized.listTags(image), memoized.listTags(image)]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
    "Error: down 1",
    "Error: down 1",
  ]);
  await expect(memoized.listTags(image)).rejects.toThrow("down 1");
});

test("another namespace asks for itself if the first one could not afford the answer", async () => {
  const asked: string[] = [];
  const listTags: Registry["listTags"] = async (_image, _logins, payer = "") => {
    asked.push(payer);
    if (payer === "greedy") throw new BudgetExceeded("namespace greedy used 10 of 9");
    return ["1.0.0"];
  };
  const memoized = memoizeRegistry({ ...countingRegistry(), listTags });
  const ask = (payer: string) => memoized.listTags(image, [], payer);
  const all = await Promise.allSettled(["greedy", "greedy", "shop", "shop", "team"].map(ask));
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(asked).toEqual(["greedy", "shop"]);
  expect(await ask("greedy")).toEqual(["1.0.0"]);
});
