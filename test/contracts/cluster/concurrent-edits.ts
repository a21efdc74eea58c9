import { expect, test } from "vitest";
import { target, type BuiltInKind } from "../cluster-fixtures.ts";
import { annotationsOf, change, containersOf, getObject, createWorkload, patchObject, type At } from "./harness.ts";
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

  test("an invalid start time is kept", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/update-started": "at noon" } } });
    const adopted = await change(at(), ref, ({ inFlight }) => ({
      inFlight: inFlight === null ? null : { ...inFlight, execution: "e-9" },
    }));
    expect(adopted.inFlight).toMatchObject({ execution: "e-9", startedAt: "malformed" });
    expect(annotationsOf(await getObject(at(), ref))["pawl.dev/update-started"]).toBe("at noon");
  });
}
