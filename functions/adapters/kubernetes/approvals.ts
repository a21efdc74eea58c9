import { AuthenticationV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { type Approval, approvalKey, formatApproval } from "../../domain/gates/approval.ts";
import { type WorkloadRef } from "../../domain/workload/workload.ts";
import { Forbidden } from "../../ports/errors.ts";
import { autoUpdateName, resource } from "./auto-update/object.ts";
import { type ClusterObject, createClusterScopedApi } from "./cluster-scoped.ts";
import { pathOf, type Resource } from "./objects.ts";
import { createRequestOptions, fieldManager, mapErrors } from "./requests.ts";

/** Of `infra/cluster/admission-policies/approvals.yaml`. */
const policyName = "pawl-approvals";
const group = { group: "admissionregistration.k8s.io", version: "v1" } as const;
const policies: Resource = { ...group, plural: "validatingadmissionpolicies", kind: "ValidatingAdmissionPolicy" };
const bindings: Resource = {
  ...group,
  plural: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
};

interface Policy extends ClusterObject {
  readonly spec: { readonly failurePolicy?: string; readonly matchConditions?: readonly object[] };
}

interface Binding extends ClusterObject {
  readonly spec: {
    readonly policyName?: string;
    readonly validationActions?: readonly string[];
    readonly matchResources?: object;
  };
}

const howTo = "apply infra/cluster/admission-policies, which needs Kubernetes 1.30";

/** Returns why nothing proves who wrote an approval; null if the admission policy is in force. */
export async function readApprovalProblem(kubeConfig: KubeConfig): Promise<string | null> {
  const api = createClusterScopedApi(kubeConfig.makeApiClient(CustomObjectsApi), createRequestOptions());
  try {
    const [policy, binding] = await Promise.all([
      api.get<Policy>(policies, policyName),
      api.get<Binding>(bindings, policyName),
    ]);
    const isStrict = policy !== null && policy.spec.failurePolicy !== "Ignore" && !policy.spec.matchConditions?.length;
    const isBound =
      binding?.spec.policyName === policyName &&
      binding.spec.validationActions?.includes("Deny") === true &&
      binding.spec.matchResources === undefined;
    return isStrict && isBound
      ? null
      : `approvals prove nothing: the admission policy ${policyName} is not in force; ${howTo}`;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return `approvals prove nothing: the admission policy ${policyName} is not readable: ${error.message}; ${howTo}`;
  }
}

/** Writes what a person decides about a version, with the rights and under the name of that person. */
export interface ApprovalWriter {
  /** Returns who the API server says that the person is. */
  whoAmI(): Promise<Pick<Approval, "user" | "groups">>;
  write(workload: Pick<WorkloadRef, "kind" | "namespace" | "name">, approval: Approval): Promise<void>;
}

export function createApprovalWriter(kubeConfig: KubeConfig): ApprovalWriter {
  const authentication = kubeConfig.makeApiClient(AuthenticationV1Api);
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const options = createRequestOptions();
  return {
    async whoAmI() {
      const review = () => authentication.createSelfSubjectReview({ body: {} }, options());
      const { status } = await mapErrors("ask who the user is", review);
      return { user: status?.userInfo?.username ?? "", groups: status?.userInfo?.groups ?? [] };
    },
    async write({ kind, namespace, name }, approval) {
      const annotations = { [approvalKey(approval.user)]: formatApproval(approval) };
      const target = { ...pathOf(resource), namespace, name: autoUpdateName({ kind, name }) };
      const request = { ...target, body: { metadata: { annotations } }, fieldManager };
      const asPatch = options({ "Content-Type": "application/merge-patch+json" });
      await mapErrors(
        `patch ${resource.kind} ${namespace}/${target.name}`,
        () => objects.patchNamespacedCustomObject(request, asPatch),
        true,
      );
    },
  };
}
