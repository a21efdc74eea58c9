import { expect, test } from "vitest";
import { ownerChange } from "../../../../functions/domain/workload/canary/follow.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { textsOf } from "../../../support/problems.ts";
import { before, manifest, pathOf, target } from "../../cluster-fixtures.ts";
import { autoUpdatePath } from "../auto-update/harness.ts";
import { change, createObject, getObject, patchObject, read, type At } from "../harness.ts";
import { rolledBack } from "../steps.ts";
import { claimCanary, createRunning, eventually, getCanaryDeployment, podsOf, promote, revert } from "./harness.ts";

const annotations = { "pawl.dev/canary-baseline": "sameAge", "pawl.dev/canary-analysis": "errors" };
const size = (amount: number) => ({ image: target, size: { unit: "replicas", amount } }) as const;

/** Tests the Deployment with the running image that is the baseline of a Deployment's canary. */
export function testBaseline(at: At): void {
  const baselineOf = (ref: WorkloadRef) => getObject(at(), { ...ref, name: "app-baseline" });

  async function besides(ref: WorkloadRef): Promise<readonly unknown[]> {
    const names = ["app-canary", "app-baseline"];
    const found = await Promise.all(names.map((name) => getObject(at(), { ...ref, name })));
    return found.flatMap(({ metadata }) => metadata?.name ?? []);
  }

  async function waitForBoth(ref: WorkloadRef): Promise<void> {
    await eventually(async () => {
      const { canary } = await read(at(), ref);
      expect(canary).toMatchObject({ readyReplicas: 1, baseline: { desiredReplicas: 1, readyReplicas: 1 } });
    });
  }

  async function createCompared(): Promise<WorkloadRef> {
    const ref = await createRunning(at, "Deployment", { annotations });
    await change(at(), ref, claimCanary());
    await waitForBoth(ref);
    return ref;
  }

  test("runs pods of the running image, which are named and counted as its own only", async () => {
    const ref = await createCompared();
    const { metadata, spec } = await baselineOf(ref);
    const labels = { app: "app", "pawl.dev/role": "baseline" };
    expect(metadata).toMatchObject({ ownerReferences: [{ kind: "Deployment", name: "app", uid: ref.uid }] });
    expect(spec).toMatchObject({
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: before }] } },
    });
    const workload = await read(at(), ref);
    const { stablePods = "", canaryPods = "", baselinePods = "", baseline } = workload.canaryNames;
    expect(baseline).toBe("app-baseline");
    const patterns = [stablePods, canaryPods, baselinePods].map((pattern) => new RegExp(pattern));
    const sideOf = (pod: string) => ["stable", "canary", "baseline"][patterns.findIndex((one) => one.test(pod))];
    const sides = (await podsOf(at())).map(({ name, image }) => `${sideOf(name)} ${image}`);
    const expected = ["baseline", "stable", "stable", "stable"].map((side) => `${side} ${before}`);
    expect(sides.toSorted((a, b) => a.localeCompare(b))).toEqual([
      expected[0],
      `canary ${target}`,
      ...expected.slice(1),
    ]);
    expect(await at().cluster.countUnavailablePods(workload)).toMatchObject({ pods: [{}], evidence: [], control: [] });
  });

  test("has the size and the pod template of its owner as its canary has, also after somebody deletes it", async () => {
    const ref = await createCompared();
    const specs = async () => [(await getCanaryDeployment(at(), ref))?.spec, (await baselineOf(ref)).spec];
    await change(at(), ref, () => ({ canary: size(2) }));
    expect(await specs()).toMatchObject([{ replicas: 2 }, { replicas: 2 }]);
    const missing = { kind: "resize", reason: "the baseline has 1 replicas, as its canary, not 0" };
    await change(at(), ref, () => ({ canary: size(1) }));
    await at().request("DELETE", pathOf({ ...ref, name: "app-baseline" }));
    const { canaryProgress: _, ...workload } = await read(at(), ref);
    const progress = { step: 1, steps: 1, plan: "1", size: "1", waitsFor: "Analysis", until: null } as const;
    expect(ownerChange({ ...workload, canaryProgress: { ...progress, since: at().now } })).toEqual(missing);
    await change(at(), ref, () => ({ canary: size(1) }));
    await waitForBoth(ref);
    const template = { metadata: { annotations: { edited: "yes" } } };
    await patchObject(at(), ref, { spec: { template } }, { contentType: "application/strategic-merge-patch+json" });
    const restart = () => ({ canary: { ...size(1), isRestart: true } }) as const;
    await eventually(async () => void (await change(at(), ref, restart)));
    expect(await specs()).toMatchObject([{ template }, { template }]);
  });

  test.for([
    { end: "its removal after its promotion", steps: [promote, () => ({ canary: null })] },
    { end: "a rollback", steps: [revert] },
  ])("is deleted with its canary by $end", async ({ steps }) => {
    const ref = await createCompared();
    for (const step of steps) await change(at(), ref, step);
    await eventually(async () => expect(await besides(ref)).toEqual([]));
  });

  test.for([
    { when: "after opt-out", optIn: "false", deleted: [] },
    { when: "after somebody deleted the canary", optIn: "true", deleted: ["app-canary"] },
  ])("is found and deleted if its AutoUpdate was deleted, $when", async ({ optIn, deleted }) => {
    const ref = await createCompared();
    await at().request("DELETE", autoUpdatePath(ref));
    for (const name of deleted) await at().request("DELETE", pathOf({ ...ref, name }));
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/auto-update": optIn } } });
    const left: string[] = [];
    for await (const workload of at().cluster.list()) if (workload.isCanaryLeft) left.push(workload.ref.uid);
    expect(left).toEqual([ref.uid]);
    expect(await change(at(), ref, () => ({ canary: null }))).toMatchObject({ isCanaryLeft: false });
    await eventually(async () => expect(await besides(ref)).toEqual([]));
  });

  test("is rejected if another Deployment has its name, which is unchanged", async () => {
    const foreign = manifest("Deployment", { name: "app-baseline", optIn: null });
    const { uid } = await createObject(at(), "Deployment", foreign);
    const ref = await createRunning(at, "Deployment", { annotations, spec: { replicas: 3 } });
    const workload = await read(at(), ref);
    expect(textsOf(workload.problems)).toEqual([
      expect.stringMatching(/a Deployment app-baseline .* is not managed by Pawl/),
    ]);
    const claimed = at().cluster.change(workload, claimCanary()(workload));
    await expect(claimed).rejects.toMatchObject({ name: "CanaryUnsupported" });
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    expect(await getCanaryDeployment(at(), ref)).toBeNull();
    expect((await baselineOf(ref)).metadata?.uid).toBe(uid);
  });
}
