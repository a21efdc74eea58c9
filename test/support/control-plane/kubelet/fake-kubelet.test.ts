import type { V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { nodeFor } from "./nodes.ts";
import { nodeImages, type Runs } from "./node-images.ts";
import { isBroken, isReported, neverReadyAnnotation, runningStatus } from "./pod-status.ts";
import { pull } from "./pull.ts";

const nothing: Runs = new Map();
const now = new Date("2026-11-20T12:00:00Z");

describe("an image that does not work", () => {
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
  });

  test("an annotation says so of any pod", () => {
    const marked = { ...pod("app:1.0.0"), metadata: { annotations: { [neverReadyAnnotation]: "true" } } };
    expect(isBroken(marked, nothing)).toBe(true);
  });

  test.for([true, false])("what was pulled says so too: %s", (broken) => {
    const runs: Runs = new Map([["container-0", { imageId: "app@sha256:00", isBroken: broken }]]);
    expect(isBroken(pod("app:1.0.0"), runs)).toBe(broken);
  });
});

describe("the status", () => {
  test.for([
    { image: "app:1.0.0", imageID: "docker-pullable://app:1.0.0@sha256:" },
    { image: "app@sha256:00", imageID: "docker-pullable://app@sha256:00" },
  ])("names what runs: $image", async ({ image, imageID }) => {
    const runs = await nodeImages(pull)(pod(image));
    const [container] = runningStatus(pod(image), runs, "10.1.0.1", now).containerStatuses ?? [];
    expect(container?.imageID).toContain(imageID);
  });

  test.for([
    { when: "nothing has been said", of: pod("app:1.0.0"), reported: false },
    { when: "it has been said", of: running(pod("app:1.0.0")), reported: true },
    { when: "it has been said of a broken one", of: running(pod("app:1.0.0-bad")), reported: true },
    {
      when: "the image is another now",
      of: running(pod("app:1.1.0"), pod("app:1.0.0")),
      reported: false,
    },
    {
      when: "it is broken now",
      of: { ...running(pod("app:1.0.0")), metadata: { annotations: { [neverReadyAnnotation]: "true" } } },
      reported: false,
    },
  ])("is complete when $when: $reported", ({ of, reported }) => {
    expect(isReported(of, nothing)).toBe(reported);
  });
});

describe("a node", () => {
  test.for([
    { policy: "Always", second: "second", next: "third" },
    { policy: "IfNotPresent", second: "first", next: "second" },
  ])("that has the first already starts the next pod of policy $policy with the $second", async (each) => {
    const { policy, second, next } = each;
    const contents = ["first", "second", "third"];
    const runsOf = nodeImages(async () => ({ imageId: contents.shift() ?? "", isBroken: false }));
    const make = (uid: string, image = "app:prod"): Pod => ({
      metadata: { uid },
      spec: { nodeName: "a", containers: [{ name: "app", image, imagePullPolicy: policy }] },
    });
    const started = async (of: Pod) => (await runsOf(of)).get("app")?.imageId;
    expect(await started(make("one"))).toBe("first");
    expect(await started(make("two"))).toBe(second);
    expect(await started(make("one"))).toBe("first");
    expect(await started(make("one", "app:next"))).toBe(next);
  });
});

describe("the Node", () => {
  test.for([
    { when: "its DaemonSet wants it", wanted: ["b"], node: "b" },
    { when: "its DaemonSet wants one that a test has made", wanted: ["c"], node: "c" },
  ])("of a pod, when $when: $node", ({ wanted, node }) => {
    const matchFields = [{ key: "metadata.name", operator: "In", values: wanted }];
    const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
    expect(nodeFor({ spec: { containers: [], affinity } }, ["a", "b"])).toBe(node);
  });

  test("of any other pod is one of ours", () => {
    expect(["a", "b"]).toContain(nodeFor(pod("app:1.0.0"), ["a", "b"]));
  });
});

type Pod = Pick<V1Pod, "metadata" | "spec" | "status">; // V1Pod is a class, which is not to be spread

function pod(...images: readonly string[]): Pod {
  return {
    metadata: { name: "app-0" },
    spec: { containers: images.map((image, index) => ({ name: `container-${index}`, image })) },
  };
}

/** The pod, with what the kubelet said of it when it was as `before`. */
function running(of: Pod, before: Pod = of): Pod {
  return { ...of, status: runningStatus(before, nothing, "10.1.0.1", now) };
}
