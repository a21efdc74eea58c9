import { expect, test } from "vitest";
import { recordStart, recordSuccess } from "../../../functions/domain/workload/record/update-record.ts";
import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { configDigest } from "../../support/workloads/config-workloads.ts";
import { before, sidecar } from "../cluster-fixtures.ts";
import { statusOf } from "./auto-update/harness.ts";
import { clusterWith, createTracked, digest, migrate, restart, restartedAt, templateOf } from "./digests/harness.ts";
import { type At, change, getObject, read, requestConfig } from "./harness.ts";
import { later, revert } from "./steps.ts";

const optIn = {
  "pawl.dev/restart-on-config-change": "true",
  "pawl.dev/config-dependencies": "configmap/app,secret/app",
};
const ids = ["configmap/app", "secret/app"];

export function testConfig(at: At): void {
  async function readConfig(ref: WorkloadRef) {
    const { cluster } = clusterWith(at(), { configSecrets: true });
    const { config } = await read(at(), ref);
    if (config === undefined) throw new Error("no configuration is tracked");
    return cluster.readConfig(ref.namespace, config, (_key, request) => request());
  }

  test("is recorded, and differs once the content does", async () => {
    await requestConfig(at(), "POST", { configmap: "1", secret: "1" });
    const ref = await createTracked(at(), "Deployment", { annotations: optIn });
    const { salt, digests: deployed, versions, problems } = await readConfig(ref);
    expect([Object.keys(deployed), problems]).toEqual([ids, []]);
    const lastChange = { digest: configDigest(1), since: "2026-11-20T12:00:00Z", count: 2, references: ["secret/app"] };
    const { config } = await change(at(), ref, () => ({ config: { salt, deployed, versions, lastChange } }));
    expect(config).toMatchObject({ salt, deployed, versions, lastChange });
    expect(await statusOf(at(), ref)).toMatchObject({
      config: { salt, digests: deployed, resourceVersions: versions },
    });
    expect(await readConfig(ref)).toMatchObject({ salt, digests: deployed, versions });

    await requestConfig(at(), "PUT", { configmap: "1", secret: "2" });
    const after = await readConfig(ref);
    expect(ids.map((id) => after.digests[id] === deployed[id])).toEqual([true, false]);
    expect(after.versions["secret/app"]).not.toBe(versions["secret/app"]);
  });

  test("restarts a workload without the images and digests that it has", async () => {
    const annotations = { ...optIn, "pawl.dev/rollback-to": "digest" };
    const ref = await createTracked(at(), "Deployment", { annotations });
    const steps = [
      restart({ app: digest(1) }),
      () => ({ inFlight: null }),
      restart({ app: digest(2) }, "e-2", later),
      revert,
    ];
    for (const step of [...steps, () => ({ inFlight: null })]) await change(at(), ref, step);
    const pinned = `${before}@${digest(1)}`;
    expect(templateOf(await getObject(at(), ref)).spec.containers[0]?.image).toBe(pinned);

    await change(at(), ref, () => ({ config: { salt: "5a17" } }));
    const digests = { "configmap/app": configDigest(2) };
    const target = { kind: "config", image: before, digest: configDigest(2) } as const;
    const restarted = await change(at(), ref, (workload) =>
      recordStart(workload, { target, digests }, "e-3", new Date(later.getTime() + 60_000)),
    );
    expect(restarted).toMatchObject({ inFlight: { phase: "restart", target, digests, isApplied: true } });
    const { metadata, spec } = templateOf(await getObject(at(), ref));
    expect([metadata.annotations?.[restartedAt], spec.containers[0]?.image]).toEqual(["2026-11-20T12:11:00Z", pinned]);
    expect(await statusOf(at(), ref)).toMatchObject({
      digests: { deployed: { app: digest(2) }, pinned: { app: digest(1) } },
    });
    const done = await change(at(), ref, (workload) => recordSuccess(workload, workload.inFlight as InFlight, later));
    expect(done).toMatchObject({ inFlight: null, config: { deployed: digests }, isPinnedByPawl: true });
    expect(await statusOf(at(), ref)).toMatchObject({ currentImage: before });
  });

  test("writes the digests beside tags that were verified, and keeps others", async () => {
    const ref = await createTracked(at(), "Deployment", {
      annotations: optIn,
      images: { migrate: `${migrate}@${digest(9)}` },
    });
    const target = { kind: "config", image: before, digest: configDigest(2) } as const;
    const verified = { image: `${before}@${digest(3)}`, written: { sidecar: digest(4) } };
    await change(at(), ref, (workload) => ({
      ...recordStart(workload, { target, digests: null }, "e-1", later),
      ...verified,
    }));
    const { metadata, spec } = templateOf(await getObject(at(), ref));
    expect(metadata.annotations?.[restartedAt]).toBe(later.toISOString().replace(".000", ""));
    expect(spec.containers.map((one) => one.image)).toEqual([verified.image, `${sidecar.image}@${digest(4)}`]);
    expect(spec.initContainers.map((one) => one.image)).toEqual([`${migrate}@${digest(9)}`]);
  });
}
