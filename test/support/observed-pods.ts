import { fromEpoch } from "../../functions/domain/text/rfc3339.ts";
import type { ObservedPod } from "../../functions/domain/health/observed-pod.ts";
import { noon } from "./workloads.ts";

/** Returns the time that is this number of seconds after noon. */
export function afterSeconds(seconds: number): Date {
  return fromEpoch(noon.getTime() + seconds * 1000);
}

type Parts = Partial<ObservedPod> & { readonly isExcused?: boolean };

/** Returns a pod that was created at noon and is ready since the fifth second after it. */
export function observedPod({ isExcused = false, ...parts }: Parts = {}): ObservedPod {
  return {
    name: "web-0",
    uid: "p-0",
    createdAt: afterSeconds(0),
    startedAt: afterSeconds(0),
    isReady: true,
    readyChangedAt: afterSeconds(5),
    exits: 0,
    exitedAt: null,
    cause: {
      blames: isExcused ? "excused" : "version",
      reason: "Exit",
      container: "web",
      exitCode: 1,
      message: "",
      restarts: parts.exits ?? 0,
    },
    ...parts,
  };
}

export function pods(...seen: readonly Parts[]): readonly ObservedPod[] {
  return seen.map(observedPod);
}
