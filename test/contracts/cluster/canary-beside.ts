import { expect, test } from "vitest";
import { before, manifest, pathOf, target } from "../cluster-fixtures.ts";
import { annotationsOf, change, createObject, look, read, write, type At } from "./bench.ts";
import { abandon, begin, beside, eventually, imagesOf, makeRunning, untilCanaryStands } from "./canary-bench.ts";
import { next, rolledBack } from "./steps.ts";

/** The second Deployment by which a Deployment has its canary. */
export function canaryBeside(at: At): void {
  test("is its template's, with the labels that Services select and one more, and belongs to it", async () => {
    const ref = await makeRunning(at, "Deployment");
    await change(at(), ref, begin());
    const { metadata, spec } = await look(at(), { ...ref, name: "app-canary" });
    const labels = { app: "app", "pawl.dev/role": "canary" };
    expect(metadata).toMatchObject({ ownerReferences: [{ kind: "Deployment", name: "app", uid: ref.uid }] });
    expect(spec).toMatchObject({
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: target }] } },
    });
  });

  test("is of the container that is named", async () => {
    const containers = ["proxy", "app"].map((name) => ({ name, image: before }));
    const template = { metadata: { labels: { app: "app" } }, spec: { containers } };
    const annotations = { "pawl.dev/container": "app" };
    const ref = await makeRunning(at, "Deployment", { annotations, spec: { template } });
    await change(at(), ref, begin());
    const { spec } = await look(at(), { ...ref, name: "app-canary" });
    expect(spec).toMatchObject({ template: { spec: { containers: [{ image: before }, { image: target }] } } });
    await untilCanaryStands(at(), ref);
  });

  test("goes with the Deployment that it belongs to", async () => {
    const ref = await makeRunning(at, "Deployment");
    await change(at(), ref, begin());
    await untilCanaryStands(at(), ref);
    await at().request("DELETE", pathOf(ref), { body: { propagationPolicy: "Background" } });
    await eventually(async () => {
      expect(await beside(at(), ref)).toBeNull();
      expect(await imagesOf(at())).toEqual([]);
    });
  });

  test("is refused where a Deployment of its name is somebody else's, which stays as it is", async () => {
    const foreign = await createObject(at(), "Deployment", manifest("Deployment", { name: "app-canary", optIn: null }));
    const ref = await makeRunning(at, "Deployment");
    const found = await look(at(), foreign);
    const workload = await read(at(), ref);
    expect(workload.problems).toEqual([expect.stringMatching(/a Deployment app-canary .* is not Pawl's/)]);
    await expect(at().cluster.change(workload, begin()(workload))).rejects.toMatchObject({ name: "CanaryRefused" });
    expect((await read(at(), ref)).canary).toBeNull();
    for (const step of [abandon, rolledBack]) await change(at(), ref, step);
    const { metadata, spec } = await look(at(), foreign);
    expect({ uid: metadata?.uid, spec }).toEqual({ uid: found.metadata?.uid, spec: found.spec });
  });

  test("left behind by marks that a person took away, is replaced by the next", async () => {
    const ref = await makeRunning(at, "Deployment");
    await change(at(), ref, begin());
    const left = await beside(at(), ref);
    const marks = Object.keys(annotationsOf(await look(at(), ref))).filter((key) => /target|update-|execut/.test(key));
    await write(at(), ref, { metadata: { annotations: Object.fromEntries(marks.map((key) => [key, null])) } });
    expect((await read(at(), ref)).inFlight).toBeNull();
    await change(at(), ref, begin(next, "e-2"));
    await untilCanaryStands(at(), ref, next);
    expect((await beside(at(), ref))?.uid).not.toBe(left?.uid);
  });
}
