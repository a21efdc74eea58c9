import { AuthenticationV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { Forbidden } from "../../ports/errors.ts";
import { type AdmissionRules, isOfThisRelease } from "./admission-rules.ts";
import { type ClusterObject, createClusterScopedApi } from "./cluster-scoped.ts";
import type { Resource } from "./objects.ts";
import { createRequestOptions, mapErrors } from "./requests.ts";

const group = { group: "admissionregistration.k8s.io", version: "v1" } as const;
const policies: Resource = { ...group, plural: "validatingadmissionpolicies", kind: "ValidatingAdmissionPolicy" };
const bindings: Resource = {
  ...group,
  plural: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
};

interface Policy extends ClusterObject {
  readonly spec: AdmissionRules;
}

interface Binding extends ClusterObject {
  readonly spec: {
    readonly policyName?: string;
    readonly validationActions?: readonly string[];
    readonly matchResources?: object;
  };
}

/** The policies are those of `infra/cluster/admission-policies`. */
const howTo = "apply infra/cluster/admission-policies, which needs Kubernetes 1.30";

/** Returns why nothing proves who wrote an approval, or a request; null if the admission policy is in force. */
export async function readIdentityProblem(
  kubeConfig: KubeConfig,
  of: "approvals" | "requests",
): Promise<string | null> {
  const api = createClusterScopedApi(kubeConfig.makeApiClient(CustomObjectsApi), createRequestOptions());
  const policyName = `pawl-${of}`;
  try {
    const [policy, binding] = await Promise.all([
      api.get<Policy>(policies, policyName),
      api.get<Binding>(bindings, policyName),
    ]);
    const isStrict = policy !== null && isOfThisRelease(of, policy.spec);
    const isBound =
      binding?.spec.policyName === policyName &&
      binding.spec.validationActions?.includes("Deny") === true &&
      binding.spec.matchResources === undefined;
    return isStrict && isBound
      ? null
      : `${of} prove nothing: the admission policy ${policyName} of this release is not in force; ${howTo}`;
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return `${of} prove nothing: the admission policy ${policyName} is not readable: ${error.message}; ${howTo}`;
  }
}

/** Returns who the API server says that the user of a kubeconfig is. */
export async function readIdentity(
  kubeConfig: KubeConfig,
): Promise<{ readonly user: string; readonly groups: readonly string[] }> {
  const authentication = kubeConfig.makeApiClient(AuthenticationV1Api);
  const options = createRequestOptions();
  const review = () => authentication.createSelfSubjectReview({ body: {} }, options());
  const { status } = await mapErrors("ask who the user is", review);
  return { user: status?.userInfo?.username ?? "", groups: status?.userInfo?.groups ?? [] };
}
