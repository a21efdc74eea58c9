import { expect, vi } from "vitest";
import { giveUp } from "../../../functions/domain/bookkeeping.ts";
import { recordCanary, recordPromotion } from "../../../functions/domain/canary-record.ts";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";
import { before, manifest, target, type BuiltInKind, type Parts } from "../cluster-fixtures.ts";
import { createObject, look, read, type At, type Bench } from "./bench.ts";
import { later, type Step } from "./steps.ts";

export const canaryKinds = ["Deployment", "StatefulSet"] as const satisfies readonly BuiltInKind[];
export type CanaryKind = (typeof canaryKinds)[number];

export const badTarget = `${target}-bad`;
export const one = { unit: "replicas", amount: 1 } as const;

const noon = new Date("2026-11-20T12:00:00Z");

/** Claims a workload for a canary of one replica. */
export function begin(image = target, execution = "e-1"): Step {
  return (workload) => recordCanary(workload, { image }, execution, one, noon);
}

export const promote: Step = (workload) =>
  workload.inFlight === null ? {} : recordPromotion(workload, workload.inFlight, later);
export const abandon: Step = (workload) =>
  workload.inFlight === null ? {} : giveUp(workload, workload.inFlight, "5 % errors", later);

/** Three replicas that run and are ready. */
export async function makeRunning(at: At, kind: CanaryKind, { spec = {}, ...parts }: Parts = {}): Promise<WorkloadRef> {
  const containers = [{ name: "app", image: before }];
  const template = { metadata: { labels: { app: "app" } }, spec: { containers } };
  const annotations = { "pawl.dev/canary": "1", ...parts.annotations };
  const body = manifest(kind, { ...parts, annotations, spec: { replicas: 3, template, ...spec } });
  const ref = await createObject(at(), kind, body);
  await untilAllRun(at(), ref, before);
  return ref;
}

const patience = { timeout: 60_000, interval: 50 };

/** Waits until this is so. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  await vi.waitFor(check, patience);
}

/** All three replicas run the image and are ready, and there are no other pods. */
export async function untilAllRun(bench: Bench, ref: WorkloadRef, image: string): Promise<void> {
  await eventually(async () => {
    const { rollout } = await read(bench, ref);
    expect(rollout).toMatchObject({ image, updatedReplicas: 3, readyReplicas: 3, oldReplicas: 0 });
    expect(await imagesOf(bench)).toEqual([image, image, image]);
  });
}

/** The canary as the port reads it stands and is ready. */
export async function untilCanaryStands(bench: Bench, ref: WorkloadRef, image = target): Promise<void> {
  await eventually(async () => {
    const { canary } = await read(bench, ref);
    expect(canary).toMatchObject({ image, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 0 });
    expect(canary?.observedGeneration).toBe(canary?.generation);
  });
}

/** Of every pod that is not on its way out, in the order of their names. */
export async function imagesOf({ request, namespace }: Bench): Promise<readonly string[]> {
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/pods`)).body;
  const standing = items.filter(({ metadata }) => !(metadata && "deletionTimestamp" in metadata));
  return standing
    .toSorted((a, b) => (a.metadata?.name ?? "").localeCompare(b.metadata?.name ?? ""))
    .map(({ spec }) => {
      const containers = (spec?.["containers"] ?? []) as unknown as readonly { readonly image: string }[];
      return containers[0]?.image ?? "";
    });
}

/** The object of this name beside a Deployment, or null. */
export async function beside(
  bench: Bench,
  ref: WorkloadRef,
): Promise<{ readonly uid: string; readonly spec: object } | null> {
  const found = await look(bench, { ...ref, kind: "Deployment", name: `${ref.name}-canary` });
  return found.metadata?.uid === undefined ? null : { uid: found.metadata.uid, spec: found.spec ?? {} };
}

/** The partition of a StatefulSet; 0 of anything else. */
export async function partitionOf(bench: Bench, ref: WorkloadRef): Promise<number> {
  const { spec } = await look(bench, ref);
  return Number(spec?.["updateStrategy"]?.["rollingUpdate"]?.["partition"] ?? 0);
}
