import { expect, test } from "vitest";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";
import type { Kind } from "../cluster-fixtures.ts";
import { annotationsOf, change, containersOf, look, make, read, write, type At, type Bench } from "./bench.ts";
import { abandon, claim, marks, rolledBack, stepNames, steps, type Step, type Written } from "./steps.ts";
import { writtenBuiltIn } from "./written-built-in.ts";
import { writtenClaw } from "./written-claw.ts";

export function changing(at: At, kind: Kind): void {
  const expected = kind === "Claw" ? writtenClaw : writtenBuiltIn;

  test.for(stepNames)("%s", async (name) => {
    const { given, step } = steps[name];
    const ref = await make(at(), kind);
    for (const one of [...given, step]) await change(at(), ref, one);
    expect(await written(at(), ref)).toEqual(expected[name]);
  });

  test("the claim is read as it was written", async () => {
    const ref = await make(at(), kind);
    const { inFlight, image } = await change(at(), ref, claim);
    const previousImage = kind === "Claw" ? null : marks.previousImage;
    expect({ inFlight, image }).toEqual({ inFlight: { ...marks, previousImage }, image: marks.targetImage });
  });

  test("what was given up is read as such until it is tidied up", async () => {
    const ref = await make(at(), kind);
    await change(at(), ref, claim);
    const { inFlight } = await change(at(), ref, abandon);
    expect(inFlight).toMatchObject({ targetImage: marks.targetImage, execution: "e-1", phase: "rollback" });
    expect((await change(at(), ref, rolledBack)).inFlight).toBeNull();
  });

  test.for(stepNames)("%s decided on what has changed since throws Conflict and writes nothing", async (name) => {
    const { given, step } = steps[name];
    const ref = await make(at(), kind);
    for (const one of given) await change(at(), ref, one);
    const stale = await read(at(), ref);
    await write(at(), ref, { metadata: { annotations: { "example.com/by": "somebody else" } } });
    const found = await untouched(at(), ref);
    await expect(at().cluster.change(stale, step(stale))).rejects.toMatchObject({ name: "Conflict" });
    expect(await untouched(at(), ref)).toEqual(found);
  });

  test("a change of what is gone, or of another by its name, throws Conflict", async () => {
    const ref = await make(at(), kind);
    const workload = await read(at(), ref);
    const hold: Step = () => ({ announced: { held: "no" } });
    const another = { ...workload, ref: { ...ref, uid: "00000000-0000-0000-0000-000000000000" } };
    await expect(at().cluster.change(another, hold(workload))).rejects.toMatchObject({ name: "Conflict" });
    const nobody = { ...workload, ref: { ...ref, name: "nobody" } };
    await expect(at().cluster.change(nobody, hold(workload))).rejects.toMatchObject({ name: "Conflict" });
    expect((await read(at(), ref)).announced.held).toBeNull();
  });
}

async function written(bench: Bench, ref: WorkloadRef): Promise<Written> {
  const object = await look(bench, ref);
  const annotations = annotationsOf(object);
  if (ref.kind !== "Claw") return { image: containersOf(object)[0]?.image ?? "", annotations };
  const status = object.status?.["autoUpdate"];
  const image = annotations["claw.prismer.ai/target-image"] ?? "";
  return { image, annotations, ...(status === undefined ? {} : { status }) };
}

/** The parts that no controller writes. */
async function untouched(bench: Bench, ref: WorkloadRef): Promise<object> {
  const object = await look(bench, ref);
  const status = ref.kind === "Claw" ? object.status : undefined;
  return { annotations: annotationsOf(object), spec: object.spec, status };
}
