import { describe, expect, test } from "vitest";
import { byMerge, simulate, workload } from "./simulation.ts";
import {
  digestOfImageId,
  toImageId,
  createNodeImages,
} from "../../../../infra/local/kubernetes/controllers/nodes/node-images.ts";

const digest = (figure: number) => `sha256:${String(figure).repeat(64)}`;
const image = "registry.invalid:5000/shop/app:prod";

describe("a node", () => {
  test.for([
    { policy: "Always", second: digest(2) },
    { policy: "IfNotPresent", second: digest(1) },
  ])("starts a second container of policy $policy with $second", ({ policy: imagePullPolicy, second }) => {
    const contents = [digest(1), digest(2), digest(3)];
    const images = createNodeImages(() => contents.shift() ?? null);
    const container = { name: "app", image, imagePullPolicy };
    expect(images.pull("a", container)).toBe(digest(1));
    expect(images.pull("a", container)).toBe(second);
    expect(images.pull("b", container)).not.toBe(second);
  });

  test.for([
    { when: "it is pinned", of: `${image}@${digest(4)}`, found: digest(4) },
    {
      when: "its digest is unknown",
      of: "app:1.0.0",
      found: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    },
  ])("runs $found if $when", ({ of, found }) => {
    const started = createNodeImages(() => null).pull("a", { name: "app", image: of });
    expect(started).toEqual(found);
    expect(digestOfImageId(toImageId(of, started))).toBe(started);
  });

  test.for([image, `${image}@${digest(1)}`, "registry.invalid:5000/shop/app"])("formats the image ID of %s", (of) => {
    expect(toImageId(of, digest(2))).toBe(`docker-pullable://registry.invalid:5000/shop/app@${digest(2)}`);
  });
});

test("a restart pulls the tag's current digest, and the pod's health depends on the digest", async () => {
  const tag = { digest: digest(1) };
  const template = { metadata: { labels: { app: "web" } }, spec: podSpec("Always") };
  await using simulation = await simulate(
    [workload("StatefulSet", { template })],
    (_image, found) => found !== digest(3),
    () => tag.digest,
  );
  const restart = async (next: string) => {
    tag.digest = next;
    const annotations = { "kubectl.kubernetes.io/restartedAt": next };
    const body = { spec: { template: { metadata: { annotations } } } };
    await simulation.apps.patchNamespacedStatefulSet({ name: "web", namespace: "shop", body }, byMerge);
    await simulation.pass(15);
    const { items } = await simulation.core.listNamespacedPod({ namespace: "shop" });
    return items.map(({ status }) => digestOfImageId(status?.containerStatuses?.[0]?.imageID ?? ""));
  };
  expect(await restart(digest(2))).toEqual([digest(2), digest(2), digest(2)]);
  expect(await restart(digest(3))).toEqual([digest(2), digest(2), digest(3)]);
});

function podSpec(imagePullPolicy: string) {
  const initContainers = [{ name: "migrate", image: "migrate:1" }];
  return { initContainers, containers: [{ name: "app", image, imagePullPolicy }] };
}
