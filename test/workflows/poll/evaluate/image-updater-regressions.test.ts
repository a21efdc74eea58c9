import { describe, expect, test } from "vitest";
import { finalizerPatch, restartPatch } from "../../../../functions/adapters/kubernetes/kinds/digest/digest-patch.ts";
import {
  readDigestTracking,
  defaultDigestOptions,
} from "../../../../functions/adapters/kubernetes/kinds/digest/digest-tracking.ts";
import type { BuiltInObject } from "../../../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";
import type { Container } from "../../../../functions/adapters/kubernetes/objects.ts";
import { parseChallenge } from "../../../../functions/adapters/oci-registry/credentials/www-authenticate.ts";
import { digest } from "../../../support/digest-workloads.ts";
import { noon } from "../../../support/workloads.ts";

// Cases of kubernetes-image-updater for whole objects and headers. Its parsing is in test/domain/workload/digest/image-updater-compatibility.test.ts.

const prefix = "image-updater.eznix86.github.io";

function object(
  extra: Record<string, string>,
  containers: readonly Container[],
  initContainers: readonly Container[] = [],
): BuiltInObject {
  const annotations = { [`${prefix}/enabled`]: "true", ...extra };
  const metadata = { name: "app", namespace: "shop", uid: "u-1", resourceVersion: "7", annotations };
  return { metadata, spec: { template: { spec: { containers, initContainers } } } };
}

function trackedIn(workloadObject: BuiltInObject) {
  return readDigestTracking(workloadObject, undefined, "restart").tracking?.containers.map(
    ({ name, image }) => `${name} ${image}`,
  );
}

describe("tracked containers of a pod", () => {
  const containers = [
    { name: "nginx", image: "nginx:1" },
    { name: "sidecar", image: "side:2" },
  ];
  const init = [{ name: "migrate", image: "app:3" }];
  test.for([
    { when: "no annotation selects containers", annotations: {}, expected: ["nginx nginx:1", "sidecar side:2"] },
    {
      when: "init containers are tracked",
      annotations: { "track-init-containers": "true" },
      expected: ["nginx nginx:1", "sidecar side:2", "migrate app:3"],
    },
    {
      when: "init containers are tracked only with exactly true",
      annotations: { "track-init-containers": "yes" },
      expected: ["nginx nginx:1", "sidecar side:2"],
    },
    {
      when: "track takes precedence over ignore",
      annotations: { "track-containers": "nginx", "ignore-containers": "nginx" },
      expected: ["nginx nginx:1"],
    },
  ])("$when", ({ annotations, expected }) => {
    const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${prefix}/${key}`, value]));
    expect(trackedIn(object(prefixed, containers, init))).toEqual(expected);
  });

  test("a container without an image is skipped", () => {
    expect(trackedIn(object({}, [{ name: "nginx" }, { name: "empty", image: "" }, ...containers.slice(1)]))).toEqual([
      "sidecar side:2",
    ]);
    expect(trackedIn(object({}, []))).toEqual([]);
  });

  test("is enabled by exactly true", () => {
    for (const enabled of ["True", "1", "", "false"])
      expect(trackedIn(object({ [`${prefix}/enabled`]: enabled }, containers))).toBeUndefined();
  });
});

describe("bugs of the original", () => {
  test.for([
    { what: "without a tag", image: "nginx" },
    { what: "of a port and no tag", image: "host:5000/x" },
    { what: "of localhost", image: "localhost/x:t" },
  ])("an image $what is tracked", ({ image }) => {
    const subject = object({}, [{ name: "app", image }]);
    expect(trackedIn(subject)).toEqual([`app ${image}`]);
    expect(readDigestTracking(subject, undefined, "restart").problems).toEqual([]);
  });

  test("an image with a digest is the owner's choice, and the others are tracked", () => {
    const subject = object({}, [
      { name: "app", image: `app@${digest(1)}` },
      { name: "side", image: "side:1" },
    ]);
    expect(trackedIn(subject)).toEqual(["side side:1"]);
  });

  test("sets the pull policy of init containers in place, and only if it differs", () => {
    const containers = [
      { name: "nginx", image: "nginx:1", imagePullPolicy: "IfNotPresent" },
      { name: "side", image: "side:1", imagePullPolicy: "Always" },
    ];
    const subject = object({ [`${prefix}/track-init-containers`]: "true" }, containers, [
      { name: "migrate", image: "app:3" },
    ]);
    const metadata = { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-11-20T12:00:00Z" } };
    const always = (name: string) => ({ name, imagePullPolicy: "Always" });
    expect(
      restartPatch(
        subject,
        { restart: noon },
        { ...defaultDigestOptions, setsPullPolicy: true },
        { recorded: undefined, moved: undefined },
      ),
    ).toEqual({
      template: { metadata, spec: { containers: [always("nginx")], initContainers: [always("migrate")] } },
    });
    expect(
      restartPatch(subject, { restart: noon }, defaultDigestOptions, { recorded: undefined, moved: undefined }),
    ).toEqual({
      template: { metadata },
    });
  });

  test("pins no tag that a person has set since the restart", () => {
    const subject = object({}, [
      { name: "app", image: "app:1" },
      { name: "side", image: "side:2-hotfix" },
    ]);
    const context = { recorded: undefined, moved: { app: "app:1", side: "side:1" } };
    const pins = { app: digest(1), side: digest(2) };
    expect(restartPatch(subject, { pins }, defaultDigestOptions, context)).toEqual({
      template: { spec: { containers: [{ name: "app", image: `app:1@${digest(1)}` }] } },
    });
  });

  test("removes its finalizer and no other", () => {
    const subject = object({}, []);
    const finalizers = [`${prefix}/finalizer`, "other"];
    expect(finalizerPatch({ ...subject, metadata: { ...subject.metadata, finalizers } })).toEqual({
      "$deleteFromPrimitiveList/finalizers": [`${prefix}/finalizer`],
    });
    expect(finalizerPatch({ ...subject, metadata: { ...subject.metadata, finalizers: ["other"] } })).toEqual({});
  });
});

test.for([
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
    {
      kind: "bearer",
      realm: "https://auth.docker.io/token",
      service: "registry.docker.io",
    },
  ],
  ['Basic realm="Registry"', { kind: "basic" }],
  ["", null],
] as const)("the challenge %s", ([header, challenge]) => {
  expect(parseChallenge(header)).toEqual(challenge);
});

test("of several containers with one image, excludes those that are not named", () => {
  const containers = ["app", "again"].map((name) => ({ name, image: "app:1.0.0" }));
  const excludedFlags = (extra: Record<string, string>) =>
    readDigestTracking(object(extra, containers), undefined, "restart").tracking?.containers.map(
      (one) => one.excludedFromTagUpdates ?? false,
    );
  expect(excludedFlags({})).toEqual([false, false]);
  expect(excludedFlags({ "pawl.dev/containers": "app" })).toEqual([false, true]);
  expect(excludedFlags({ "pawl.dev/containers": "app,again" })).toEqual([false, false]);
});
