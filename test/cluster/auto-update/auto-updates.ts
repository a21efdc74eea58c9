import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, managedByLabel } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type {
  AutoUpdateStatus,
  UpdateStatus,
} from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { ClusterHarness } from "../harness.ts";

type Cluster = Pick<ClusterHarness, "kubeConfig">;

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

export async function readAutoUpdate({ kubeConfig }: Cluster, ref: WorkloadRef): Promise<AutoUpdate> {
  return (await kubeConfig.makeApiClient(CustomObjectsApi).getNamespacedCustomObject(pathOf(ref))) as AutoUpdate;
}

/** Creates the AutoUpdate of a workload with this status, as an earlier process left it. */
export async function leaveStatus({ kubeConfig }: Cluster, ref: WorkloadRef, status: AutoUpdateStatus): Promise<void> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const { apiVersion, kind, name, uid } = ref;
  const metadata = {
    name: autoUpdateName(ref),
    labels: managedByLabel,
    ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }],
  };
  const spec = { targetRef: { apiVersion, kind, name } };
  const body = { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata, spec };
  await custom.createNamespacedCustomObject({ ...pathOf(ref), body });
  await custom.patchNamespacedCustomObjectStatus({ ...pathOf(ref), body: { status } }, merge);
}

/** Changes the update in flight, as its holder does. */
export async function editUpdate(
  { kubeConfig }: Cluster,
  ref: WorkloadRef,
  update: Partial<UpdateStatus>,
): Promise<void> {
  await editStatus({ kubeConfig }, ref, { update });
}

/** Changes the status, as a group that may write it does. */
export async function editStatus({ kubeConfig }: Cluster, ref: WorkloadRef, status: object): Promise<void> {
  const body = { status };
  await kubeConfig.makeApiClient(CustomObjectsApi).patchNamespacedCustomObjectStatus({ ...pathOf(ref), body }, merge);
}

/** Writes a request, as `kubectl annotate autoupdate` does. */
export async function request({ kubeConfig }: Cluster, ref: WorkloadRef, text: string): Promise<void> {
  const body = { metadata: { annotations: { [annotations.request]: text } } };
  await kubeConfig.makeApiClient(CustomObjectsApi).patchNamespacedCustomObject({ ...pathOf(ref), body }, merge);
}

function pathOf(ref: WorkloadRef) {
  const { namespace } = ref;
  return { group: "pawl.dev", version: "v1alpha1", plural: "autoupdates", namespace, name: autoUpdateName(ref) };
}
