import type { V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { selectNode } from "./nodes.ts";
import { createNodeImages, type PulledImages } from "./node-images.ts";
import { isBroken, isReported, runningStatus } from "./pod-status.ts";
import { neverReadyAnnotation, pull } from "./pull.ts";

const nothing: PulledImages = new Map();
const now = new Date("2026-11-20T12:00:00Z");

describe("a broken image", () => {
  test.for([
    { image: "app:1.0.0", broken: false },
    { image: "app:1.0.0-bad", broken: true },
    { image: "app:broken-3", broken: true },
    { image: "registry:5000/broken/app", broken: false },
    { image: "registry:5000/app:1.0.0-bad@sha256:00", broken: true },
    { image: "app:1.0.0-badge", broken: false },
  ])("$image: $broken", ({ image, broken }) => {
    expect(isBroken(pod(image), nothing)).toBe(broken);
    expect(isBroken(pod("side:1.0.0", image), nothing)).toBe(broken);
    const spec = { containers: [{ name: "app", image: "app:1.0.0" }], initContainers: [{ name: "init", image }] };
    expect(isBroken({ spec }, nothing)).toBe(broken);
  });

  test("is simulated by an annotation of the pod", () => {
    const marked = { ...pod("app:1.0.0"), metadata: { annotations: { [neverReadyAnnotation]: "true" } } };
    expect(isBroken(marked, nothing)).toBe(true);
  });

  test.for([true, false])("is simulated by an annotation of the manifest: %s", (broken) => {
    const images: PulledImages = new Map([["container-0", { imageId: "app@sha256:00", isBroken: broken }]]);
    expect(isBroken(pod("app:1.0.0"), images)).toBe(broken);
  });
});

describe("the status", () => {
  test.for([
    { image: "app:1.0.0", imageID: "docker-pullable://app:1.0.0@sha256:" },
    { image: "app@sha256:00", imageID: "docker-pullable://app@sha256:00" },
  ])("contains the image ID: $image", async ({ image, imageID }) => {
    const images = await createNodeImages(pull)(pod(image));
    const [container] = runningStatus(pod(image), images, "10.1.0.1", now).containerStatuses ?? [];
    expect(container?.imageID).toContain(imageID);
  });

  test.for([
    { when: "there is no status", of: pod("app:1.0.0"), reported: false },
    { when: "the pod is ready", of: running(pod("app:1.0.0")), reported: true },
    { when: "a broken pod is not ready", of: running(pod("app:1.0.0-bad")), reported: true },
    {
      when: "the image has changed",
      of: running(pod("app:1.1.0"), pod("app:1.0.0")),
      reported: false,
    },
    {
      when: "the pod has become broken",
      of: { ...running(pod("app:1.0.0")), metadata: { annotations: { [neverReadyAnnotation]: "true" } } },
      reported: false,
    },
  ])("is up to date if $when: $reported", ({ of, reported }) => {
    expect(isReported(of, nothing)).toBe(reported);
  });
});

describe("a node", () => {
  test.for([
    { policy: "Always", second: "second", next: "third" },
    { policy: "IfNotPresent", second: "first", next: "second" },
  ])("with the first image cached starts the next pod of policy $policy with the $second", async (each) => {
    const { policy, second, next } = each;
    const contents = ["first", "second", "third"];
    const pullImages = createNodeImages(async () => ({ imageId: contents.shift() ?? "", isBroken: false }));
    const make = (uid: string, image = "app:prod"): Pod => ({
      metadata: { uid },
      spec: { nodeName: "a", containers: [{ name: "app", image, imagePullPolicy: policy }] },
    });
    const started = async (of: Pod) => (await pullImages(of)).get("app")?.imageId;
    expect(await started(make("one"))).toBe("first");
    expect(await started(make("two"))).toBe(second);
    expect(await started(make("one"))).toBe("first");
    expect(await started(make("one", "app:next"))).toBe(next);
  });
});

describe("the Node", () => {
  test.for([
    { when: "its DaemonSet requires it", required: ["b"], node: "b" },
    { when: "its DaemonSet requires one that a test created", required: ["c"], node: "c" },
  ])("of a pod is $node if $when", ({ required, node }) => {
    const matchFields = [{ key: "metadata.name", operator: "In", values: required }];
    const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
    expect(selectNode({ spec: { containers: [], affinity } }, ["a", "b"])).toBe(node);
  });

  test("of any other pod is one of the kubelet's own", () => {
    expect(["a", "b"]).toContain(selectNode(pod("app:1.0.0"), ["a", "b"]));
  });
});

type Pod = Pick<V1Pod, "metadata" | "spec" | "status">; // V1Pod is a class, which is not to be spread

function pod(...images: readonly string[]): Pod {
  return {
    metadata: { name: "app-0" },
    spec: { containers: images.map((image, index) => ({ name: `container-${index}`, image })) },
  };
}

/** Returns the pod with the status that the kubelet reported for `before`. */
function running(of: Pod, before: Pod = of): Pod {
  return { ...of, status: runningStatus(before, nothing, "10.1.0.1", now) };
}
