import { expect, test, vi } from "vitest";
import { recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { before, pathOf, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { statusOf } from "../auto-update/harness.ts";
import { annotationsOf, change, getObject, read, patchObject, type At } from "../harness.ts";
import { later, type Step, revert } from "../steps.ts";
import {
  clusterWith,
  digest,
  enabled,
  finalizer,
  createTracked,
  lastDigest,
  noon,
  restart,
  restartedAt,
} from "./harness.ts";
import { migrate, templateOf, track, withInit } from "./harness.ts";

const digestsOfTags = { app: digest(1), sidecar: digest(2) };
const target = { kind: "digest", image: before, digest: digest(1) } as const;
const succeed: Step = (workload) =>
  workload.inFlight === null ? {} : recordSuccess(workload, workload.inFlight, later);

/** Tests what a restart writes. */
export function testRestarts(at: At, kind: BuiltInKind): void {
  test("a restart writes the claim, the digests and restartedAt, and nothing else in the template", async () => {
    const ref = await createTracked(at(), kind, { annotations: { [lastDigest]: `app:${digest(8)}` } });
    const earlier = await getObject(at(), ref);
    const template = templateOf(earlier);
    await change(at(), ref, restart(digestsOfTags));
    const object = await getObject(at(), ref);
    expect(templateOf(object)).toEqual({
      ...template,
      metadata: { ...template.metadata, annotations: { [restartedAt]: "2026-11-20T12:00:00Z" } },
    });
    expect({ ...object.spec, template: null }).toEqual({ ...earlier.spec, template: null });
    expect(annotationsOf(object)).toEqual({
      ...enabled,
      [lastDigest]: `app:${digest(1)},sidecar:${digest(2)}`,
      "pawl.dev/execution": "e-1",
    });
    expect(await statusOf(at(), ref)).toMatchObject({
      currentVersion: "1.0.0",
      candidateVersion: `1.0.0@${digest(1)}`,
      lastCheckTime: "2026-11-20T12:00:00Z",
      lastUpdateTime: "2026-11-20T12:00:00Z",
      digests: { deployed: digestsOfTags },
      update: {
        phase: "Applied",
        strategy: "Restart",
        execution: "e-1",
        target,
        digests: digestsOfTags,
        startedAt: "2026-11-20T12:00:00Z",
      },
    });
  });

  test("a tag that moved before the pods pulled it is corrected in last-digest, and the pods are not restarted", async () => {
    const ref = await createTracked(at(), kind);
    await change(at(), ref, restart(digestsOfTags));
    const template = templateOf(await getObject(at(), ref));
    const running = [{ container: "app", digest: digest(5) }];
    const success: Step = (workload) =>
      workload.inFlight === null ? {} : recordSuccess(workload, workload.inFlight, later, null, running);
    const { digests } = await change(at(), ref, success);
    expect(digests).toMatchObject({ deployed: { app: digest(5), sidecar: digest(2) }, ran: { app: digest(5) } });
    const object = await getObject(at(), ref);
    expect(annotationsOf(object)[lastDigest]).toBe(`app:${digest(5)},sidecar:${digest(2)}`);
    expect(templateOf(object)).toEqual(template);
  });

  test("a restart replaces a digest beside a tag, and its rollback restores the exact reference", async () => {
    const images = { app: `${before}@${digest(7)}` };
    const ref = await createTracked(at(), kind, { images });
    const appImage = async () => templateOf(await getObject(at(), ref)).spec.containers[0]?.image;
    await change(at(), ref, restart(digestsOfTags));
    expect(await appImage()).toBe(`${before}@${digest(1)}`);
    const { digests, inFlight } = await read(at(), ref);
    expect(digests?.containers[0]).toEqual({ name: "app", image: before, digest: digest(1) });
    expect(inFlight?.isApplied).toBe(true);
    await change(at(), ref, revert);
    expect(await appImage()).toBe(images.app);
    expect((await read(at(), ref)).isPinnedByPawl).toBe(false);
  });

  test("its claim is read back", async () => {
    const ref = await createTracked(at(), kind);
    const { inFlight, image, restartedAt: time, digests } = await change(at(), ref, restart(digestsOfTags));
    const claim = { target, startedAt: noon, execution: "e-1", previousImage: null };
    expect(inFlight).toEqual({ ...claim, digests: digestsOfTags, phase: "restart", isApplied: true });
    expect({ image, time, deployed: digests?.deployed }).toEqual({
      image: before,
      time: noon,
      deployed: digestsOfTags,
    });
  });

  test.for([
    { step: "a success", end: [succeed], status: "Healthy" },
    { step: "a failure", end: [revert, (): ReturnType<Step> => ({ inFlight: null })], status: "RolledBack" },
  ])("after $step no claim is left, and the template is unchanged", async ({ end, status }) => {
    const ref = await createTracked(at(), kind);
    await change(at(), ref, restart(digestsOfTags));
    const template = templateOf(await getObject(at(), ref));
    for (const step of end) await change(at(), ref, step);
    const object = await getObject(at(), ref);
    expect(templateOf(object)).toEqual(template);
    const recorded = await statusOf(at(), ref);
    expect(recorded).not.toHaveProperty("update");
    expect(recorded.history).toMatchObject([
      { version: `1.0.0@${digest(1)}`, result: status, startedAt: "2026-11-20T12:00:00Z" },
    ]);
  });

  test("a restart on an outdated resourceVersion throws Conflict and writes nothing", async () => {
    const ref = await createTracked(at(), kind);
    const stale = await read(at(), ref);
    await patchObject(at(), ref, { metadata: { annotations: { "example.com/by": "another client" } } });
    const found = await getObject(at(), ref);
    await expect(at().cluster.change(stale, restart(digestsOfTags)(stale))).rejects.toMatchObject({ name: "Conflict" });
    const after = await getObject(at(), ref);
    expect([annotationsOf(after), after.spec]).toEqual([annotationsOf(found), found.spec]);
  });
}

export function testPullPolicy(at: At, kind: BuiltInKind): void {
  test.for([
    {
      setsPullPolicy: false,
      annotations: withInit,
      policies: { app: "IfNotPresent", sidecar: "IfNotPresent", migrate: "IfNotPresent" },
    },
    { setsPullPolicy: true, annotations: withInit, policies: { app: "Always", sidecar: "Always", migrate: "Always" } },
    { setsPullPolicy: true, annotations: {}, policies: { app: "Always", sidecar: "Always", migrate: "IfNotPresent" } },
    {
      setsPullPolicy: true,
      annotations: track("sidecar"),
      policies: { app: "IfNotPresent", sidecar: "Always", migrate: "IfNotPresent" },
    },
  ])(
    "with setsPullPolicy $setsPullPolicy a restart results in $policies",
    async ({ setsPullPolicy, annotations, policies }) => {
      const digests = { initialDigestPolicy: "restart", setsPullPolicy } as const;
      const harness = clusterWith(at(), { digests });
      const ref = await createTracked(harness, kind, { annotations });
      await change(harness, ref, restart({ sidecar: digest(2) }));
      const { containers, initContainers } = templateOf(await getObject(harness, ref)).spec;
      expect(containers.map(({ name, image }) => [name, image])).toEqual([
        ["app", before],
        ["sidecar", sidecar.image],
      ]);
      expect(initContainers.map(({ name, image }) => [name, image])).toEqual([["migrate", migrate]]);
      const all = [...containers, ...initContainers];
      expect(Object.fromEntries(all.map((one) => [one.name, one.imagePullPolicy]))).toEqual(policies);
      expect(containers[0]?.env).toEqual([{ name: "MODE", value: "shop" }]);
    },
  );
}

const removeFinalizer: Step = () => ({ removeFinalizer: true });

export function testFinalizers(at: At, kind: BuiltInKind): void {
  const own = { "example.com/keep": "foregroundDeletion" };

  const other = "example.com/keep";

  test.for([
    { change: "a restart", step: restart(digestsOfTags), finalizers: [other] },
    { change: "its removal", step: removeFinalizer, finalizers: [other] },
    {
      change: "a reported hold, which changes no workload",
      step: (): ReturnType<Step> => ({ lastReported: { held: "no" } }),
      finalizers: [other, finalizer],
    },
  ])("the finalizers after $change are $finalizers", async ({ step, finalizers }) => {
    const ref = await createTracked(at(), kind, { finalizers: [other, finalizer], annotations: own });
    await change(at(), ref, step);
    expect((await getObject(at(), ref)).metadata).toMatchObject({ finalizers });
    await patchObject(at(), ref, { metadata: { finalizers: null } });
  });

  test("the removal of an absent finalizer writes nothing", async () => {
    const ref = await createTracked(at(), kind, { finalizers: [other], annotations: own });
    await change(at(), ref, () => ({}));
    const annotations = annotationsOf(await getObject(at(), ref));
    expect((await change(at(), ref, removeFinalizer)).problems).toEqual([]);
    expect((await getObject(at(), ref)).metadata).toMatchObject({ finalizers: [other] });
    expect(annotationsOf(await getObject(at(), ref))).toEqual(annotations);
    await patchObject(at(), ref, { metadata: { finalizers: null } });
  });

  test("it does not block deletion once it is removed", async () => {
    const ref = await createTracked(at(), kind, { finalizers: [finalizer] });
    await at().request("DELETE", pathOf(ref));
    expect((await read(at(), ref)).digests).toMatchObject({ isBlockedByFinalizer: true });
    // The controller of the workload may cause a conflict.
    await vi.waitFor(async () => at().cluster.change(await read(at(), ref), { removeFinalizer: true }), 60_000);
    expect(await at().cluster.read(ref)).toBeNull();
  });
}
