import { expect, test } from "vitest";
import { createProblems } from "../../../cli/dashboard/server/problems.ts";
import { logRegistry } from "../../../cli/dashboard/server/registry-log.ts";
import { parseImageReference } from "../../../functions/domain/image/reference.ts";
import { Throttled, Unreachable } from "../../../functions/ports/errors.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { noon } from "../../support/workloads.ts";

const registry: Registry = {
  async listTags({ registry: host }) {
    if (host === "slow.example") throw new Throttled("slow.example answered 429", 90);
    if (host === "away.example") throw new Unreachable("away.example does not answer");
    return ["1.0.0"];
  },
  digestOf: async () => "sha256:1",
  digestsOf: async () => ["sha256:1"],
  resolve: async () => ({ digest: "sha256:1", manifests: [] }),
};

test("a log of registries counts answers and errors, and says when one may be asked again", async () => {
  const limit = { limit: 100, remaining: 76, endsAt: noon.getTime() + 60_000, counts: "pulls" } as const;
  const log = logRegistry(registry, new Map([["good.example", limit]]), () => noon);
  for (const name of ["good.example/a", "slow.example/a", "away.example/a"]) {
    const image = parseImageReference(name);
    if ("kind" in image) throw new Error(name);
    await log.registry.listTags(image).catch(() => undefined);
    await log.registry.digestOf(image);
    await log.registry.digestsOf(image);
    await log.registry.resolve(image);
  }
  const common = { asked: 4, rateLimit: null, retryAt: null };
  expect(log.rows()).toEqual([
    { ...common, host: "away.example", failed: 1, lastError: "away.example does not answer" },
    {
      ...common,
      host: "good.example",
      failed: 0,
      lastError: null,
      rateLimit: "76 of 100 pulls left until 2026-11-20T12:01:00Z",
    },
    {
      ...common,
      host: "slow.example",
      failed: 1,
      lastError: "slow.example answered 429",
      retryAt: "2026-11-20T12:01:30Z",
    },
  ]);
});

test("of several problems the one that has lasted longest is shown", () => {
  const shown: (string | null)[] = [];
  const problems = createProblems((problem) => shown.push(problem));
  problems.report("pools", "403");
  problems.report("workloads", "refused");
  problems.report("workloads", null);
  problems.report("workloads", "refused");
  problems.report("pools", null);
  expect(problems.first()).toBe("refused");
  problems.report("workloads", null);
  expect(shown).toEqual(["403", "refused", null]);
});
