import { expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { before, target, type BuiltInKind } from "../cluster-fixtures.ts";
import {
  autoUpdatePath,
  createAutoUpdate,
  getAutoUpdate,
  patchAutoUpdate,
  patchStatus,
  statusOf,
  updateOf,
} from "./auto-update/harness.ts";
import {
  annotationsOf,
  change,
  containersOf,
  createWorkload,
  getObject,
  patchObject,
  read,
  type At,
} from "./harness.ts";
import { claim, inFlightClaim, revert, type Step } from "./steps.ts";

const hotfix = "registry.invalid:5000/shop/app:hotfix";

const restart = { kind: "digest", image: target, digest: `sha256:${"0".repeat(64)}` } as const;

/** A ReplicaSet or a ControllerRevision. */
interface Revision {
  readonly revision?: number;
  readonly metadata: {
    readonly ownerReferences?: readonly { readonly uid: string }[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** Tests how far a claim came whose process ended, and what keeps two executions apart. */
export function testClaims(at: At, kind: BuiltInKind): void {
  /** Scaling, or another edit that creates no revision. */
  const edit = { spec: kind === "DaemonSet" ? { minReadySeconds: 7 } : { replicas: 1 } };
  const set = (template: object) => ({ spec: { template } });
  const withImage = (image: string) => set({ spec: { containers: [{ name: "app", image }] } });

  test.for([
    { when: "nothing was written", patches: [], isApplied: false },
    { when: "another field was edited", patches: [edit], isApplied: false },
    { when: "the target was written", patches: [withImage(target)], isApplied: true },
    { when: "the target was written and the workload edited", patches: [withImage(target), edit], isApplied: true },
    { when: "a person set another image instead", patches: [withImage(hotfix)], isApplied: false },
    {
      when: "a person replaced the target",
      patches: [withImage(target), withImage(hotfix)],
      isApplied: true,
    },
    { when: "a person undid the target", patches: [withImage(target), withImage(before)], isApplied: true },
    { when: "the target ran before, and another field was edited", isRetried: true, patches: [edit], isApplied: false },
    {
      when: "the target ran before, and a person undid it again",
      isRetried: true,
      patches: [withImage(target), withImage(before)],
      isApplied: true,
    },
  ])("a claim is applied if $when: $isApplied", async ({ patches, isApplied, isRetried = false }) => {
    const ref = await createWorkload(at(), kind);
    // Controllers reuse the ReplicaSet or ControllerRevision of an earlier update.
    if (isRetried) for (const image of [target, before]) await edited(ref, withImage(image));
    await claimOnly(ref, { targetRevision: await latestRevision(ref) });
    for (const patch of patches) await edited(ref, patch);
    expect((await read(at(), ref)).inFlight).toEqual({ ...inFlightClaim, isApplied });
  });

  test.for([
    { when: "nothing was written", at: null, isApplied: false },
    { when: "its restart was written", at: "2026-11-20T12:00:00Z", isApplied: true },
    { when: "a person restarted later", at: "2026-11-20T12:03:00Z", isApplied: true },
    { when: "a person had restarted before", at: "2026-11-20T11:59:59Z", isApplied: false },
  ])("a claimed restart is applied if $when: $isApplied", async ({ at: restartedAt, isApplied }) => {
    const ref = await createWorkload(at(), kind);
    await claimOnly(ref, { strategy: "Restart", previousImage: undefined, target: restart });
    const annotations = { "kubectl.kubernetes.io/restartedAt": restartedAt };
    if (restartedAt !== null) await edited(ref, set({ metadata: { annotations } }));
    expect((await read(at(), ref)).inFlight).toMatchObject({ phase: "restart", isApplied });
  });

  test("a claim is in the status, and its execution on the workload, before it is applied", async () => {
    const ref = await createWorkload(at(), kind);
    await edited(ref, edit);
    const targetRevision = await latestRevision(ref);
    await change(at(), ref, claim);
    expect(await statusOf(at(), ref)).toMatchObject({ update: { phase: "Applied", execution: "e-1", targetRevision } });
    expect(annotationsOf(await getObject(at(), ref))).toMatchObject({ "pawl.dev/execution": "e-1" });
  });

  test("an interrupted claim is completed by its own execution", async () => {
    const ref = await createWorkload(at(), kind);
    await claimOnly(ref);
    const { inFlight, image } = await change(at(), ref, claim);
    expect({ inFlight, image }).toEqual({ inFlight: { ...inFlightClaim, isApplied: true }, image: target });
  });

  test("an interrupted rollback is completed", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    await patchStatus(at(), ref, { update: { ...updateOf(ref), phase: "RollingBack", restorePending: true } });
    const { inFlight, image } = await change(at(), ref, (workload) => ({
      inFlight: rollbackOf(inFlightClaim, { isApplied: true }),
      image: workload.inFlight?.previousImage ?? null,
    }));
    expect({ phase: inFlight?.phase, isApplied: inFlight?.isApplied, image }).toEqual({
      phase: "rollback",
      isApplied: true,
      image: before,
    });
    expect((await statusOf(at(), ref)).update).not.toHaveProperty("restorePending");
  });

  test("an execution that takes a claim over names its execution on the workload, and changes nothing else", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    const { spec } = await getObject(at(), ref);
    const takeOver: Step = ({ inFlight }) => ({
      inFlight: inFlight === null ? null : { ...inFlight, execution: "e-2" },
    });
    const late = await read(at(), ref);
    const taken = await change(at(), ref, takeOver);
    expect(taken.inFlight).toMatchObject({ execution: "e-2", isApplied: true });
    const after = await getObject(at(), ref);
    expect(after.spec).toEqual(spec);
    expect(annotationsOf(after)).toMatchObject({ "pawl.dev/execution": "e-2" });
    await expect(at().cluster.change(late, revert(late))).rejects.toMatchObject({ name: "Conflict" });
  });

  test("a change is a Conflict if the AutoUpdate was edited, deleted or created since, and writes nothing", async () => {
    const ref = await createWorkload(at(), kind);
    const missing = await read(at(), ref);
    await createAutoUpdate(at(), ref, {});
    await expectConflict(missing);
    const found = await read(at(), ref);
    await patchAutoUpdate(at(), ref, { metadata: { labels: { edited: "yes" } } });
    await expectConflict(found);
    const relabelled = await read(at(), ref);
    await patchStatus(at(), ref, { holdReason: "by another client" });
    await expectConflict(relabelled);
    const last = await read(at(), ref);
    await at().request("DELETE", autoUpdatePath(ref));
    await expectConflict(last);
    expect(await getAutoUpdate(at(), ref)).toBeNull();

    async function expectConflict(workload: Awaited<ReturnType<typeof read>>): Promise<void> {
      const object = await getObject(at(), ref);
      await expect(at().cluster.change(workload, claim(workload))).rejects.toMatchObject({ name: "Conflict" });
      expect(containersOf(await getObject(at(), ref))).toEqual(containersOf(object));
    }
  });

  /** Records a claim on the workload as it is, like a process that ended after its first write. */
  async function claimOnly(ref: WorkloadRef, update: object = {}): Promise<void> {
    const { metadata } = await getObject(at(), ref);
    await createAutoUpdate(at(), ref, {});
    const targetGeneration = metadata?.generation ?? 1;
    await patchStatus(at(), ref, { update: updateOf(ref, { phase: "Claimed", targetGeneration, ...update }) });
  }

  /** Returns the number that the controller gave the latest revision. */
  async function latestRevision({ uid, namespace }: WorkloadRef): Promise<number> {
    const plural = kind === "Deployment" ? "replicasets" : "controllerrevisions";
    const { items = [] } = (await at().request("GET", `/apis/apps/v1/namespaces/${namespace}/${plural}`)).body;
    const own = (items as readonly Revision[]).filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid);
    const numbers = own.map(({ revision, metadata }) =>
      Number(revision ?? metadata.annotations?.["deployment.kubernetes.io/revision"]),
    );
    return Math.max(0, ...numbers);
  }

  /** Edits the workload as a person, and waits until its controller has created the revision. */
  async function edited(ref: WorkloadRef, patch: object): Promise<void> {
    await patchObject(at(), ref, patch, { contentType: "application/strategic-merge-patch+json" });
    await expect
      .poll(
        async () => {
          const { metadata, status } = await getObject(at(), ref);
          return status?.["observedGeneration"] === metadata?.generation;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
  }
}
