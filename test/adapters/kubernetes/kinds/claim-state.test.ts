import type { Target } from "../../../../functions/domain/workload/target/target.ts";
import { describe, expect, test } from "vitest";
import { fromBackOffStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/back-off-status.ts";
import type {
  BackOffStatus,
  UpdateStatus,
} from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { observeClaim, readClaim } from "../../../../functions/adapters/kubernetes/kinds/record/claim-state.ts";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import {
  type BuiltInObject,
  hashRelease,
  templateOf,
} from "../../../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";
import { imageTarget } from "../../../support/workloads.ts";

const deployment: BuiltInObject = {
  metadata: { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "7" },
  spec: {
    template: {
      spec: {
        initContainers: [{ name: "migrate", image: "registry.example/migrate:1" }],
        containers: [
          { name: "app", image: "registry.example/shop/app:1.0.0" },
          { name: "proxy", image: "registry.example/proxy:3" },
        ],
      },
    },
  },
};

const targetImage = "registry.example/shop/app:1.1.0";

const update: UpdateStatus = {
  phase: "Applied",
  strategy: "Rolling",
  holder: "pawl",
  execution: "e-1",
  expiresAt: "2026-11-20T12:30:00Z",
  target: imageTarget(targetImage),
  previousImage: "registry.example/shop/app:1.0.0",
  targetUID: "u-1",
  targetGeneration: 1,
  startedAt: "2026-11-20T12:00:00Z",
};

const someDigest = `sha256:${"0".repeat(64)}`;

test("a claim of this object and its tracked repository is read", () => {
  const { target, previousImage } = update;
  expect(readClaim(deployment, update, true)).toMatchObject({ target, previousImage, execution: "e-1" });
});

test.for<{ claim: string; forged: Partial<UpdateStatus> }>([
  { claim: "of another uid", forged: { targetUID: "u-2" } },
  { claim: "of another repository", forged: { target: imageTarget("registry.example/other:1.1.0") } },
  { claim: "of another registry", forged: { target: imageTarget("evil.example/shop/app:1.1.0") } },
  { claim: "of another container", forged: { target: imageTarget("registry.example/proxy:4") } },
  { claim: "of an init container", forged: { target: imageTarget("registry.example/migrate:2") } },
  {
    claim: "of a canary of another container",
    forged: { target: imageTarget("registry.example/proxy:4"), strategy: "Canary" },
  },
  { claim: "of no image", forged: { target: imageTarget("registry.example/shop/app:1 x") } },
  { claim: "of a restart to an image", forged: { strategy: "Restart" } },
  {
    claim: "of a release that is not named",
    forged: { target: { kind: "release", image: targetImage, number: 1 }, strategy: "Release" },
  },
  {
    claim: "of the rollback of one",
    forged: { target: { kind: "release", image: targetImage, number: 1 }, phase: "RollingBack" },
  },
  {
    claim: "of a rollout to a digest",
    forged: { target: { kind: "digest", image: targetImage, digest: "sha256:00" } },
  },
  { claim: "that started at no time", forged: { startedAt: "yesterday" } },
])("a claim $claim is ignored", ({ forged }) => {
  expect(readClaim(deployment, { ...update, ...forged }, true)).toBeNull();
});

test("neither a claim nor attempts without a target are read: a build before the first release wrote them", () => {
  const { target: _target, ...earlier } = update;
  expect(readClaim(deployment, earlier as UpdateStatus, true)).toBeNull();
  expect(fromBackOffStatus({ attempts: 1, until: "2026-11-27T00:00:00Z" } as BackOffStatus)).toBeNull();
});

test("a restart may be of any container", () => {
  for (const image of ["registry.example/proxy:3", "registry.example/migrate:1"]) {
    const target = { kind: "digest", image, digest: someDigest } as const;
    expect(readClaim(deployment, { ...update, strategy: "Restart", target }, true)).toMatchObject({
      target: { image },
    });
  }
});

test.for(["registry.example/proxy:3", "evil.example/shop/app:1.0.0"])("the previous image %s is ignored", (image) => {
  for (const strategy of ["Rolling", "Canary", "Restart"] as const) {
    const target: Target =
      strategy === "Restart" ? { kind: "digest", image: targetImage, digest: someDigest } : update.target;
    expect(readClaim(deployment, { ...update, strategy, target, previousImage: image }, true)).toMatchObject({
      previousImage: null,
    });
  }
});

test.for([
  { when: "Pawl set the target", written: "registry.example/shop/app:1.1.0", expected: update.previousImage },
  { when: "Pawl set another image", written: "registry.example/shop/app:1.0.5", expected: null },
  { when: "Pawl set nothing", written: undefined, expected: null },
])("without an opt-in, and $when: the previous image is $expected", ({ written, expected }) => {
  const annotations = written === undefined ? {} : { "pawl.dev/target-image": written };
  const object = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  expect(readClaim(object, update, false)).toMatchObject({ previousImage: expected });
});

describe("a claim whose image a webhook changed to another repository", () => {
  const mirrored = "mirror.example/shop/app:1.1.0";
  const template = { spec: { containers: [{ name: "app", image: mirrored }] } };
  const objectWith = (written?: string): BuiltInObject => ({
    ...deployment,
    metadata: {
      ...deployment.metadata,
      generation: 9,
      annotations: written === undefined ? {} : { "pawl.dev/target-image": written },
    },
    spec: { ...deployment.spec, selector: {}, template } as unknown as BuiltInObject["spec"],
  });

  test.for([
    { when: "the answer is recorded", written: targetImage, change: { appliedImage: mirrored }, isRead: true },
    { when: "it may not be recorded yet", written: targetImage, change: { phase: "Claimed" }, isRead: true },
    {
      when: "another image was answered",
      written: targetImage,
      change: { appliedImage: "x.example/y:1" },
      isRead: false,
    },
    { when: "Pawl has not set the target", written: undefined, change: { appliedImage: mirrored }, isRead: false },
  ] as const)("is read if $when: $isRead", ({ written, change, isRead }) => {
    const found = readClaim(objectWith(written), { ...update, ...change }, true);
    expect(found?.previousImage ?? null).toBe(isRead ? update.previousImage : null);
  });

  test.for([
    { later: 1, isApplied: true },
    { later: 2, isApplied: false },
  ])("is written, if $later revision has been created since: $isApplied", async ({ later, isApplied }) => {
    const claimed = { ...update, phase: "Claimed", targetRevision: 3 } as const;
    const object = objectWith(targetImage);
    const inFlight = readClaim(object, claimed, true);
    if (inFlight === null) throw new Error("the claim is ignored");
    const revision = (_: unknown, index: number) => ({
      metadata: {
        ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", uid: "u-1", controller: true }],
        annotations: { "deployment.kubernetes.io/revision": String(4 + index) },
      },
      spec: { template },
    });
    const api = { listSelected: async () => Array.from({ length: later }, revision) } as unknown as KubernetesApi;
    const observed = await observeClaim(object, inFlight, claimed, replicaSets, api);
    expect(observed.isApplied).toBe(isApplied);
    expect(observed.appliedImage).toBe(isApplied ? mirrored : undefined);
  });
});

const apps = { group: "apps", version: "v1" };
const replicaSets = { ...apps, plural: "deployments", kind: "Deployment" };
const revisions = { ...apps, plural: "statefulsets", kind: "StatefulSet" };

test.for([
  { when: "the target never ran", target: null, claimedAt: 3, isApplied: false },
  { when: "the target ran before the claim", target: 2, claimedAt: 3, isApplied: false },
  { when: "the target was the latest at the claim", target: 3, claimedAt: 3, isApplied: false },
  { when: "the target runs again since the claim", target: 4, claimedAt: 3, isApplied: true },
  { when: "the first revision is of the target", target: 1, claimedAt: 0, isApplied: true },
  { when: "the claim does not say which revision was the latest", target: 2, claimedAt: undefined, isApplied: true },
  { when: "a revision has no number", target: undefined, claimedAt: 3, isApplied: false },
])("a claim of an edited workload is applied if $when: $isApplied", async ({ target, claimedAt, isApplied }) => {
  const claimed = {
    ...update,
    phase: "Claimed",
    ...(claimedAt === undefined ? {} : { targetRevision: claimedAt }),
  } as const;
  const inFlight = readClaim(deployment, claimed, true);
  if (inFlight === null) throw new Error("the claim is ignored");
  const edited = {
    ...deployment,
    metadata: { ...deployment.metadata, generation: 9 },
    spec: { ...deployment.spec, selector: {} },
  };
  const spec = (image: string) => ({ template: { spec: { containers: [{ name: "app", image }] } } });
  const metadataOf = (kind: string) => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, uid: "u-1", controller: true }],
  });
  const numbered = (number: number | undefined) =>
    number === undefined ? {} : { annotations: { "deployment.kubernetes.io/revision": String(number) } };
  const images = [
    ["registry.example/shop/app:1.0.0", 5] as const,
    ...(target === null ? [] : [[targetImage, target] as const]),
  ];
  const replicas = images.map(([image, number]) => ({
    metadata: { ...metadataOf("Deployment"), ...numbered(number) },
    spec: spec(image),
  }));
  const kept = images.map(([image, number]) => ({
    metadata: metadataOf("StatefulSet"),
    data: { spec: spec(image) },
    ...(number === undefined ? {} : { revision: number }),
  }));
  for (const [kind, listed] of [
    [replicaSets, replicas],
    [revisions, kept],
  ] as const) {
    const api = { listSelected: async () => listed } as unknown as KubernetesApi;
    expect(await observeClaim(edited, inFlight, claimed, kind, api)).toMatchObject({ isApplied });
  }
});

describe("the claim of a release", () => {
  const release = { number: 1, hash: "h-1", previousHash: "h-2", previousRevision: "web-2" };
  const target = { kind: "release", image: targetImage, number: 1 } as const;
  const claimed = { ...update, target, strategy: "Release", phase: "Claimed", targetRevision: 3, release } as const;
  const owner = { apiVersion: "apps/v1", kind: "Deployment", uid: "u-1", controller: true };
  const revision = (number: number) => ({
    metadata: { ownerReferences: [owner], annotations: { "deployment.kubernetes.io/revision": String(number) } },
    spec: { template: templateOf(deployment) },
  });
  const fenced = { "pawl.dev/execution": update.execution };

  test("is ignored if its image is of another repository, and, without an opt-in or a fence, always", () => {
    expect(
      readClaim(deployment, { ...claimed, target: { ...target, image: "evil.example/miner:1" } }, true),
    ).toBeNull();
    expect(readClaim(deployment, claimed, false)).toBeNull();
    const own = { ...deployment, metadata: { ...deployment.metadata, annotations: fenced } };
    expect(readClaim(own, claimed, false)).toMatchObject({ release: { number: 1 } });
    expect(readClaim(deployment, claimed, true)).toMatchObject({ release: { number: 1 } });
  });

  test.for([
    { when: "a webhook changed its template", annotations: fenced, numbers: [3, 4], isApplied: true },
    { when: "its controller has not observed that", annotations: fenced, numbers: [3], isApplied: true },
    { when: "somebody changed it since", annotations: fenced, numbers: [4, 5], isApplied: false },
    { when: "somebody changed it instead", annotations: {}, numbers: [3, 4], isApplied: false },
  ])("is written if $when: $isApplied", async ({ annotations, numbers, isApplied }) => {
    const metadata = { ...deployment.metadata, generation: 9, annotations };
    const object = { ...deployment, metadata, spec: { ...deployment.spec, selector: {} } };
    const inFlight = readClaim(object, claimed, true);
    if (inFlight === null) throw new Error("the claim is ignored");
    const api = { listSelected: async () => numbers.map(revision) } as unknown as KubernetesApi;
    const observed = await observeClaim(object, inFlight, claimed, replicaSets, api);
    const hash = isApplied ? hashRelease(templateOf(deployment)) : "h-1";
    expect(observed).toMatchObject({ isApplied, release: { hash } });
  });
});
