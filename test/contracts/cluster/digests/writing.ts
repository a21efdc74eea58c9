import { expect, test, vi } from "vitest";
import { giveUp, recordSuccess } from "../../../../functions/domain/bookkeeping.ts";
import { before, pathOf, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { annotationsOf, change, look, read, write, type At } from "../bench.ts";
import { later, type Step } from "../steps.ts";
import { clusterWith, digest, enabled, finalizer, followed, lastDigest, noon, restart, restartedAt } from "./bench.ts";
import { migrate, templateOf, track, withInit } from "./bench.ts";

const behind = { app: digest(1), sidecar: digest(2) };
const target = `${before}@${digest(1)}`;
const succeed: Step = (workload) =>
  workload.inFlight === null ? {} : recordSuccess(workload, workload.inFlight, later);
const abandon: Step = (workload) =>
  workload.inFlight === null ? {} : giveUp(workload, workload.inFlight, "not ready", later);

/** Annotations that say how a restart stands, and no others. */
export function restarting(at: At, kind: BuiltInKind): void {
  test("a restart is the claim, what was found, and the time on the template, of which nothing else changes", async () => {
    const ref = await followed(at(), kind, { annotations: { [lastDigest]: `app:${digest(8)}` } });
    const earlier = await look(at(), ref);
    const template = templateOf(earlier);
    await change(at(), ref, restart(behind));
    const object = await look(at(), ref);
    expect(templateOf(object)).toEqual({
      ...template,
      metadata: { ...template.metadata, annotations: { [restartedAt]: "2026-11-20T12:00:00Z" } },
    });
    expect({ ...object.spec, template: null }).toEqual({ ...earlier.spec, template: null });
    expect(annotationsOf(object)).toEqual({
      ...enabled,
      [lastDigest]: `app:${digest(1)},sidecar:${digest(2)}`,
      "pawl.dev/former-digests": `app:${digest(8)}`,
      "pawl.dev/current-version": "1.0.0",
      "pawl.dev/available-version": `1.0.0@${digest(1)}`,
      "pawl.dev/last-check": "2026-11-20T12:00:00Z",
      "pawl.dev/last-update": "2026-11-20T12:00:00Z",
      "pawl.dev/target-image": target,
      "pawl.dev/target-digests": `app:${digest(1)},sidecar:${digest(2)}`,
      "pawl.dev/update-phase": "Restart",
      "pawl.dev/update-started": "2026-11-20T12:00:00Z",
      "pawl.dev/execution": "e-1",
    });
  });

  test("its marks are read as they were written", async () => {
    const ref = await followed(at(), kind);
    const { inFlight, image, restartedAt: time, digests } = await change(at(), ref, restart(behind));
    const marks = { targetImage: target, startedAt: noon, execution: "e-1", previousImage: null };
    expect(inFlight).toEqual({ ...marks, digests: behind, phase: "restart" });
    expect({ image, time, last: digests?.last }).toEqual({ image: before, time: noon, last: behind });
  });

  test.for([
    { step: "a success", end: [succeed], status: "Healthy" },
    { step: "a failure", end: [abandon, (): ReturnType<Step> => ({ inFlight: null })], status: "RolledBack" },
  ])("after $step no mark is left, and the template stays", async ({ end, status }) => {
    const ref = await followed(at(), kind);
    await change(at(), ref, restart(behind));
    const template = templateOf(await look(at(), ref));
    for (const step of end) await change(at(), ref, step);
    const object = await look(at(), ref);
    expect(templateOf(object)).toEqual(template);
    const keys = Object.keys(annotationsOf(object)).filter((key) => /target|phase|started|execution|rolling/.test(key));
    expect(keys).toEqual([]);
    expect(annotationsOf(object)).toMatchObject({
      "pawl.dev/version-history": `1.0.0@${digest(1)} ${status} 2026-11-20T12:00:00Z`,
    });
  });

  test("decided on what has changed since it throws Conflict and writes nothing", async () => {
    const ref = await followed(at(), kind);
    const stale = await read(at(), ref);
    await write(at(), ref, { metadata: { annotations: { "example.com/by": "somebody else" } } });
    const found = await look(at(), ref);
    await expect(at().cluster.change(stale, restart(behind)(stale))).rejects.toMatchObject({ name: "Conflict" });
    const after = await look(at(), ref);
    expect([annotationsOf(after), after.spec]).toEqual([annotationsOf(found), found.spec]);
  });
}

export function pullPolicy(at: At, kind: BuiltInKind): void {
  test.for([
    {
      habit: "leaves",
      says: withInit,
      policies: { app: "IfNotPresent", sidecar: "IfNotPresent", migrate: "IfNotPresent" },
    },
    { habit: "sets", says: withInit, policies: { app: "Always", sidecar: "Always", migrate: "Always" } },
    { habit: "sets", says: {}, policies: { app: "Always", sidecar: "Always", migrate: "IfNotPresent" } },
    {
      habit: "sets",
      says: track("sidecar"),
      policies: { app: "IfNotPresent", sidecar: "Always", migrate: "IfNotPresent" },
    },
  ])("a deployment that $habit pull policies restarts with $policies", async ({ habit, says, policies }) => {
    const digests = { firstSight: "restart", setsPullPolicy: habit === "sets" } as const;
    const bench = clusterWith(at(), { digests });
    const ref = await followed(bench, kind, { annotations: says });
    await change(bench, ref, restart({ sidecar: digest(2) }));
    const { containers, initContainers } = templateOf(await look(bench, ref)).spec;
    expect(containers.map(({ name, image }) => [name, image])).toEqual([
      ["app", before],
      ["sidecar", sidecar.image],
    ]);
    expect(initContainers.map(({ name, image }) => [name, image])).toEqual([["migrate", migrate]]);
    const all = [...containers, ...initContainers];
    expect(Object.fromEntries(all.map((one) => [one.name, one.imagePullPolicy]))).toEqual(policies);
    expect(containers[0]?.env).toEqual([{ name: "MODE", value: "shop" }]);
  });
}

export function finalizers(at: At, kind: BuiltInKind): void {
  const own = { "example.com/keep": "foregroundDeletion" };

  test.for([
    { what: "a restart", step: restart(behind) },
    { what: "an announcement", step: (): ReturnType<Step> => ({ announced: { held: "no" } }) },
    { what: "nothing to say", step: (): ReturnType<Step> => ({ announced: {} }) },
  ])("that of kubernetes-image-updater goes with $what, and no other", async ({ step }) => {
    const other = "example.com/keep";
    const ref = await followed(at(), kind, { finalizers: [other, finalizer], annotations: own });
    await change(at(), ref, step);
    expect((await look(at(), ref)).metadata).toMatchObject({ finalizers: [other] });
    await write(at(), ref, { metadata: { finalizers: null } });
  });

  test("it does not hold up what is being deleted: the first write lets it go", async () => {
    const ref = await followed(at(), kind, { finalizers: [finalizer] });
    await at().request("DELETE", pathOf(ref));
    expect((await read(at(), ref)).digests).toMatchObject({ isHeldBack: true });
    // Its controller writes to it as well.
    await vi.waitFor(async () => at().cluster.change(await read(at(), ref), { announced: {} }));
    expect(await at().cluster.read(ref)).toBeNull();
  });
}
