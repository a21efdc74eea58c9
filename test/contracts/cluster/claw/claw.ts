import { expect, test } from "vitest";
import {
  createObject,
  change,
  getObject,
  createWorkload,
  read,
  patchObject,
  type At,
  type Harness,
} from "../harness.ts";
import { manifest, sidecar } from "../../cluster-fixtures.ts";
import { clearHold, hold, revert, claim, later, rolledBack, succeed, type Step } from "../steps.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";

const noon = "2026-11-20T12:00:00Z";
const tenPast = "2026-11-20T12:10:00Z";
const theirs = {
  type: "Ready",
  status: "True",
  reason: "AllGood",
  message: "runs",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};
const available = { type: "AutoUpdateAvailable", observedGeneration: 1, lastTransitionTime: noon };
const inProgress = { type: "AutoUpdateInProgress", observedGeneration: 1, lastTransitionTime: noon };

/** Tests behaviour of Claws only: conditions, and pods that the operator creates. */
export function testClaw(at: At): void {
  test("the conditions show an update from start to success", async () => {
    const ref = await createWorkload(at(), "Claw");
    await change(at(), ref, claim);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "True", reason: "NewVersionFound" },
      { ...inProgress, status: "True", reason: "UpdateStarted" },
    ]);
    at().now = later;
    await change(at(), ref, succeed);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "False", reason: "UpToDate", lastTransitionTime: tenPast },
      { ...inProgress, status: "False", reason: "UpdateComplete", lastTransitionTime: tenPast },
    ]);
  });

  test("the version is still available after a rollback", async () => {
    const ref = await createWorkload(at(), "Claw");
    await change(at(), ref, claim);
    at().now = later;
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "True", reason: "NewVersionFound" },
      { ...inProgress, status: "False", reason: "RolledBack", lastTransitionTime: tenPast },
    ]);
  });

  test("lastTransitionTime changes with the status, not with the message", async () => {
    const ref = await createWorkload(at(), "Claw");
    const setAvailable = (status: "True" | "False", message: string): Step => {
      const reason = status === "True" ? "NewVersionFound" : "UpToDate";
      return () => ({ conditions: [{ type: "AutoUpdateAvailable", status, reason, message }] });
    };
    await change(at(), ref, setAvailable("True", "1.1.0 is out"));
    at().now = later;
    await change(at(), ref, setAvailable("True", "1.2.0 is out"));
    expect(await conditions(at(), ref)).toEqual([
      { ...available, status: "True", reason: "NewVersionFound", message: "1.2.0 is out" },
    ]);
    await change(at(), ref, setAvailable("False", "nothing newer"));
    expect(await conditions(at(), ref)).toMatchObject([{ status: "False", lastTransitionTime: tenPast }]);
  });

  test("a hold and a problem are conditions until they are over", async () => {
    const ref = await createWorkload(at(), "Claw");
    await change(at(), ref, clearHold);
    expect(await conditions(at(), ref)).toEqual([]);
    const reported = { observedGeneration: 1, lastTransitionTime: noon };
    const [held, valid] = ["AutoUpdateHeld", "AutoUpdateValid"].map((type) => ({ type, ...reported })) as [
      object,
      object,
    ];
    await change(at(), ref, hold);
    expect(await conditions(at(), ref)).toEqual([
      { ...held, status: "True", reason: "Held", message: "1.2.0 is out of bounds" },
      { ...valid, status: "False", reason: "SpecInvalid", message: "a typing error" },
    ]);
    await change(at(), ref, clearHold);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...held, status: "False", reason: "NotHeld" },
      { ...valid, status: "True", reason: "SpecValid" },
    ]);
  });

  test("conditions of other controllers are kept", async () => {
    const ref = await createWorkload(at(), "Claw");
    await patchObject(at(), ref, { status: { conditions: [theirs] } }, { subresource: "/status" });
    for (const step of [claim, succeed]) await change(at(), ref, step);
    const all = await conditions(at(), ref);
    expect(all.map(({ type }) => type)).toEqual(["AutoUpdateAvailable", "AutoUpdateInProgress", "Ready"]);
    expect(all).toContainEqual(theirs);
  });

  test("its rollout is that of the StatefulSet of its name, with the image of the container runtime", async () => {
    const spec = manifest("StatefulSet", { name: "otto" }).spec;
    const containers = [sidecar, { name: "runtime", image: "registry.invalid/claw:1.0.0" }];
    const template = { metadata: { labels: { app: "otto" } }, spec: { containers } };
    const metadata = { name: "otto" };
    await createObject(at(), "StatefulSet", { metadata, spec: { ...spec, template, replicas: 0 } });
    const ref = await createWorkload(at(), "Claw", { name: "otto" });
    await expect
      .poll(async () => (await read(at(), ref)).rollout, { timeout: 60_000 })
      .toEqual({
        generation: 1,
        observedGeneration: 1,
        image: "registry.invalid/claw:1.0.0",
        desiredReplicas: 0,
        updatedReplicas: 0,
        readyReplicas: 0,
        oldReplicas: 0,
      });
  });

  test("without a published image and pods, source and rollout are null", async () => {
    const ref = await createWorkload(at(), "Claw", { runtime: "hermesrs" });
    expect(await read(at(), ref)).toMatchObject({ source: null, image: null, rollout: null, problems: [] });
  });
}

interface Condition {
  readonly type: string;
}

async function conditions(harness: Harness, ref: WorkloadRef): Promise<readonly Condition[]> {
  const { status } = await getObject(harness, ref);
  const list = (status?.["conditions"] ?? []) as unknown as readonly Condition[];
  return list.toSorted((a, b) => a.type.localeCompare(b.type));
}
