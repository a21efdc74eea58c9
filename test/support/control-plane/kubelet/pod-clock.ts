import type { V1Pod } from "@kubernetes/client-node";
import { createClock } from "../../../../infra/local/runtime/clock.ts";

/** An annotation of a pod: the clock of its node, `START SPEED`, which is the one of the Pawl that judges it. */
export const clockAnnotation = "test.pawl.dev/clock";

/** Returns the time at the node of a pod. The times of its status are compared with those of an update. */
export function nodeTime({ metadata }: V1Pod): Date {
  const [start, speed] = metadata?.annotations?.[clockAnnotation]?.split(" ") ?? [];
  return start === undefined ? new Date() : createClock({ speed: Number(speed), since: new Date(start) }).now();
}

/** Returns how fast the clock of the node of a pod runs. */
export function nodeSpeed({ metadata }: V1Pod): number {
  const [, speed] = metadata?.annotations?.[clockAnnotation]?.split(" ") ?? [];
  return Number(speed ?? 1);
}

/** Returns the annotation of pods whose nodes have the clock that has run since then. */
export function withNodeClock(since: Date, speed: number): Readonly<Record<string, string>> {
  return { [clockAnnotation]: `${since.toISOString()} ${speed}` };
}
