import { inject } from "vitest";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { clockAnnotation } from "../../support/control-plane/kubelet/pod-clock.ts";
import { type Trouble, writeTroubles } from "../../support/control-plane/kubelet/trouble.ts";
import { openObjects, plurals, type Kind } from "../../support/kubectl/objects.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { byTag, createManifest } from "../manual-changes/manifest.ts";
import type { Suite } from "../suite.ts";

/** How the pods of a workload are replaced. */
export interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

export const cases: readonly Case[] = [
  { name: "Deployment", kind: "Deployment" },
  { name: "StatefulSet", kind: "StatefulSet" },
  { name: "DaemonSet", kind: "DaemonSet" },
  { name: "StatefulSet, OnDelete", kind: "StatefulSet", spec: { updateStrategy: { type: "OnDelete" } } },
  { name: "canary of a Deployment", kind: "Deployment", annotations: { [annotations.canary]: "1" } },
];

const speed = 20;
const app = "web";

/** Starts version 1.0.0 of a workload, whose nodes have the clock of Pawl. */
export async function startControl(suite: Suite, repository: string, { kind, ...own }: Case, policy = {}) {
  const harness = await openAutoUpdateHarness(suite);
  const { namespace, kubeConfig } = harness;
  const clock = createClock({ speed, since: new Date() });
  const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, clock }));
  const image = (tag: string) => `${suite.registry.host}/${repository}:${tag}`;
  const timeout = { [annotations.healthTimeout]: "2m", ...own.annotations, ...policy };
  const manifest = createManifest({ kind, name: app, image: image("1.0.0"), annotations: { ...byTag, ...timeout } });
  const { template } = manifest.spec;
  const node = { [clockAnnotation]: `${new Date(Date.now()).toISOString()} ${speed}` };
  const metadata = { ...template.metadata, annotations: node };
  await openObjects(kubeConfig, namespace).create(plurals[kind], {
    ...manifest,
    spec: { ...manifest.spec, ...own.spec, template: { ...template, metadata } },
  });
  const statusOf = async () => (await harness.read(`${kind.toLowerCase()}-${app}`))?.status;
  const trouble = (kinds: readonly Trouble["kind"][]) =>
    writeTroubles(
      inject("kubeconfig") ?? "",
      namespace,
      kinds.map((one) => ({ app, kind: one })),
    );
  const pods = async () => (await harness.workload(app)).rollout;
  return {
    harness,
    pawl,
    image,
    /** Replaces what is wrong with the pods. */
    trouble,
    /** Waits until all pods are ready. */
    ready: () =>
      eventually("the pods are ready", async () => {
        const { desiredReplicas = 0, readyReplicas } = (await pods()) ?? {};
        return desiredReplicas > 0 && readyReplicas === desiredReplicas;
      }),
    /** Polls until the status of the AutoUpdate is so, and returns it. */
    poll: (what: string, isThere: (status: AutoUpdateStatus) => boolean) =>
      eventually(what, async () => {
        await pawl.poll();
        const status = await statusOf();
        return status !== undefined && status.update === undefined && isThere(status) && status;
      }),
    /** Starts the update, and waits until a pod of it exists. */
    async start() {
      await pawl.poll();
      await eventually("a pod of the update exists", async () => {
        const { rollout, canary } = await harness.workload(app);
        return ((canary ?? rollout)?.updatedReplicas ?? 0) > 0 && (await statusOf())?.update?.phase === "Applied";
      });
    },
  };
}
