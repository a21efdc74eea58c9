import { expect, vi } from "vitest";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { recordCanary, recordPromotion } from "../../../../functions/domain/workload/canary/record.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, manifest, target, type BuiltInKind, type Parts } from "../../cluster-fixtures.ts";
import { annotationsOf, createObject, getObject, read, type At, type Harness } from "../harness.ts";
import { later, type Step } from "../steps.ts";
import { imageTarget } from "../../../support/workloads.ts";

export const canaryKinds = ["Deployment", "StatefulSet"] as const satisfies readonly BuiltInKind[];
export type CanaryKind = (typeof canaryKinds)[number];

export const badTarget = `${target}-bad`;
export const one = { unit: "replicas", amount: 1 } as const;

const noon = new Date("2026-11-20T12:00:00Z");

/** Claims a workload for a canary of one replica. */
export function claimCanary(image = target, execution = "e-1"): Step {
  return (workload) => recordCanary(workload, { target: imageTarget(image), digests: null }, execution, one, noon);
}

export const promote: Step = (workload) =>
  workload.inFlight === null ? {} : recordPromotion(workload, workload.inFlight, later);
export const revert: Step = (workload) =>
  workload.inFlight === null ? {} : recordRollback(workload, workload.inFlight, "5 % errors", later);

/** Creates a workload, and waits until its three replicas are ready. */
export async function createRunning(
  at: At,
  kind: CanaryKind,
  { spec = {}, ...parts }: Parts = {},
): Promise<WorkloadRef> {
  const containers = [{ name: "app", image: before }];
  const template = { metadata: { labels: { app: "app" } }, spec: { containers } };
  const annotations = { "pawl.dev/canary": "1", ...parts.annotations };
  const body = manifest(kind, { ...parts, annotations, spec: { replicas: 3, template, ...spec } });
  const ref = await createObject(at(), kind, body);
  await waitForAllReplicas(at(), ref, before);
  return ref;
}

const patience = { timeout: 60_000, interval: 50 };

/** Retries until the check succeeds, and returns what it does. */
export async function eventually<Value>(check: () => Promise<Value>): Promise<Value> {
  return vi.waitFor(check, patience);
}

/** Waits until all three replicas run the image and are ready, and there are no other pods. */
export async function waitForAllReplicas(harness: Harness, ref: WorkloadRef, image: string): Promise<void> {
  await eventually(async () => {
    const { rollout } = await read(harness, ref);
    expect(rollout).toMatchObject({ image, updatedReplicas: 3, readyReplicas: 3, oldReplicas: 0 });
    expect(await imagesOf(harness)).toEqual([image, image, image]);
  });
}

/** Waits until the port reads a canary that is ready. */
export async function waitForCanary(harness: Harness, ref: WorkloadRef, image = target): Promise<void> {
  await eventually(async () => {
    const { canary } = await read(harness, ref);
    expect(canary).toMatchObject({ image, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 0 });
    expect(canary?.observedGeneration).toBe(canary?.generation);
  });
}

/** Returns the image of every pod that is not terminating, ordered by pod name. */
export async function imagesOf(harness: Harness): Promise<readonly string[]> {
  return (await podsOf(harness)).map(({ image }) => image);
}

interface FoundPod {
  readonly name: string;
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Returns every pod that is not terminating, ordered by name. */
export async function podsOf({ request, namespace }: Harness): Promise<readonly FoundPod[]> {
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/pods`)).body;
  return items
    .filter(({ metadata }) => !(metadata && "deletionTimestamp" in metadata))
    .map((pod) => {
      const containers = (pod.spec?.["containers"] ?? []) as unknown as readonly { readonly image: string }[];
      return { name: pod.metadata?.name ?? "", image: containers[0]?.image ?? "", annotations: annotationsOf(pod) };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the canary Deployment of a Deployment, or null. */
export async function getCanaryDeployment(
  harness: Harness,
  ref: WorkloadRef,
): Promise<{ readonly uid: string; readonly spec: object } | null> {
  const found = await getObject(harness, { ...ref, kind: "Deployment", name: `${ref.name}-canary` });
  return found.metadata?.uid === undefined ? null : { uid: found.metadata.uid, spec: found.spec ?? {} };
}

/** Returns the partition of a StatefulSet, and 0 for other kinds. */
export async function partitionOf(harness: Harness, ref: WorkloadRef): Promise<number> {
  const { spec } = await getObject(harness, ref);
  return Number(spec?.["updateStrategy"]?.["rollingUpdate"]?.["partition"] ?? 0);
}

/** Waits until the replicas of a promoted workload itself run the target; its canary may serve beside them. */
export async function waitForPromotion(harness: Harness, ref: WorkloadRef): Promise<void> {
  await eventually(async () => {
    const { rollout } = await read(harness, ref);
    expect(rollout).toMatchObject({ image: target, updatedReplicas: 3, readyReplicas: 3, oldReplicas: 0 });
  });
}
