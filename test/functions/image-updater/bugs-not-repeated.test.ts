import { describe, expect, test } from "vitest";
import { finalizerPatch, restartPatch } from "../../../functions/adapters/kubernetes/kinds/digest-patch.ts";
import { readDigestTracking, usualHabits } from "../../../functions/adapters/kubernetes/kinds/digest-tracking.ts";
import type { BuiltInObject } from "../../../functions/adapters/kubernetes/kinds/pod-template.ts";
import type { Container } from "../../../functions/adapters/kubernetes/objects.ts";
import { parseChallenge } from "../../../functions/adapters/oci-registry/challenge.ts";
import { digest } from "../../support/followed.ts";
import { noon } from "../../support/workloads.ts";

// Facts of kubernetes-image-updater that concern whole objects and headers. Its parsing is test/domain/image-updater-facts.test.ts.

const prefix = "image-updater.eznix86.github.io";

function object(
  says: Record<string, string>,
  containers: readonly Container[],
  initContainers: readonly Container[] = [],
): BuiltInObject {
  const annotations = { [`${prefix}/enabled`]: "true", ...says };
  const metadata = { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "7", annotations };
  return { metadata, spec: { template: { spec: { containers, initContainers } } } };
}

function followedIn(of: BuiltInObject) {
  return readDigestTracking(of, "restart").tracking?.containers.map(({ name, image }) => `${name} ${image}`);
}

describe("which containers of a pod are followed", () => {
  const containers = [
    { name: "nginx", image: "nginx:1" },
    { name: "sidecar", image: "side:2" },
  ];
  const init = [{ name: "migrate", image: "app:3" }];
  test.for([
    { when: "nothing is said", says: {}, followed: ["nginx nginx:1", "sidecar side:2"] },
    {
      when: "init containers count",
      says: { "track-init-containers": "true" },
      followed: ["nginx nginx:1", "sidecar side:2", "migrate app:3"],
    },
    {
      when: "init containers count only by exactly true",
      says: { "track-init-containers": "yes" },
      followed: ["nginx nginx:1", "sidecar side:2"],
    },
    {
      when: "track beats ignore",
      says: { "track-containers": "nginx", "ignore-containers": "nginx" },
      followed: ["nginx nginx:1"],
    },
  ])("$when", ({ says, followed }) => {
    const prefixed = Object.fromEntries(Object.entries(says).map(([key, value]) => [`${prefix}/${key}`, value]));
    expect(followedIn(object(prefixed, containers, init))).toEqual(followed);
  });

  test("one without an image is dropped", () => {
    expect(followedIn(object({}, [{ name: "nginx" }, { name: "empty", image: "" }, ...containers.slice(1)]))).toEqual([
      "sidecar side:2",
    ]);
    expect(followedIn(object({}, []))).toEqual([]);
  });

  test("exactly true switches it on", () => {
    for (const enabled of ["True", "1", "", "false"])
      expect(followedIn(object({ [`${prefix}/enabled`]: enabled }, containers))).toBeUndefined();
  });
});

describe("its bugs", () => {
  test.for([
    { what: "without a tag", image: "nginx" },
    { what: "of a port and no tag", image: "host:5000/x" },
    { what: "of localhost", image: "localhost/x:t" },
  ])("an image $what is followed", ({ image }) => {
    const of = object({}, [{ name: "app", image }]);
    expect(followedIn(of)).toEqual([`app ${image}`]);
    expect(readDigestTracking(of, "restart").problems).toEqual([]);
  });

  test("an image with a digest is its owner's choice, and the rest is followed", () => {
    const of = object({}, [
      { name: "app", image: `app@${digest(1)}` },
      { name: "side", image: "side:1" },
    ]);
    expect(followedIn(of)).toEqual(["side side:1"]);
  });

  test("the pull policy of an init container is set where it stands, and only of those that lack it", () => {
    const containers = [
      { name: "nginx", image: "nginx:1", imagePullPolicy: "IfNotPresent" },
      { name: "side", image: "side:1", imagePullPolicy: "Always" },
    ];
    const of = object({ [`${prefix}/track-init-containers`]: "true" }, containers, [
      { name: "migrate", image: "app:3" },
    ]);
    const metadata = { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-11-20T12:00:00Z" } };
    const always = (name: string) => ({ name, imagePullPolicy: "Always" });
    expect(restartPatch(of, { restart: noon }, { ...usualHabits, setsPullPolicy: true })).toEqual({
      template: { metadata, spec: { containers: [always("nginx")], initContainers: [always("migrate")] } },
    });
    expect(restartPatch(of, { restart: noon }, usualHabits)).toEqual({ template: { metadata } });
  });

  test("its finalizer is taken away, and no other", () => {
    const of = object({}, []);
    const finalizers = [`${prefix}/finalizer`, "other"];
    expect(finalizerPatch({ ...of, metadata: { ...of.metadata, finalizers } })).toEqual({
      "$deleteFromPrimitiveList/finalizers": [`${prefix}/finalizer`],
    });
    expect(finalizerPatch({ ...of, metadata: { ...of.metadata, finalizers: ["other"] } })).toEqual({});
  });
});

test.for([
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
    {
      kind: "bearer",
      realm: "https://auth.docker.io/token",
      service: "registry.docker.io",
      scope: "repository:library/nginx:pull",
    },
  ],
  ['Basic realm="Registry"', { kind: "basic" }],
  ["", null],
] as const)("the challenge %s", ([header, challenge]) => {
  expect(parseChallenge(header)).toEqual(challenge);
});

test("of several containers that run one image, those that are not named to move stay", () => {
  const containers = ["app", "again"].map((name) => ({ name, image: "app:1.0.0" }));
  const stays = (says: Record<string, string>) =>
    readDigestTracking(object(says, containers), "restart").tracking?.containers.map((one) => one.stays ?? false);
  expect(stays({})).toEqual([false, false]);
  expect(stays({ "pawl.dev/container": "app" })).toEqual([false, true]);
  expect(stays({ "pawl.dev/container": "app,again" })).toEqual([false, false]);
});
