import { parseDigest } from "../node/node-state.ts";
import type { DrainedPod } from "../node/drain.ts";
import type { NodeStep } from "./step.ts";

type Descriptions = {
  readonly [Kind in NodeStep["kind"]]: (step: Extract<NodeStep, { readonly kind: Kind }>) => string;
};

const descriptions: Descriptions = {
  create: ({ desired }) => `joins the pool and is requested to stage ${parseDigest(desired.image)}`,
  label: () => "gets the label of its agent",
  "request-image": ({ desired, isNewImage }) =>
    isNewImage ? `is requested to stage ${parseDigest(desired.image)}` : "gets its pull secret",
  revoke: () => "its reboot is revoked",
  "acquire-slot": () => "acquires a slot",
  "record-cordon": ({ wasCordoned }) =>
    `will be left ${wasCordoned ? "cordoned" : "uncordoned"}, because of a manual change`,
  protect: () => "is protected from autoscalers",
  unprotect: () => "is no longer protected from autoscalers",
  cordon: () => "is cordoned",
  evict: ({ pods }) => `${pods.length === 1 ? "1 pod is" : `${pods.length} pods are`} evicted: ${listPodNames(pods)}`,
  "restart-drain": ({ reason }) => `its drain is restarted: ${reason}`,
  "record-block": ({ reason }) => (reason === null ? "is no longer blocked" : `its drain is blocked: ${reason}`),
  approve: () => "is drained, and its reboot is approved",
  "record-boot": () => "runs its new image",
  "record-analysis": () => "is measured",
  uncordon: () => "is uncordoned",
  "leave-cordoned": () => "stays cordoned, because of a manual change",
  "release-slot": ({ givenBack }) =>
    givenBack === undefined ? "releases its slot" : "gives its slot back, because its drain takes too long",
  unlabel: () => "leaves: its label is removed",
  delete: () => "leaves: its BootcNode is deleted",
  wait: ({ reason }) => reason,
  none: () => "runs its desired image",
};

/** Describes the next step of a node, or what it waits for. */
export function describeNodeStep(step: NodeStep): string {
  return (descriptions[step.kind] as (step: NodeStep) => string)(step);
}

const maxNamedPods = 3;

function listPodNames(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, maxNamedPods).map(({ namespace, name }) => `${namespace}/${name}`);
  const more = pods.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
