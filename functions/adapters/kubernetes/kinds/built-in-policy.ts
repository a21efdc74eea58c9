import { annotations } from "../../../domain/annotations.ts";
import { readPolicy, type ReadPolicy, type WrittenPolicy } from "../../../domain/policy.ts";
import type { Annotations } from "../annotated.ts";
import { isFollowedByDigest } from "./digest-tracking.ts";

const daySeconds = 86_400;

const spelled: Readonly<Record<keyof WrittenPolicy, string>> = {
  enabled: annotations.autoUpdate,
  paused: annotations.paused,
  versionConstraint: annotations.versionConstraint,
  schedule: annotations.schedule,
  tagPattern: annotations.tagPattern,
  healthTimeout: annotations.healthTimeout,
  maxRollbacks: annotations.maxRollbacks,
  rollback: annotations.rollback,
  canary: annotations.canary,
  canaryAnalysis: annotations.canaryAnalysis,
};

/** The policy of a built-in kind, which is its annotations. `whyNoCanary` is null for a kind that has canaries. */
export function readBuiltInPolicy(from: Annotations, whyNoCanary: string | null): ReadPolicy {
  const { policy, problems } = readPolicy(writtenIn(from), {
    defaultSchedule: null,
    whyNoCanary,
    minHealthTimeoutSeconds: 1,
    maxHealthTimeoutSeconds: daySeconds,
    spell: (field) => spelled[field],
  });
  return { policy, problems: [...optInProblems(from), ...problems] };
}

function writtenIn(from: Annotations): WrittenPolicy {
  return {
    enabled: from[annotations.autoUpdate] === "true" || isFollowedByDigest({ annotations: from }),
    paused: from[annotations.paused],
    versionConstraint: from[annotations.versionConstraint],
    schedule: from[annotations.schedule],
    tagPattern: from[annotations.tagPattern],
    healthTimeout: from[annotations.healthTimeout],
    maxRollbacks: from[annotations.maxRollbacks],
    rollback: from[annotations.rollback],
    canary: from[annotations.canary],
    canaryAnalysis: from[annotations.canaryAnalysis],
  };
}

function optInProblems(from: Annotations): readonly string[] {
  const value = from[annotations.autoUpdate];
  if (value === undefined || value === "true" || value === "false") return [];
  return [`${annotations.autoUpdate} "${value}": is neither "true" nor "false"`];
}
