import { expect, test } from "vitest";
import { shardKeyLimit } from "../../../functions/ports/poll-continuation.ts";
import { assignShard } from "../../../functions/workflows/poll/shard-key.ts";
import { workload } from "../../support/workloads.ts";
import { createWorkloads } from "./many-workloads.ts";
import { idleWorkload } from "./fixtures.ts";

const shardKeyOf = (name: string, source: string, seed = "s") => assignShard(idleWorkload(name, source), seed).shardKey;

test("workloads of one repository have adjacent, distinct shard keys, however the repository is spelled", () => {
  const [one, other] = [shardKeyOf("a", "nginx:1.0.0"), shardKeyOf("b", "docker.io/library/nginx:1.2.0")];
  expect(Math.floor(one / 2 ** 24)).toBe(Math.floor(other / 2 ** 24));
  expect(one).not.toBe(other);
});

test("shard keys are spread evenly and depend on the seed", () => {
  const shardKeys = createWorkloads(2000).map((item) => assignShard(item, "s").shardKey);
  expect(shardKeys.every((key) => Number.isSafeInteger(key) && key >= 0 && key < shardKeyLimit)).toBe(true);
  const quarters = Map.groupBy(shardKeys, (key) => Math.floor((key / shardKeyLimit) * 4));
  expect([...quarters.values()].every(({ length }) => length > 400 && length < 600)).toBe(true);
  expect(shardKeyOf("a", "nginx:1.0.0", "s")).not.toBe(shardKeyOf("a", "nginx:1.0.0", "t"));
});

test.for([
  { when: "its image has a registry", parts: {}, host: "registry.example" },
  { when: "its image has none", parts: { source: "nginx:1.0.0" }, host: "registry-1.docker.io" },
  { when: "it has no source", parts: { source: null }, host: "" },
  { when: "its image is invalid", parts: { source: "Not/An/Image" }, host: "" },
])('a workload is assigned to the registry "$host" if $when', ({ parts, host }) => {
  expect(assignShard(workload(parts), "s").host).toBe(host);
});
