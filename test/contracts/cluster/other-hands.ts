import { expect, test } from "vitest";
import { target, type BuiltInKind } from "../cluster-fixtures.ts";
import { annotationsOf, change, containersOf, look, make, write, type At } from "./bench.ts";
import { abandon, claim, rolledBack, succeed } from "./steps.ts";

const note = { "example.com/note": "leave me", "kubectl.kubernetes.io/last-applied-configuration": "{}\n" };

/** What others wrote into a built-in workload stays as they wrote it. */
export function otherHands(at: At, kind: BuiltInKind): void {
  test.for([
    { step: "a success", end: [succeed], image: target },
    { step: "a rollback", end: [abandon, rolledBack], image: "registry.invalid:5000/shop/app:1.0.0" },
  ])("annotations, the environment and other containers outlive $step", async ({ end, image }) => {
    const ref = await make(at(), kind, { annotations: note });
    const found = await look(at(), ref);
    for (const step of [claim, ...end]) await change(at(), ref, step);
    const object = await look(at(), ref);
    expect(annotationsOf(object)).toMatchObject(note);
    const [app, sidecar] = containersOf(object);
    expect(app).toEqual({ ...containersOf(found)[0], image });
    expect(sidecar).toEqual(containersOf(found)[1]);
    expect(containersOf(object)).toHaveLength(2);
  });

  test("the container that is named is the one that is updated", async () => {
    const ref = await make(at(), kind, { annotations: { "pawl.dev/container": "sidecar" } });
    const [app] = containersOf(await look(at(), ref));
    await change(at(), ref, claim);
    expect(containersOf(await look(at(), ref))).toEqual([
      app,
      expect.objectContaining({ name: "sidecar", image: target }),
    ]);
  });

  test("with nothing to go back to, the template stays as it is", async () => {
    const ref = await make(at(), kind);
    await change(at(), ref, (workload) => {
      const { inFlight, ...rest } = claim(workload);
      return { ...rest, ...(inFlight ? { inFlight: { ...inFlight, previousImage: null } } : {}) };
    });
    await change(at(), ref, abandon);
    const workload = await change(at(), ref, rolledBack);
    expect(workload).toMatchObject({ image: target, inFlight: null });
  });

  test("a start that cannot be read is left as it was found", async () => {
    const ref = await make(at(), kind);
    await change(at(), ref, claim);
    await write(at(), ref, { metadata: { annotations: { "pawl.dev/update-started": "at noon" } } });
    const adopted = await change(at(), ref, ({ inFlight }) => ({
      inFlight: inFlight === null ? null : { ...inFlight, execution: "e-9" },
    }));
    expect(adopted.inFlight).toMatchObject({ execution: "e-9", startedAt: "malformed" });
    expect(annotationsOf(await look(at(), ref))["pawl.dev/update-started"]).toBe("at noon");
  });
}
