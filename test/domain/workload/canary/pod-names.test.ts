import { describe, expect, test } from "vitest";
import {
  matchDeployments,
  matchPartition,
  matchPods,
  matchStatefulSets,
} from "../../../../functions/domain/workload/canary/pod-names.ts";

const isMatch = (pattern: string | undefined, name: string) => new RegExp(pattern ?? "^never^").test(name);

const beside = (stable: string) => ({ stable, canary: `${stable}-canary`, baseline: `${stable}-baseline` });

describe("pods of a Deployment, its canary and its baseline", () => {
  test.for([
    { pod: "web-7d9f8c6b54-x2k4p", side: "stable" },
    { pod: "web-f-zzzzz", side: "stable" },
    { pod: "web-canary-7d9f8c6b54-x2k4p", side: "canary" },
    { pod: "web-baseline-7d9f8c6b54-x2k4p", side: "baseline" },
    { pod: "web-api-7d9f8c6b54-x2k4p", side: "neither" },
    { pod: "web-canary-api-7d9f8c6b54-x2k4p", side: "neither" },
    { pod: "my-web-7d9f8c6b54-x2k4p", side: "neither" },
    { pod: "web-agent-x2k4p", side: "neither" },
    { pod: "web-canary-x2k4p", side: "neither" },
    { pod: "web-canary-0", side: "neither" },
    { pod: "web-0", side: "neither" },
  ])("$pod: $side", ({ pod, side }) => {
    const matchers = matchDeployments(beside("web"));
    expect(isMatch(matchers?.stablePods, pod)).toBe(side === "stable");
    expect(isMatch(matchers?.canaryPods, pod)).toBe(side === "canary");
    expect(isMatch(matchers?.baselinePods, pod)).toBe(side === "baseline");
  });

  test("without a baseline there is no matcher of its pods", () => {
    expect(matchDeployments({ stable: "web", canary: "web-canary" })).not.toHaveProperty("baselinePods");
  });

  test("a dot in a name is no wildcard, and nothing needs a backslash in PromQL", () => {
    const matchers = matchDeployments(beside("web.v2"));
    expect(isMatch(matchers?.stablePods, "web.v2-7d9f8c6b54-x2k4p")).toBe(true);
    expect(isMatch(matchers?.stablePods, "web-v2-7d9f8c6b54-x2k4p")).toBe(false);
    expect(JSON.stringify(matchers)).not.toMatch(/\\/);
  });

  // https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/storage/names/generate.go
  const podName = (name: string, hash: string) => `${`${name}-${hash}-`.slice(0, 58)}x2k4p`;
  test.for(
    [39, 40, 46, 47, 48, 49, 50, 54, 55].flatMap((length) => ["f", "7d9f8c6b54"].map((hash) => ({ length, hash }))),
  )("a name of $length characters, hash $hash", ({ length, hash }) => {
    const name = "c".repeat(length);
    const matchers = matchDeployments(beside(name));
    const pods = [name, `${name}-canary`, `${name}-baseline`].map((deployment) => podName(deployment, hash));
    const own = [matchers?.stablePods, matchers?.canaryPods, matchers?.baselinePods];
    expect(own.map((pattern) => pods.filter((pod) => isMatch(pattern, pod)))).toEqual(pods.map((pod) => [pod]));
  });

  test("a longer name leaves nothing to tell them by", () => {
    const name = "c".repeat(56);
    expect(matchDeployments(beside(name))).toBeNull();
  });
});

describe("pods of a StatefulSet", () => {
  test.for([
    { start: 0, partition: 4, replicas: 5, stable: "^web-(?:[0-3])$", canary: "^web-(?:4)$" },
    { start: 0, partition: 1, replicas: 3, stable: "^web-(?:0)$", canary: "^web-(?:[1-2])$" },
    { start: 0, partition: 19, replicas: 20, stable: "^web-(?:[0-9]|1[0-8])$", canary: "^web-(?:19)$" },
    { start: 5, partition: 2, replicas: 3, stable: "^web-(?:[5-6])$", canary: "^web-(?:7)$" },
    { start: 0, partition: 0, replicas: 2, stable: "^web-(?:[0-1])$", canary: "^web-(?:[0-1])$" },
    { start: 0, partition: 2, replicas: 1, stable: "^web-(?:[0-1])$", canary: "^web-(?:)$" },
  ])("partition $partition of $replicas from $start", ({ stable, canary, ...replicas }) => {
    expect(matchPartition("web", replicas)).toEqual({ stablePods: stable, canaryPods: canary });
  });

  test.for([
    { replicas: 1205, partition: 978 },
    { replicas: 100, partition: 99 },
    { replicas: 2310, partition: 1 },
  ])("each of $replicas pods matches exactly one side of partition $partition", ({ replicas, partition }) => {
    const { stablePods, canaryPods } = matchPartition("web", { start: 0, partition, replicas });
    const ordinals = Array.from({ length: replicas + 1200 }, (_, ordinal) => ordinal);
    const matching = (pattern: string) => ordinals.filter((ordinal) => isMatch(pattern, `web-${ordinal}`));
    expect(matching(stablePods)).toEqual(ordinals.slice(0, partition));
    expect(matching(canaryPods)).toEqual(ordinals.slice(partition, replicas));
  });

  test("of two StatefulSets, whatever their sizes", () => {
    const { stablePods, canaryPods } = matchStatefulSets("db-stable", "db-canary");
    const names = ["db-stable-0", "db-stable-12", "db-canary-3", "db-stable-0-0", "db-stable-x"];
    expect(names.filter((name) => isMatch(stablePods, name))).toEqual(["db-stable-0", "db-stable-12"]);
    expect(names.filter((name) => isMatch(canaryPods, name))).toEqual(["db-canary-3"]);
  });
});

describe("pods of a DaemonSet", () => {
  test.for([
    { name: "agent", pod: (suffix: string) => `agent-${suffix}` },
    { name: "c".repeat(63), pod: (suffix: string) => `${"c".repeat(58)}${suffix}` },
  ])("of the name $name", ({ name, pod }) => {
    const all = ["x2k4p", "zzzzz", "bcdfg"].map(pod);
    const { stablePods, canaryPods } = matchPods(name, { stable: all.slice(1), canary: all.slice(0, 1) });
    expect(all.filter((one) => isMatch(canaryPods, one))).toEqual(all.slice(0, 1));
    expect(all.filter((one) => isMatch(stablePods, one))).toEqual(all.slice(1));
    const without = matchPods(name, null);
    expect(all.filter((one) => isMatch(without.stablePods, one) && isMatch(without.canaryPods, one))).toEqual(all);
    expect(isMatch(matchPods(name, { stable: all, canary: [] }).canaryPods, all[0] ?? "")).toBe(false);
  });
});
