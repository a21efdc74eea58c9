import { formatRfc3339 } from "../../../domain/time.ts";
import type { Change, Condition, InFlight } from "../../../domain/workload.ts";
import type { AnalysisState } from "../../../domain/analysis/state.ts";
import type { KubernetesApi } from "../api.ts";
import { withConditions } from "../conditions.ts";
import { autoUpdateStatusPatch } from "./claw-status.ts";
import { resource, type StatefulCanary, type StatefulCanaryStatus } from "./stateful-canary-object.ts";

/** As long as an Event's: the cause of an error may be a whole stack. */
const longestMessage = 1024;

export type Progress = Omit<StatefulCanaryStatus, "lastTransitionTime" | "conditions" | "autoUpdate">;

/** Writes how far it is, with whatever else the change has for the status; nothing where there is nothing to write. */
export async function writeStatus(
  object: StatefulCanary,
  progress: Progress,
  change: Change,
  api: KubernetesApi,
  now: Date,
): Promise<StatefulCanary> {
  const { metadata, status: before = {} } = object;
  const conditions = [...(change.conditions ?? []), ...validity(change)];
  const status = {
    ...progress,
    ...(progress.currentPhase === undefined || progress.currentPhase === before.currentPhase
      ? {}
      : { lastTransitionTime: formatRfc3339(now) }),
    ...(conditions.length === 0
      ? {}
      : { conditions: withConditions(before.conditions ?? [], conditions, metadata.generation ?? 1, now) }),
    ...(change.bookkeeping === undefined ? {} : { autoUpdate: autoUpdateStatusPatch(change.bookkeeping) }),
  };
  if (Object.keys(status).length === 0) return object;
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  return api.patch<StatefulCanary>(resource, metadata, "application/merge-patch+json", body, "status");
}

function validity({ announced }: Change): readonly Condition[] {
  if (announced?.problem === undefined) return [];
  const { problem } = announced;
  if (problem === null)
    return [{ type: "Valid", status: "True", reason: "SpecValid", message: "the spec can be carried out" }];
  return [{ type: "Valid", status: "False", reason: "SpecInvalid", message: problem }];
}

export function initializing({ metadata: { generation = 1 } }: StatefulCanary, image: string): Progress {
  const message = `the sets for ${image} are made`;
  return { currentPhase: "Initializing", image, observedGeneration: generation, analysisRetries: 0, message };
}

export function progressing({ spec: { totalReplicas, canaryReplicas } }: StatefulCanary, image: string): Progress {
  const message = `${canaryReplicas} canary replicas of ${image} are to become ready`;
  return { currentPhase: "Progressing", stableReplicas: totalReplicas - canaryReplicas, canaryReplicas, message };
}

/** The last measurement is shown with its value: an operator wants to see how near it is. */
export function analyzing({ tallies, measurements }: AnalysisState): Progress {
  const last = measurements.at(-1);
  const message =
    last === undefined ? "the canary is measured" : `${last.metric} = ${last.value ?? "nothing"}: ${last.verdict}`;
  const analysisRetries = [...tallies.values()].reduce((sum, { failures }) => sum + failures, 0);
  return { currentPhase: "Analyzing", analysisRetries, message };
}

/** `isBegun`: with a canary, of a generation that stands in the status already. */
export function promoting(object: StatefulCanary, image: string, isBegun: boolean): Progress {
  const { totalReplicas } = object.spec;
  const message = `all ${totalReplicas} replicas are to run ${image}`;
  const observed = isBegun ? {} : { observedGeneration: object.metadata.generation ?? 1, analysisRetries: 0 };
  return { currentPhase: "Promoting", image, ...observed, stableReplicas: totalReplicas, canaryReplicas: 0, message };
}

export function succeeded({ spec }: StatefulCanary, { targetImage }: InFlight): Progress {
  return { currentPhase: "Succeeded", message: `all ${spec.totalReplicas} replicas run ${targetImage}` };
}

/** What failed counts as tried, however early. A rollback that is taken over from another execution says nothing new. */
export function failed({ metadata, status = {} }: StatefulCanary, image: string, { conditions }: Change): Progress {
  const message = conditions?.[0]?.message.slice(0, longestMessage);
  if (message === undefined) return { currentPhase: "Failed", canaryReplicas: 0 };
  const isBegun = status.image === image && status.currentPhase !== "Succeeded" && status.currentPhase !== "Failed";
  const about = isBegun ? {} : { image, observedGeneration: metadata.generation ?? 1 };
  return { currentPhase: "Failed", canaryReplicas: 0, message, ...about };
}

/** Another image is asked for: the next update begins with the sets as they are. */
export function overtaken({ announced }: Change): Progress {
  return { currentPhase: "Initializing", message: announced?.held ?? "given up by hand" };
}

export function invalid({ status }: StatefulCanary, problem: string): Progress {
  return { currentPhase: status?.currentPhase ?? "Initializing", message: problem };
}
