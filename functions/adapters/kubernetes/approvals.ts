import { CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { type Approval, approvalKey, formatApproval } from "../../domain/gates/approval.ts";
import { type WorkloadRef } from "../../domain/workload/workload.ts";
import { autoUpdateName } from "../../domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, resource } from "./auto-update/object.ts";
import type { PoolRef } from "../../ports/node-pools.ts";
import { createClusterScopedApi } from "./cluster-scoped.ts";
import { poolResource } from "./node-pools/resources.ts";
import { readIdentity } from "./identity.ts";
import { pathOf } from "./objects.ts";
import { createRequestOptions, fieldManager, mapErrors } from "./requests.ts";

/** Writes what a person decides about a version, with the rights and under the name of that person. */
export interface ApprovalWriter {
  /** Returns who the API server says that the person is. */
  whoAmI(): Promise<Pick<Approval, "user" | "groups">>;
  write(workload: Pick<WorkloadRef, "kind" | "namespace" | "name">, approval: Approval): Promise<void>;
  writeToPool(pool: PoolRef, approval: Approval): Promise<void>;
}

export function createApprovalWriter(kubeConfig: KubeConfig): ApprovalWriter {
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const options = createRequestOptions();
  return {
    whoAmI: () => readIdentity(kubeConfig),
    async write({ kind, namespace, name }, approval) {
      const target = { ...pathOf(resource), namespace, name: autoUpdateName({ kind, name }) };
      const subject = `${resource.kind} ${namespace}/${target.name}`;
      const get = () => objects.getNamespacedCustomObject(target, options());
      const { metadata } = (await mapErrors(`read ${subject}`, get)) as AutoUpdate;
      const annotations = { [approvalKey(approval.user)]: formatApproval(approval, metadata.uid) };
      // With the uid, an object that was recreated since is a conflict.
      const request = { ...target, body: { metadata: { uid: metadata.uid, annotations } }, fieldManager };
      const asPatch = options({ "Content-Type": "application/merge-patch+json" });
      await mapErrors(`patch ${subject}`, () => objects.patchNamespacedCustomObject(request, asPatch), true);
    },
    async writeToPool({ name, uid }, approval) {
      const annotations = { [approvalKey(approval.user)]: formatApproval(approval, uid) };
      await createClusterScopedApi(objects, options).patch(poolResource, name, { metadata: { uid, annotations } });
    },
  };
}
