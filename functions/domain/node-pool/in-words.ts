import { digestOf } from "./classify.ts";
import type { DrainedPod } from "./drain.ts";
import type { NodeStep } from "./step.ts";

type Words = { readonly [Kind in NodeStep["kind"]]: (step: Extract<NodeStep, { readonly kind: Kind }>) => string };

const words: Words = {
  create: ({ asks }) => `joins, and is asked to stage ${digestOf(asks.image)}`,
  label: () => "is labelled for its agent",
  ask: ({ asks, isNewImage }) =>
    isNewImage ? `is asked to stage ${digestOf(asks.image)}` : "is told of its pull secret",
  revoke: () => "its reboot is called off",
  "take-slot": () => "takes a slot",
  "remember-cordon": ({ wasCordoned }) =>
    `will be left ${wasCordoned ? "cordoned" : "uncordoned"}, as somebody made it`,
  cordon: () => "is cordoned",
  evict: ({ pods }) => `${pods.length === 1 ? "1 pod is" : `${pods.length} pods are`} evicted: ${namesOf(pods)}`,
  "restart-drain": ({ reason }) => `its drain begins anew: ${reason}`,
  approve: () => "is drained, and is told to reboot",
  uncordon: () => "is uncordoned",
  "leave-cordoned": () => "stays cordoned, as somebody made it",
  "free-slot": () => "gives its slot back",
  unlabel: () => "leaves: its label is taken away",
  delete: () => "leaves: its BootcNode is deleted",
  wait: ({ reason }) => reason,
  none: () => "runs what it should",
};

/** What is done to a node next, or what it waits for, in words. */
export function inWords(step: NodeStep): string {
  return (words[step.kind] as (step: NodeStep) => string)(step);
}

const mostNamed = 3;

function namesOf(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, mostNamed).map(({ namespace, name }) => `${namespace}/${name}`);
  const more = pods.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
