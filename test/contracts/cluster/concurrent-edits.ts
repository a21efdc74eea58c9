import { expect, test } from "vitest";
import { before, target, type BuiltInKind } from "../cluster-fixtures.ts";
import {
  annotationsOf,
  change,
  type Container,
  containersOf,
  getObject,
  createWorkload,
  patchObject,
  type At,
} from "./harness.ts";
import { revert, claim, rolledBack, succeed } from "./steps.ts";

const otherAnnotations = { "example.com/note": "keep", "kubectl.kubernetes.io/last-applied-configuration": "{}\n" };

/** Tests that changes of other clients to a built-in workload are kept. */
export function testConcurrentEdits(at: At, kind: BuiltInKind): void {
  test.for([
    { step: "a success", end: [succeed], image: target },
    { step: "a rollback", end: [revert, rolledBack], image: "registry.invalid:5000/shop/app:1.0.0" },
  ])("annotations, the environment and other containers are kept after $step", async ({ end, image }) => {
    const ref = await createWorkload(at(), kind, { annotations: otherAnnotations });
    const found = await getObject(at(), ref);
    for (const step of [claim, ...end]) await change(at(), ref, step);
    const object = await getObject(at(), ref);
    expect(annotationsOf(object)).toMatchObject(otherAnnotations);
    const [app, sidecar] = containersOf(object);
    expect(app).toEqual({ ...containersOf(found)[0], image });
    expect(sidecar).toEqual(containersOf(found)[1]);
    expect(containersOf(object)).toHaveLength(2);
  });

  test("the container in pawl.dev/containers is updated", async () => {
    const ref = await createWorkload(at(), kind, { annotations: { "pawl.dev/containers": "sidecar" } });
    const [app] = containersOf(await getObject(at(), ref));
    await change(at(), ref, claim);
    expect(containersOf(await getObject(at(), ref))).toEqual([
      app,
      expect.objectContaining({ name: "sidecar", image: target }),
    ]);
  });

  test.for([
    { when: "all with one image are updated", annotations: {} },
    { when: "they are named", annotations: { "pawl.dev/containers": "app, copy, edited, migrate" } },
  ])("a rollback restores the containers that the update moved and that still run its image, if $when", async (row) => {
    const ref = await createWorkload(at(), kind, row);
    const setImages = (images: Readonly<Record<string, string>>, list = "containers") => {
      const entries = Object.entries(images).map(([name, image]) => ({ name, image }));
      const body = { spec: { template: { spec: { [list]: entries } } } };
      return patchObject(at(), ref, body, { contentType: "application/strategic-merge-patch+json" });
    };
    await setImages({ app: before, beside: target, copy: before, edited: before });
    await setImages({ migrate: before }, "initContainers");
    const imagesOf = async () => {
      const object = await getObject(at(), ref);
      const initContainers = (object.spec?.["template"]?.["spec"]?.["initContainers"] ??
        []) as unknown as readonly Container[];
      const all = [...containersOf(object), ...initContainers];
      return Object.fromEntries(all.map(({ name, image }) => [name, image]));
    };
    await change(at(), ref, claim);
    expect(await imagesOf()).toMatchObject({
      app: target,
      beside: target,
      copy: target,
      edited: target,
      migrate: target,
    });
    const hotfix = `${before}-hotfix`;
    await setImages({ edited: hotfix });
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    expect(await imagesOf()).toMatchObject({
      app: before,
      beside: target,
      copy: before,
      edited: hotfix,
      migrate: before,
    });
  });

  test("without a previous image the template is unchanged", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, (workload) => {
      const { inFlight, ...rest } = claim(workload);
      return { ...rest, ...(inFlight ? { inFlight: { ...inFlight, previousImage: null } } : {}) };
    });
    await change(at(), ref, revert);
    const workload = await change(at(), ref, rolledBack);
    expect(workload).toMatchObject({ image: target, inFlight: null });
  });

  test("the cause of a change that a person gave is kept", async () => {
    const cause = { "kubernetes.io/change-cause": "ticket 42" };
    const ref = await createWorkload(at(), kind, { annotations: cause });
    for (const step of [claim, revert, rolledBack]) await change(at(), ref, step);
    expect(annotationsOf(await getObject(at(), ref))).toMatchObject(cause);
  });

  test("a rollback of an image that was not written changes nothing", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    const spec = { template: { spec: { containers: [{ name: "app", image: before }] } } };
    await patchObject(at(), ref, { spec }, { contentType: "application/strategic-merge-patch+json" });
    const { annotations, generation } = await written();
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    expect(await written()).toEqual({ annotations, generation });

    async function written() {
      const object = await getObject(at(), ref);
      return { annotations: annotationsOf(object), generation: object.metadata?.generation };
    }
  });
}
