import { annotations } from "../../../domain/workload/annotations.ts";
import { parsePolicy, type ParsedPolicy, type RawPolicy } from "../../../domain/workload/policy.ts";
import type { Annotations } from "../annotation-codec.ts";
import { isTrackedByDigest } from "./digest-tracking.ts";

const daySeconds = 86_400;

const fieldNames: Readonly<Record<keyof RawPolicy, string>> = {
  enabled: annotations.autoUpdate,
  paused: annotations.paused,
  versionConstraint: annotations.versionConstraint,
  schedule: annotations.schedule,
  tagPattern: annotations.tagPattern,
  healthTimeout: annotations.healthTimeout,
  maxRollbacks: annotations.maxRollbacks,
  rollback: annotations.rollbackTo,
  canary: annotations.canary,
  canaryAnalysis: annotations.canaryAnalysis,
};

/** Reads the policy of a built-in kind from its annotations. `canaryUnavailableReason` is null for a kind that has canaries. */
export function readBuiltInPolicy(from: Annotations, canaryUnavailableReason: string | null): ParsedPolicy {
  const { policy, problems } = parsePolicy(toRawPolicy(from), {
    defaultSchedule: null,
    canaryUnavailableReason,
    minHealthTimeoutSeconds: 1,
    maxHealthTimeoutSeconds: daySeconds,
    fieldName: (field) => fieldNames[field],
  });
  return { policy, problems: [...optInProblems(from), ...problems] };
}

function toRawPolicy(from: Annotations): RawPolicy {
  return {
    enabled: from[annotations.autoUpdate] === "true" || isTrackedByDigest({ annotations: from }),
    paused: from[annotations.paused],
    versionConstraint: from[annotations.versionConstraint],
    schedule: from[annotations.schedule],
    tagPattern: from[annotations.tagPattern],
    healthTimeout: from[annotations.healthTimeout],
    maxRollbacks: from[annotations.maxRollbacks],
    rollback: from[annotations.rollbackTo],
    canary: from[annotations.canary],
    canaryAnalysis: from[annotations.canaryAnalysis],
  };
}

function optInProblems(from: Annotations): readonly string[] {
  const value = from[annotations.autoUpdate];
  if (value === undefined || value === "true" || value === "false") return [];
  return [`${annotations.autoUpdate} "${value}": is neither "true" nor "false"`];
}
