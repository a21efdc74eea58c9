import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createStatefulCanaryKind } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/kind.ts";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { imageTarget } from "../../../support/workloads.ts";
import { textsOf } from "../../../support/problems.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const first = "registry.invalid/shop/db:1.0.0";
const target = "registry.invalid/shop/db:1.1.0";
const hooks = { prePromotion: { job: "migrate" } };
const seedAnalysis = {
  interval: "30s",
  threshold: 0.05,
  maxRetries: 3,
  prometheusQuery: 'sum(errors{pod=~"{{args.canaryPods}}"})',
  prometheusAddress: "http://prometheus:9090",
};

describe("an invalid spec is a problem and starts no update", () => {
  test.for([
    { spec: { canaryReplicas: 4 }, problem: "spec.canaryReplicas 4: is more than totalReplicas 3" },
    { spec: { totalReplicas: 0, canaryReplicas: 0 }, problem: "spec.totalReplicas 0: must be 1 or more" },
    { spec: { totalReplicas: 1.5 }, problem: /must be whole numbers/ },
    { spec: { canaryReplicas: -1 }, problem: /must be whole numbers/ },
    { spec: { steps: [{ size: "1" }] }, problem: /^spec: set either canaryReplicas, .* or steps$/ },
    { spec: { canaryReplicas: undefined }, problem: /^spec: set either canaryReplicas, .* or steps$/ },
    { spec: stepped([{ size: "4" }]), problem: "spec.steps: 4 canary replicas exceed the 3 desired replicas" },
    { spec: stepped([{ size: "1" }, { wait: {} }]), problem: /^spec\.steps: \[1\]\.wait: is not a known field/ },
    { spec: { template: {} }, problem: /^spec\.template\.template\.spec\.containers: / },
    { spec: { template: pods([]) }, problem: /^spec\.template\.template\.spec\.containers: / },
    { spec: { template: pods([{ name: "db" }]) }, problem: /containers\[0\]\.image "": / },
    { spec: { template: { ...pods(), updateStrategy: { type: "OnDelete" } } }, problem: /OnDelete/ },
    { spec: { template: { ...pods(), updateStrategy: { rollingUpdate: { partition: 1 } } } }, problem: /partition/ },
    { spec: { canaryImage: "Shop/DB:1" }, problem: /^spec\.canaryImage "Shop\/DB:1": / },
    { spec: { healthTimeout: "10 min" }, problem: /^spec\.healthTimeout "10 min": / },
    { spec: { analysis: {} }, problem: /^spec\.analysis: metrics: / },
    { spec: { analysis: { ...seedAnalysis, interval: "soon" } }, problem: /^spec\.analysis: interval: / },
    { spec: { analysis: { ...seedAnalysis, metrics: [] } }, problem: /mutually exclusive; use one of them/ },
    { spec: { analysis: { ...seedAnalysis, prometheusQuery: "up{{args.no}}" } }, problem: /args\.no/ },
    { spec: { hooks: { prePromotion: { job: "Migrate" } } }, problem: /^spec\.hooks: prePromotion\.job/ },
    { spec: { hooks, canaryReplicas: 0 }, problem: /^spec\.hooks\.prePromotion: there is no canary to promote/ },
    { spec: {}, name: "a".repeat(46), problem: /^metadata\.name: / },
  ])("$spec: $problem", async ({ spec, problem, name = "db" }) => {
    const workload = await read({ spec, name });
    expect(textsOf(workload.problems)).toEqual([expect.stringMatching(problem)]);
    expect(decideWithoutTags(workload, noon)).toEqual({ kind: "problem", problems: workload.problems });
    expect(preconditionFailure(workload, { target: imageTarget(target), digests: null }, noon)).not.toBeNull();
  });

  test("hooks that the deployment does not enable", async () => {
    const { problems, policy } = await read({ spec: { hooks }, hooksEnabled: false });
    expect(textsOf(problems)).toEqual([
      expect.stringMatching(/^spec\.hooks: hooks are not enabled in this deployment/),
    ]);
    expect(policy.hooks["pre-promotion"]).toMatchObject({ job: "migrate" });
  });

  test("a set of another owner with the name of the canary", async () => {
    const { problems } = await read({ sets: { "db-canary": set({ uid: "another" }) } });
    expect(textsOf(problems)).toEqual([expect.stringMatching(/db-canary exists and is not managed by Pawl/)]);
  });
});

describe("the image of the next update", () => {
  const handled = { currentPhase: "Succeeded", image: target, observedGeneration: 2 };
  test.for([
    { when: "not tried", status: {}, expected: target },
    { when: "it succeeded", status: handled, expected: null },
    { when: "it failed", status: { ...handled, currentPhase: "Failed" }, expected: null },
    { when: "it is in progress", status: { ...handled, currentPhase: "Progressing" }, expected: target },
    { when: "another succeeded", status: { ...handled, image: first }, expected: target },
    { when: "it succeeded under an earlier spec", status: { ...handled, observedGeneration: 1 }, expected: target },
    { when: "an unknown phase", status: { ...handled, currentPhase: "Undone" }, expected: target },
  ])("$when: $expected", async ({ status, expected }) => {
    const workload = await read({ status });
    const { kind } = decideWithoutTags(workload, noon);
    expect({ image: workload.requestedImage, kind }).toEqual({
      image: expected,
      kind: expected === null ? "hold" : "update",
    });
    expect(preconditionFailure(workload, { target: imageTarget(first), digests: null }, noon)).not.toBeNull();
  });

  test.for([
    { when: "paused", annotations: { "pawl.dev/paused": "true" }, reason: "paused" },
    { when: "being deleted", deletionTimestamp: "2026-11-20T12:00:00Z", reason: "disabled" },
  ])("$when: no update", async ({ reason, ...metadata }) => {
    const workload = await read({ metadata });
    expect(decideWithoutTags(workload, noon)).toMatchObject({ kind: "hold", reason });
    expect(preconditionFailure(workload, { target: imageTarget(target), digests: null }, noon)).not.toBeNull();
  });
});

describe("the policy", () => {
  test.for([
    { spec: { canaryReplicas: 2 }, policy: { canary: { unit: "replicas", amount: 2 } } },
    { spec: { canaryReplicas: 0 }, policy: { canary: null } },
    { spec: {}, policy: { healthTimeoutSeconds: 600, analysis: null, optIn: "yes", schedule: null } },
    { spec: { healthTimeout: "1h" }, policy: { healthTimeoutSeconds: 3600 } },
  ])("$spec: $policy", async ({ spec, policy }) => {
    const workload = await read({ spec });
    expect(workload).toMatchObject({ policy, problems: [], source: null });
  });

  test("the targets of notifications are in an annotation", async () => {
    const { policy } = await read({ metadata: { annotations: { "pawl.dev/notify": "team-a" } } });
    expect(policy.notify).toEqual(["team-a"]);
  });

  test("an analysis in the short form is one metric of the full form", async () => {
    const { policy, problems } = await read({ spec: { analysis: seedAnalysis } });
    const { prometheusQuery: query } = seedAnalysis;
    expect(problems).toEqual([]);
    expect(JSON.parse(policy.analysis ?? "")).toEqual({
      prometheus: "http://prometheus:9090",
      interval: "30s",
      metrics: [{ name: "canary", query, threshold: 0.05, maxRetries: 3 }],
    });
  });

  test("an analysis in the full form is unchanged", async () => {
    const analysis = { count: 3, metrics: [{ name: "errors", query: "up", successCondition: "result == 1" }] };
    const { policy, problems } = await read({ spec: { analysis } });
    expect({ problems, analysis: JSON.parse(policy.analysis ?? "") }).toEqual({ problems: [], analysis });
  });
});

describe("the rollouts of the sets", () => {
  const canaryAnnotations = {
    "pawl.dev/target-image": target,
    "pawl.dev/update-phase": "Canary",
    "pawl.dev/update-started": "2026-11-20T12:00:00Z",
    "pawl.dev/execution": "e-1",
  };

  test("without a stable set, the image is that of the template", async () => {
    expect(await read()).toMatchObject({ image: first, rollout: null, canary: null });
  });

  test.for([
    { when: "it runs the target", set: set({ image: target }), isRead: true },
    { when: "it runs another image", set: set({ image: first }), isRead: false },
    { when: "it is scaled to 0", set: set({ image: target, replicas: 0 }), isRead: false },
  ])("the canary set, $when: $isRead", async ({ set: canary, isRead }) => {
    const sets = { "db-stable": set({ image: first }), "db-canary": canary };
    const workload = await read({ metadata: { annotations: canaryAnnotations }, sets });
    expect(workload.rollout).toMatchObject({ image: first, desiredReplicas: 2, readyReplicas: 2 });
    expect(workload.canary !== null).toBe(isRead);
  });
});

test("no image is read from the status, which recorders and analysts may write", async () => {
  const evil = "evil.invalid/miner:1";
  const versionHistory = [{ version: evil, appliedAt: "2026-11-20T12:00:00Z", status: "Healthy" }];
  const autoUpdate = { currentVersion: evil, availableVersion: evil, versionHistory };
  const update = { phase: "Claimed", target: imageTarget(evil), previousImage: evil, targetUID: "u-1" };
  const status = { image: evil, currentPhase: "Failed", message: evil, autoUpdate, update };
  const { source, image, requestedImage, inFlight } = await read({ status });
  expect({ source, image, requestedImage, inFlight }).toEqual({
    source: null,
    image: first,
    requestedImage: target,
    inFlight: null,
  });
});

interface Parts {
  readonly name?: string;
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly sets?: Readonly<Record<string, object>>;
  readonly hooksEnabled?: boolean;
}

function read({
  name = "db",
  spec = {},
  status = {},
  metadata = {},
  sets = {},
  hooksEnabled = true,
}: Parts = {}): Promise<Workload> {
  const object = {
    metadata: { name, namespace: "shop", uid: "u-1", resourceVersion: "7", generation: 2, ...metadata },
    spec: { totalReplicas: 3, canaryReplicas: 1, canaryImage: target, template: pods(), ...spec },
    status,
  };
  const get = async <T>(_: unknown, __: string, wanted: string) => (sets[wanted] ?? null) as T | null;
  return createStatefulCanaryKind({ hooks: hooksEnabled, now: () => noon }).read(
    object,
    { get } as unknown as KubernetesApi,
    null,
  );
}

function pods(containers: readonly object[] = [{ name: "db", image: first }]) {
  return { template: { spec: { containers } } };
}

function set({ uid = "u-1", image = first, replicas = 2 }) {
  return {
    metadata: { name: "db", namespace: "shop", uid: "s-1", resourceVersion: "1", ownerReferences: [{ uid }] },
    spec: { replicas, selector: {}, ...pods([{ name: "db", image }]) },
    status: { observedGeneration: 1, updatedReplicas: replicas, readyReplicas: replicas },
  };
}

function stepped(steps: readonly object[]) {
  return { canaryReplicas: undefined, steps };
}
