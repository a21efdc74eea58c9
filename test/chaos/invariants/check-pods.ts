import { isSameImage, tagOf } from "../../../functions/domain/image/reference.ts";
import type { Fact, PodFact, WorkloadFact } from "../record/facts.ts";
import { isTrackedByDigest } from "../fleet.ts";
import { isMove, templateChanges } from "../record/images.ts";
import { isGoodVersion } from "../releases.ts";
import type { Story } from "./violation.ts";

const nodes = 2;

/** Returns what is wrong with the pods: there are as many as desired, of the image of the template, and ready, if it is good. */
export function checkPods(story: Story, { image, replicas }: WorkloadFact): readonly string[] {
  // Its rollout stops half-way.
  if (!canBecomeReady(story, image)) return [];
  const pods = [...story.current].flatMap(([object, fact]) => (isLeft(fact) ? [{ object, ...fact }] : []));
  const others = pods.filter((pod) => !isSameImage(pod.image, image));
  if (others.length > 0 && isLeftByPerson(story)) return [];
  const desired = story.member.kind === "DaemonSet" ? nodes : (replicas ?? 1);
  const unready = pods.filter(({ isReady, isTerminating }) => !isReady || isTerminating);
  return [
    ...(pods.length === desired ? [] : [`it has ${pods.length} pods instead of ${desired}`]),
    ...others.map((pod) => `${pod.object} runs ${pod.image} instead of ${image}`),
    ...unready.map(({ object }) => `${object} is not ready`),
  ];
}

/** Kubernetes keeps an evicted pod of a Deployment, and replaces it. */
function isLeft(fact: Fact): fact is PodFact {
  return fact.kind === "pod" && !fact.isEvicted;
}

/**
 * Without a previous digest there is nothing that a failed restart could return to, and an open circuit (checked elsewhere) restarts
 * nothing for the digest that followed.
 */
function canBecomeReady({ member, releases, current }: Story, image: string): boolean {
  if (!isTrackedByDigest(member)) return isGoodVersion(releases, member.name, tagOf(image)) ?? false;
  if (isCircuitOpen(current) && !image.includes("@")) return false;
  return image.includes("@") || (releases.get(member.name)?.at(-1)?.isGood ?? true);
}

function isCircuitOpen(current: Story["current"]): boolean {
  return [...current.values()].some((fact) => fact.kind === "record" && fact.status.circuitOpen === true);
}

/**
 * A StatefulSet waits for ever for a pod of an image that never became ready. If a person set the image last, nobody but that person
 * is there to delete the pod: the next update does.
 */
function isLeftByPerson({ member, facts }: Story): boolean {
  if (member.kind !== "StatefulSet") return false;
  return templateChanges(facts).findLast(isMove)?.by === "person";
}
