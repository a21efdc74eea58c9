import type { KubeConfig } from "@kubernetes/client-node";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";

/** What Pawl has something to do with, and what it must have nothing to do with, as `plural/subresource.group`. */
const resources = `
  deployments.apps statefulsets.apps daemonsets.apps replicasets.apps controllerrevisions.apps
  deployments/status.apps deployments/scale.apps statefulsets/status.apps statefulsets/scale.apps daemonsets/status.apps
  claws.claw.prismer.ai claws/status.claw.prismer.ai claws/scale.claw.prismer.ai
  statefulcanaries.pawl.dev statefulcanaries/status.pawl.dev statefulcanaries/scale.pawl.dev
  pods pods/status pods/exec pods/log pods/attach pods/portforward pods/proxy pods/eviction
  secrets configmaps events services services/proxy serviceaccounts serviceaccounts/token persistentvolumeclaims
  jobs.batch cronjobs.batch leases.coordination.k8s.io poddisruptionbudgets.policy
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
  /** The collection, and one object or subresource. */
  readonly all: string;
  readonly one: string;
}

const requests = {
  get: ({ one }: Paths) => ["GET", one],
  list: ({ all }: Paths) => ["GET", all],
  watch: ({ all }: Paths) => ["GET", `${all}?watch=1&timeoutSeconds=1`],
  create: ({ all }: Paths) => ["POST", all],
  update: ({ one }: Paths) => ["PUT", one],
  patch: ({ one }: Paths) => ["PATCH", one],
  delete: ({ one }: Paths) => ["DELETE", one],
  deletecollection: ({ all }: Paths) => ["DELETE", all],
} as const satisfies Readonly<Record<string, (paths: Paths) => readonly [method: string, path: string]>>;

/** A subresource is of one object, and neither listed nor watched. */
const ofSubresources = new Set(["get", "create", "update", "patch", "delete"]);

export interface Call {
  /** As a role has it: `patch deployments.apps`. */
  readonly asked: string;
  readonly method: string;
  readonly path: string;
}

/** Every verb on every resource, as a request of which nothing comes even where it is allowed: the object is not there. */
export function everyCall(namespace: string): readonly Call[] {
  return [
    ...resources
      .trim()
      .split(/\s+/)
      .flatMap((resource) => callsOf(resource, `/namespaces/${namespace}`)),
    ...clusterResources
      .trim()
      .split(/\s+/)
      .flatMap((resource) => callsOf(resource, "")),
  ];
}

function callsOf(resource: string, within: string): readonly Call[] {
  const [plural = "", ...group] = resource.split(".");
  const [collection = "", subresource] = plural.split("/");
  const api = group.length === 0 ? "/api/v1" : `/apis/${group.join(".")}/${versionOf(group.join("."))}`;
  const all = `${api}${within}/${collection}`;
  const one = `${all}/nobody${subresource === undefined ? "" : `/${subresource}`}`;
  return Object.entries(requests)
    .filter(([verb]) => subresource === undefined || ofSubresources.has(verb))
    .map(([verb, request]) => {
      const [method, path] = request({ all: subresource === undefined ? all : one, one });
      return { asked: `${verb} ${resource}`, method, path };
    });
}

function versionOf(group: string): string {
  if (["claw.prismer.ai", "pawl.dev", "node.bootc.dev"].includes(group)) return "v1alpha1";
  return group === "policy" ? "v1beta1" : "v1";
}

/** What the API server says to each, as whoever `kubeConfig` is; 403 is that it may not be made. */
export async function answersTo(kubeConfig: KubeConfig, calls: readonly Call[]) {
  const answers: { readonly asked: string; readonly code: number }[] = [];
  for (const { asked, method, path } of calls) {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const { code } = await rawRequest(kubeConfig, method, path, method === "GET" ? {} : { contentType, body: {} });
    answers.push({ asked, code });
  }
  return answers;
}
