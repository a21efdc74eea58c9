import type { KubeConfig } from "@kubernetes/client-node";
import { pollLeaseName } from "../../../functions/ports/poll-lease.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";

/** Resources that Pawl uses, and others that it must not access, as `plural/subresource.group`. */
const resources = `
  deployments.apps statefulsets.apps daemonsets.apps replicasets.apps controllerrevisions.apps
  deployments/status.apps deployments/scale.apps statefulsets/status.apps statefulsets/scale.apps daemonsets/status.apps
  claws.claw.prismer.ai claws/status.claw.prismer.ai claws/scale.claw.prismer.ai
  autoupdates.pawl.dev autoupdates/status.pawl.dev autoupdates/scale.pawl.dev
  statefulcanaries.pawl.dev statefulcanaries/status.pawl.dev statefulcanaries/scale.pawl.dev
  pods pods/status pods/exec pods/log pods/attach pods/portforward pods/proxy pods/eviction
  secrets configmaps events services services/proxy serviceaccounts serviceaccounts/token persistentvolumeclaims
  jobs.batch cronjobs.batch leases.coordination.k8s.io poddisruptionbudgets.policy
  horizontalpodautoscalers.autoscaling
  analysistemplates.argoproj.io clusteranalysistemplates.argoproj.io
  networkpolicies.networking.k8s.io ingresses.networking.k8s.io
  roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io`;

const clusterResources = `
  namespaces nodes nodes/proxy nodes/status persistentvolumes
  bootcnodepools.node.bootc.dev bootcnodepools/status.node.bootc.dev bootcnodepools/scale.node.bootc.dev
  bootcnodes.node.bootc.dev bootcnodes/status.node.bootc.dev customresourcedefinitions.apiextensions.k8s.io
  clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io
  validatingadmissionpolicies.admissionregistration.k8s.io validatingwebhookconfigurations.admissionregistration.k8s.io
  mutatingwebhookconfigurations.admissionregistration.k8s.io`;

interface Paths {
  readonly collection: string;
  /** An object or a subresource. */
  readonly object: string;
}

const requests = {
  get: ({ object }: Paths) => ["GET", object],
  list: ({ collection }: Paths) => ["GET", collection],
  watch: ({ collection }: Paths) => ["GET", `${collection}?watch=1&timeoutSeconds=1`],
  create: ({ collection }: Paths) => ["POST", collection],
  update: ({ object }: Paths) => ["PUT", object],
  patch: ({ object }: Paths) => ["PATCH", object],
  delete: ({ object }: Paths) => ["DELETE", object],
  deletecollection: ({ collection }: Paths) => ["DELETE", collection],
} as const satisfies Readonly<Record<string, (paths: Paths) => readonly [method: string, path: string]>>;

/** Subresources can be neither listed nor watched. */
const subresourceVerbs = new Set(["get", "create", "update", "patch", "delete"]);

export interface ApiRequest {
  /** As a role grants it: `patch deployments.apps`. */
  readonly permission: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Returns a request for every verb on every resource. None has an effect, even if allowed, because the object
 * does not exist. */
export function allRequests(namespace: string): readonly ApiRequest[] {
  return [
    ...resources
      .trim()
      .split(/\s+/)
      .flatMap((resource) => requestsFor(resource, `/namespaces/${namespace}`)),
    ...clusterResources
      .trim()
      .split(/\s+/)
      .flatMap((resource) => requestsFor(resource, "")),
  ];
}

function requestsFor(resource: string, scope: string): readonly ApiRequest[] {
  const [plural = "", ...group] = resource.split(".");
  const [name = "", subresource] = plural.split("/");
  const api = group.length === 0 ? "/api/v1" : `/apis/${group.join(".")}/${versionOf(group.join("."))}`;
  const collection = `${api}${scope}/${name}`;
  const object = `${collection}/${name === "leases" ? pollLeaseName : "missing"}${subresource === undefined ? "" : `/${subresource}`}`;
  return Object.entries(requests)
    .filter(([verb]) => subresource === undefined || subresourceVerbs.has(verb))
    .map(([verb, request]) => {
      const [method, path] = request({ collection: subresource === undefined ? collection : object, object });
      return { permission: `${verb} ${resource}`, method, path };
    });
}

function versionOf(group: string): string {
  if (["claw.prismer.ai", "pawl.dev", "node.bootc.dev", "argoproj.io"].includes(group)) return "v1alpha1";
  return group === "policy" ? "v1beta1" : "v1";
}

/** Sends each request with the identity of `kubeConfig`, and returns the HTTP status codes; 403 means denied. */
export async function sendRequests(kubeConfig: KubeConfig, calls: readonly ApiRequest[]) {
  const responses: { readonly permission: string; readonly code: number }[] = [];
  for (const { permission, method, path } of calls) {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const { code } = await rawRequest(kubeConfig, method, path, method === "GET" ? {} : { contentType, body: {} });
    responses.push({ permission, code });
  }
  return responses;
}
