import type { V1Pod } from "@kubernetes/client-node";
import { createClock } from "../../../../infra/local/runtime/clock.ts";

/** An annotation of a pod: the clock of its node, `START SPEED`, which is the one of the Pawl that judges it. */
export const clockAnnotation = "test.pawl.dev/clock";

/** Returns the time at the node of a pod. The times of its status are compared with those of an update. */
export function nodeTime({ metadata }: V1Pod): Date {
  const [start, speed] = metadata?.annotations?.[clockAnnotation]?.split(" ") ?? [];
  return start === undefined ? new Date() : createClock({ speed: Number(speed), since: new Date(start) }).now();
}
