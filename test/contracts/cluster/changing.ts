import { expect, test } from "vitest";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Kind } from "../cluster-fixtures.ts";
import {
  annotationsOf,
  change,
  containersOf,
  getObject,
  createWorkload,
  read,
  patchObject,
  type At,
  type Harness,
} from "./harness.ts";
import { getAutoUpdate } from "./auto-update/harness.ts";
import { revert, claim, inFlightClaim, rolledBack, stepNames, steps, type Step, type Written } from "./steps.ts";
import { writtenBuiltIn } from "./written-built-in.ts";
import { writtenClaw } from "./claw/written.ts";

export function testChanges(at: At, kind: Kind): void {
  const expected = kind === "Claw" ? writtenClaw : writtenBuiltIn;

  test.for(stepNames)("%s", async (name) => {
    const { given, step } = steps[name];
    const ref = await createWorkload(at(), kind);
    for (const one of [...given, step]) await change(at(), ref, one);
    expect(await written(at(), ref)).toEqual(expected[name]);
  });

  test("a written claim is read back", async () => {
    const ref = await createWorkload(at(), kind);
    const { inFlight, image } = await change(at(), ref, claim);
    const ofKind = kind === "Claw" ? { previousImage: null } : { isApplied: true };
    expect({ inFlight, image }).toEqual({
      inFlight: { ...inFlightClaim, ...ofKind },
      image: inFlightClaim.target.image,
    });
  });

  test("a rollback is read back until it is cleaned up", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    const { inFlight } = await change(at(), ref, revert);
    expect(inFlight).toMatchObject({ target: inFlightClaim.target, execution: "e-1", phase: "rollback" });
    expect((await change(at(), ref, rolledBack)).inFlight).toBeNull();
  });

  test.for(stepNames)("%s on an outdated resourceVersion throws Conflict and writes nothing", async (name) => {
    const { given, step } = steps[name];
    const ref = await createWorkload(at(), kind);
    for (const one of given) await change(at(), ref, one);
    const stale = await read(at(), ref);
    await patchObject(at(), ref, { metadata: { annotations: { "example.com/by": "another client" } } });
    const found = await readUncontrolled(at(), ref);
    await expect(at().cluster.change(stale, step(stale))).rejects.toMatchObject({ name: "Conflict" });
    expect(await readUncontrolled(at(), ref)).toEqual(found);
  });

  test("a change of a deleted or recreated object throws Conflict", async () => {
    const ref = await createWorkload(at(), kind);
    const workload = await read(at(), ref);
    const hold: Step = () => ({ lastReported: { held: "no" } });
    const recreated = { ...workload, ref: { ...ref, uid: "00000000-0000-0000-0000-000000000000" } };
    await expect(at().cluster.change(recreated, hold(workload))).rejects.toMatchObject({ name: "Conflict" });
    const missing = { ...workload, ref: { ...ref, name: "missing" } };
    await expect(at().cluster.change(missing, hold(workload))).rejects.toMatchObject({ name: "Conflict" });
    expect((await read(at(), ref)).lastReported.held).toBeNull();
  });
}

/** What is observed, `auto-update-records.test.ts` and `record-target.test.ts` cover. */
async function written(harness: Harness, ref: WorkloadRef): Promise<Written> {
  const object = await getObject(harness, ref);
  const annotations = annotationsOf(object);
  if (ref.kind !== "Claw") {
    const autoUpdate = await getAutoUpdate(harness, ref);
    const image = containersOf(object)[0]?.image ?? "";
    const { target: _target, running: _running, ...status } = autoUpdate?.status ?? {};
    return { image, annotations, ...(autoUpdate === null ? {} : { status }) };
  }
  const status = object.status?.["autoUpdate"];
  const image = annotations["claw.prismer.ai/target-image"] ?? "";
  return { image, annotations, ...(status === undefined ? {} : { status }) };
}

/** Returns the fields that no controller writes. */
async function readUncontrolled(harness: Harness, ref: WorkloadRef): Promise<object> {
  const object = await getObject(harness, ref);
  const status = ref.kind === "Claw" ? object.status : undefined;
  const autoUpdate = await getAutoUpdate(harness, ref);
  return { annotations: annotationsOf(object), spec: object.spec, status, autoUpdate };
}
