import { expect, test } from "vitest";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { statusOf } from "../auto-update/harness.ts";
import { change, getObject, read, patchObject, type At, type Harness } from "../harness.ts";
import { later, type Step, revert } from "../steps.ts";
import { digest, createTracked, migrate, restart, templateOf, withInit } from "./harness.ts";

const pinning = { ...withInit, "pawl.dev/rollback-to": "digest" };
const good = { app: digest(1), migrate: digest(2), sidecar: digest(3) };
/** The digest of the sidecar is unchanged. */
const bad = { app: digest(4), migrate: digest(5), sidecar: digest(3) };
const release: Step = () => ({ inFlight: null });

export function testPins(at: At, kind: BuiltInKind): void {
  /** Creates a workload that was restarted to good digests, then to bad ones, and rolled back. */
  async function createPinned(annotations: Readonly<Record<string, string>> = pinning): Promise<WorkloadRef> {
    const ref = await createTracked(at(), kind, { annotations });
    const steps = [restart(good), release, restart(bad, "e-2", later), revert, release];
    for (const step of steps) await change(at(), ref, step);
    return ref;
  }

  test("a failed restart is reverted to the previous digests, each container in its own list", async () => {
    const ref = await createPinned();
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: `${before}@${digest(1)}`, sidecar: sidecar.image },
      initContainers: { migrate: `${migrate}@${digest(2)}` },
    });
    expect(await statusOf(at(), ref)).toMatchObject({
      digests: { pinned: { app: digest(1), migrate: digest(2) } },
      failedVersions: [`1.0.0@${digest(4)}`],
    });
    const { digests, isPinnedByPawl, problems } = await read(at(), ref);
    expect(digests?.containers.map(({ name, image }) => [name, image])).toEqual([
      ["app", before],
      ["sidecar", sidecar.image],
      ["migrate", migrate],
    ]);
    expect({ isPinnedByPawl, problems }).toEqual({ isPinnedByPawl: true, problems: [] });
  });

  test("the next restart removes the pins", async () => {
    const ref = await createPinned();
    const next = { ...bad, app: digest(6), migrate: digest(7) };
    const workload = await change(at(), ref, restart(next, "e-3", later));
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: before, sidecar: sidecar.image },
      initContainers: { migrate },
    });
    expect((await statusOf(at(), ref)).digests).not.toHaveProperty("pinned");
    expect(workload).toMatchObject({ isPinnedByPawl: false, image: before, inFlight: { phase: "restart" } });
  });

  test("an image that a person set since is not a pin and is kept", async () => {
    const ref = await createPinned();
    const chosen = `${before}@${digest(9)}`;
    const body = { spec: { template: { spec: { containers: [{ name: "app", image: chosen }] } } } };
    await patchObject(at(), ref, body, { contentType: "application/strategic-merge-patch+json" });
    const { isPinnedByPawl, digests } = await read(at(), ref);
    expect({ isPinnedByPawl, tracked: digests?.containers.map(({ name }) => name) }).toEqual({
      isPinnedByPawl: false,
      tracked: ["app", "sidecar", "migrate"],
    });
    await change(at(), ref, restart({ sidecar: digest(8), migrate: digest(5) }, "e-3", later));
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: chosen, sidecar: sidecar.image },
      initContainers: { migrate },
    });
  });

  test("nothing is pinned without permission", async () => {
    const ref = await createPinned(withInit);
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: before, sidecar: sidecar.image },
      initContainers: { migrate },
    });
    expect((await statusOf(at(), ref)).digests).not.toHaveProperty("pinned");
  });
}

async function imagesIn(harness: Harness, ref: WorkloadRef): Promise<object> {
  const { containers, initContainers } = templateOf(await getObject(harness, ref)).spec;
  const byName = (list: readonly { name: string; image: string }[]) =>
    Object.fromEntries(list.map(({ name, image }) => [name, image]));
  return { containers: byName(containers), initContainers: byName(initContainers) };
}
