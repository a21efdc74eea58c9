import { expect } from "vitest";
import { createKubernetesCluster } from "../../../../../functions/adapters/kubernetes/cluster.ts";
import type { KubeConfig } from "@kubernetes/client-node";
import { hold } from "../../../../../functions/domain/workload/decision/decision.ts";
import type { StepInput } from "../../../../../functions/contract/workload-update.ts";
import { recordDecision } from "../../../../../functions/workflows/poll/record/record-check.ts";
import { openHarness } from "../../../../contracts/cluster/harness.ts";
import { fakePorts } from "../../../../support/fake-ports.ts";
import { eventually } from "../../../../support/control-plane/eventually.ts";
import { createKubectl, type Kubectl } from "../../../../support/kubectl.ts";
import { type Kind, plurals } from "../../../../support/kubectl/objects.ts";
import { noon } from "../../../../support/workloads.ts";
import { requestOf } from "../../../../support/request-of.ts";

export const image = (tag: string) => `registry.invalid/shop/web:${tag}`;
export const name = "web";

export function manifest(kind: Kind, tag: string) {
  const labels = { app: name };
  const spec = {
    replicas: 2,
    ...(kind === "StatefulSet" ? { serviceName: name } : {}),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "app", image: image(tag) }] } },
  };
  const annotations = { "pawl.dev/auto-update": "true" };
  return { apiVersion: "apps/v1", kind, metadata: { name, annotations }, spec };
}

/** Returns a workload whose release 2 runs, and whose rollback to release 1 is requested. */
export async function openReleased(kind: Kind, server: KubeConfig) {
  const { namespace, kubeConfig, request } = await openHarness(server);
  const kubectl: Kubectl = {
    ...createKubectl(kubeConfig, namespace, () => new Date()),
    // This server has no subresource scale.
    async scale(scaled, of, replicas) {
      const path = `/apis/apps/v1/namespaces/${namespace}/${plurals[scaled]}/${of}`;
      const contentType = "application/merge-patch+json";
      await request("PATCH", path, { body: { spec: { replicas } }, contentType });
    },
  };
  const warn = (message: string) => process.emitWarning(message);
  const settings = { name: "embedded", kubeConfig, namespaces: [namespace], releases: true, now: () => noon, warn };
  const ports = { ...fakePorts({}), cluster: createKubernetesCluster(settings) };
  const { uid } = await kubectl
    .create(manifest(kind, "1.0.0"))
    .then(async () => (await kubectl.get(kind, name)).metadata);
  const ref = { apiVersion: "apps/v1", kind, namespace, name, uid: uid ?? "" };
  const read = async () => (await ports.cluster.read(ref))!;
  const isSettled = async (tag: string) => {
    const { rollout } = await read();
    const { desiredReplicas = 0, readyReplicas = 0, oldReplicas = 1 } = rollout ?? {};
    return rollout?.image === image(tag) && readyReplicas === desiredReplicas && oldReplicas === 0;
  };
  for (const tag of ["1.0.0", "1.1.0"]) {
    await kubectl.setImage(kind, name, image(tag));
    await eventually(`${tag} is rolled out`, () => isSettled(tag));
    await recordDecision(ports, await read(), hold("no-newer-version", "nothing newer"));
  }
  expect((await read()).releases?.list.map(({ number }) => number)).toEqual([1, 2]);
  await ports.cluster.request(await read(), requestOf("rollback 1 t-1"));
  const common = { cluster: "embedded", strategy: "release", digests: "", adopting: false, execution: "e-1" } as const;
  const input: StepInput & { readonly executionStartedAt: string } = {
    ...common,
    workload: ref,
    target: { kind: "release", image: image("1.0.0"), number: 1 },
    executionStartedAt: noon.toISOString(),
  };
  const runs = async () => (await kubectl.get(kind, name)).spec.template.spec.containers[0]?.image;
  return { ports, kubectl, input, read, runs, settings, request, namespace };
}
