import type { AutoUpdate, AutoUpdateSpec } from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import type {
  AutoUpdateStatus,
  UpdateStatus,
} from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { before, updateTarget } from "../../cluster-fixtures.ts";
import type { Harness } from "../harness.ts";

const mergePatch = "application/merge-patch+json";

/** Returns the path of the AutoUpdate of a workload. */
export function autoUpdatePath({ kind, namespace, name }: WorkloadRef): string {
  return `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates/${kind.toLowerCase()}-${name}`;
}

/** Returns the AutoUpdate as stored by the server; null if it does not exist. */
export async function getAutoUpdate({ request }: Harness, ref: WorkloadRef): Promise<AutoUpdate | null> {
  const { code, body } = await request("GET", autoUpdatePath(ref));
  return code === 404 ? null : (body as unknown as AutoUpdate);
}

export async function statusOf(harness: Harness, ref: WorkloadRef): Promise<AutoUpdateStatus> {
  return (await getAutoUpdate(harness, ref))?.status ?? {};
}

/** Creates the AutoUpdate of a workload as its owner. */
export async function createAutoUpdate(
  { request }: Harness,
  ref: WorkloadRef,
  spec: Partial<AutoUpdateSpec> = { policy: {} },
): Promise<void> {
  const path = autoUpdatePath(ref);
  const { apiVersion, kind, name } = ref;
  const metadata = { name: path.slice(path.lastIndexOf("/") + 1) };
  const body = {
    apiVersion: "pawl.dev/v1alpha1",
    kind: "AutoUpdate",
    metadata,
    spec: { targetRef: { apiVersion, kind, name }, ...spec },
  };
  const { code, text } = await request("POST", path.slice(0, path.lastIndexOf("/")), { body });
  if (code !== 201) throw new Error(text);
}

/** Merges into an AutoUpdate as another client. */
export async function patchAutoUpdate({ request }: Harness, ref: WorkloadRef, body: object): Promise<void> {
  const { code, text } = await request("PATCH", autoUpdatePath(ref), { body, contentType: mergePatch });
  if (code !== 200) throw new Error(text);
}

/** Merges into the status of an AutoUpdate. null removes a field. */
export async function patchStatus(
  { request }: Harness,
  ref: WorkloadRef,
  status: { readonly [Field in keyof AutoUpdateStatus]?: object | string | null },
): Promise<void> {
  const answer = await request("PATCH", `${autoUpdatePath(ref)}/status`, { body: { status }, contentType: mergePatch });
  if (answer.code !== 200) throw new Error(answer.text);
}

/** Returns an update of this workload that is recorded as applied. */
export function updateOf({ uid }: WorkloadRef, update: Partial<UpdateStatus> = {}): UpdateStatus {
  return {
    phase: "Applied",
    strategy: "Rolling",
    holder: "pawl",
    execution: "e-1",
    expiresAt: "2026-11-20T12:25:00Z",
    target: updateTarget,
    previousImage: before,
    targetUID: uid,
    targetGeneration: 1,
    startedAt: "2026-11-20T12:00:00Z",
    ...update,
  };
}
