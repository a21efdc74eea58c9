import { expect, test } from "vitest";
import type { Workload, WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, sidecar, target, updateTarget, type BuiltInKind } from "../../cluster-fixtures.ts";
import { autoUpdatePath, createAutoUpdate, getAutoUpdate, patchAutoUpdate, patchStatus, updateOf } from "./harness.ts";
import {
  annotationsOf,
  change,
  containersOf,
  createWorkload,
  getObject,
  patchObject,
  read,
  type At,
} from "../harness.ts";
import { claim, hold, pause, resume, type Step } from "../steps.ts";
import { textsOf } from "../../../support/problems.ts";

const deleteRecord: Step = () => ({ deleteRecord: true });

/** Tests an AutoUpdate from its creation to its deletion, and the policy that it has. */
export function testAutoUpdates(at: At, kind: BuiltInKind): void {
  test("the first change of a workload with annotations creates it, owned by the workload", async () => {
    const ref = await createWorkload(at(), kind);
    await patchObject(at(), ref, { metadata: { labels: { "argocd.argoproj.io/instance": "shop" } } });
    const { record, policy } = await change(at(), ref, () => ({}));
    const created = await getAutoUpdate(at(), ref);
    const { apiVersion, name, uid } = ref;
    expect(created?.metadata).toMatchObject({
      name: `${kind.toLowerCase()}-app`,
      ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }],
    });
    expect(created?.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "pawl" });
    expect(created?.spec).toEqual({ targetRef: { apiVersion, kind, name } });
    expect(record).toMatchObject({ state: "observed", isManaged: true });
    expect(policy.optIn).toBe("yes");
  });

  test("one of an earlier workload of this name is not read, and replaced by the next change", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, () => ({ updateRecord: { circuitOpen: true, failedVersions: ["9.9.9"] } }));
    const earlier = await getAutoUpdate(at(), ref);
    const { apiVersion, name } = ref;
    const ownerReferences = [{ apiVersion, kind, name, uid: "00000000-0000-0000-0000-000000000000" }];
    await patchAutoUpdate(at(), ref, { metadata: { ownerReferences } });
    const found = await read(at(), ref);
    expect(found).toMatchObject({
      updateRecord: { circuitOpen: false, failedVersions: [] },
      record: { state: "missing" },
    });
    expect((await listed(at(), ref))?.record).toMatchObject({ state: "missing" });
    expect(await change(at(), ref, hold)).toMatchObject({
      updateRecord: { circuitOpen: false },
      record: { state: "observed" },
    });
    const created = await getAutoUpdate(at(), ref);
    expect(created?.metadata.ownerReferences).toMatchObject([{ uid: ref.uid }]);
    expect(created?.metadata.uid).not.toBe(earlier?.metadata.uid);
  });

  test("nothing is written if nothing differs", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, hold);
    await change(at(), ref, claim);
    await change(at(), ref, ({ updateRecord }) => ({ updateRecord }));
    const found = [await getAutoUpdate(at(), ref), containersOf(await getObject(at(), ref))];
    at().now = new Date("2026-11-20T13:00:00Z");
    await change(at(), ref, () => ({}));
    await change(at(), ref, ({ updateRecord, lastReported }) => ({ updateRecord, lastReported }));
    expect([await getAutoUpdate(at(), ref), containersOf(await getObject(at(), ref))]).toEqual(found);
  });

  test("one that Pawl created is deleted after the workload opted out", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, () => ({}));
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/auto-update": null } } });
    expect(await read(at(), ref)).toMatchObject({ policy: { optIn: "no" as const }, record: { isManaged: true } });
    expect(await change(at(), ref, deleteRecord)).toMatchObject({ record: { state: "missing" } });
    expect(await getAutoUpdate(at(), ref)).toBeNull();
  });

  test.for([
    { what: "an empty policy", spec: { policy: {} } },
    { what: "no policy and no label of Pawl", spec: {} },
  ])("one with $what is never deleted", async ({ spec }) => {
    const ref = await createWorkload(at(), kind, { optIn: null });
    await createAutoUpdate(at(), ref, spec);
    expect((await read(at(), ref)).record.isManaged).toBe(false);
    await change(at(), ref, deleteRecord);
    expect(await getAutoUpdate(at(), ref)).not.toBeNull();
    expect((await getAutoUpdate(at(), ref))?.metadata).not.toHaveProperty("ownerReferences");
  });

  test("spec.policy is the policy of a workload without annotations", async () => {
    const ref = await createWorkload(at(), kind, { optIn: null });
    expect((await read(at(), ref)).policy.optIn).toBe("no");
    const policy = {
      versionConstraint: "^1",
      tagPattern: "^1",
      schedule: "@daily",
      healthTimeout: "5m",
      maxRollbacks: 7,
      digest: { initContainers: true, ignoreContainers: ["sidecar"], rollbackTo: "digest" },
    };
    await createAutoUpdate(at(), ref, { policy });
    const workload = await read(at(), ref);
    expect(workload.policy).toMatchObject({
      optIn: "yes",
      paused: false,
      versionConstraint: "^1",
      tagPattern: "^1",
      schedule: "@daily",
      healthTimeoutSeconds: 300,
      maxRollbacks: 7,
      rollsBackDigests: true,
    });
    expect(workload).toMatchObject({ problems: [], source: before });
    expect(workload.digests?.containers.map(({ name }) => name)).toEqual(["app"]);
  });

  test("an update sets the containers that spec.policy names", async () => {
    const ref = await createWorkload(at(), kind, { optIn: null });
    await createAutoUpdate(at(), ref, { policy: { containers: ["sidecar"] } });
    expect(await read(at(), ref)).toMatchObject({ source: sidecar.image, problems: [] });
    await change(at(), ref, claim);
    const images = containersOf(await getObject(at(), ref)).map(({ name, image }) => [name, image]);
    expect(images).toEqual([
      ["app", before],
      ["sidecar", target],
    ]);
  });

  test("a workload that opted in twice has a problem that names both", async () => {
    const ref = await createWorkload(at(), kind);
    await createAutoUpdate(at(), ref, { policy: {} });
    const { problems } = await read(at(), ref);
    expect(textsOf(problems)).toEqual([
      `AutoUpdate ${kind.toLowerCase()}-app has spec.policy, and ${kind} app has pawl.dev/auto-update: ` +
        "both opt in; remove the annotation, or spec.policy",
    ]);
    await patchObject(at(), ref, { metadata: { annotations: { "pawl.dev/auto-update": "false" } } });
    expect(await read(at(), ref)).toMatchObject({ problems: [], policy: { optIn: "yes" } });
  });

  test("a pause suspends it, and the workload stays as it is", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, () => ({}));
    const annotations = annotationsOf(await getObject(at(), ref));
    expect((await change(at(), ref, pause)).policy.paused).toBe(true);
    expect((await getAutoUpdate(at(), ref))?.spec.suspend).toBe(true);
    expect((await change(at(), ref, resume)).policy.paused).toBe(false);
    expect((await getAutoUpdate(at(), ref))?.spec).not.toHaveProperty("suspend");
    expect(annotationsOf(await getObject(at(), ref))).toEqual(annotations);
  });

  test("one that is deleted in flight leaves the workload as it is, without a claim", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, claim);
    await at().request("DELETE", autoUpdatePath(ref));
    expect(await read(at(), ref)).toMatchObject({ image: target, inFlight: null, record: { state: "missing" } });
  });

  test.for([
    { what: "another kind", targetRef: { apiVersion: "apps/v1", kind: "Job", name: "app" } },
    { what: "another name", targetRef: { apiVersion: "apps/v1", kind, name: "other" } },
    { what: "another group", targetRef: { apiVersion: "extensions/v1beta1", kind, name: "app" } },
  ])("the name of its AutoUpdate is taken by one for $what: a problem until that is fixed", async ({ targetRef }) => {
    const ref = await createWorkload(at(), kind);
    await createAutoUpdate(at(), ref, { targetRef });
    await patchStatus(at(), ref, { update: updateOf(ref) });
    const expected = {
      inFlight: null,
      record: { resourceVersion: null, state: "unavailable" },
      problems: [
        {
          code: "NotRecordable",
          text:
            `AutoUpdate ${ref.namespace}/${kind.toLowerCase()}-app has another target, so no update can be recorded; ` +
            "delete it or fix its spec.targetRef",
        },
      ],
    };
    const workload = await read(at(), ref);
    expect(workload).toMatchObject(expected);
    expect(await listed(at(), ref)).toMatchObject(expected);
    await expect(at().cluster.change(workload, claim(workload))).rejects.toMatchObject({ name: "Conflict" });
    expect((await read(at(), ref)).image).toBe(before);
    const { apiVersion, name } = ref;
    await patchAutoUpdate(at(), ref, { spec: { targetRef: { apiVersion, kind, name } } });
    expect(await listed(at(), ref)).toMatchObject({ problems: [], inFlight: { target: updateTarget } });
  });
}

async function listed({ cluster }: ReturnType<At>, { uid }: WorkloadRef): Promise<Workload | undefined> {
  for await (const workload of cluster.list()) if (workload.ref.uid === uid) return workload;
  return undefined;
}
