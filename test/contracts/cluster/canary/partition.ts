import { expect, test } from "vitest";
import { ownerChange } from "../../../../functions/domain/workload/canary/follow.ts";
import { before, target } from "../../cluster-fixtures.ts";
import { change, read, patchObject, type At } from "../harness.ts";
import { claimCanary, createRunning, eventually, one, partitionOf, podsOf, promote, waitForCanary } from "./harness.ts";

/** Tests the canary of a StatefulSet that is scaled. */
export function testCanaryPartition(at: At): void {
  test("follows scaling: pods that were added are stable ones", async () => {
    const ref = await createRunning(at, "StatefulSet", { spec: { podManagementPolicy: "Parallel" } });
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    expect(ownerChange(await read(at(), ref))).toBeNull();
    const imagesByName = async () => (await podsOf(at())).map(({ name, image }) => `${name} ${image}`);

    await patchObject(at(), ref, { spec: { replicas: 5 } });
    await eventually(async () => expect(await podsOf(at())).toHaveLength(5));
    expect(ownerChange(await read(at(), ref))?.reason).toContain("4 of them stay stable, not 2");
    const resize = () => ({ canary: { image: target, size: one } });
    await eventually(async () => {
      const workload = await read(at(), ref);
      if (ownerChange(workload) !== null) await at().cluster.deleteStuckPods(await change(at(), ref, resize), null);
      // Pods that serve are deleted one at a time.
      expect((await podsOf(at())).length).toBeGreaterThan(3);
      const stable = [0, 1, 2, 3].map((ordinal) => `app-${ordinal} ${before}`);
      expect(await imagesByName()).toEqual([...stable, `app-4 ${target}`]);
      expect(ownerChange(await read(at(), ref))).toBeNull();
    });
    expect(await partitionOf(at(), ref)).toBe(4);
    await waitForCanary(at(), ref);

    await patchObject(at(), ref, { spec: { replicas: 2 } });
    await change(at(), ref, resize);
    await eventually(async () => expect(await imagesByName()).toEqual([`app-0 ${before}`, `app-1 ${target}`]));
    await change(at(), ref, promote);
    expect(await partitionOf(at(), ref)).toBe(0);
  });
}
