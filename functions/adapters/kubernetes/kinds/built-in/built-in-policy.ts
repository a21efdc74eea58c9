import { parse } from "yaml";
import { annotations, imageUpdaterAnnotations } from "../../../../domain/workload/policy/annotations.ts";
import {
  lengthProblem,
  parsePolicy,
  type ParsedPolicy,
  type RawPolicy,
} from "../../../../domain/workload/policy/policy.ts";
import { type OptIn, optInProblems, readOptIn } from "../../../../domain/workload/policy/opt-in.ts";
import type { Annotations } from "../../annotation-codec.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

const daySeconds = 86_400;

const fieldNames: Readonly<Record<keyof RawPolicy, string>> = {
  optIn: annotations.autoUpdate,
  paused: annotations.paused,
  versionConstraint: annotations.versionConstraint,
  schedule: annotations.schedule,
  tagPattern: annotations.tagPattern,
  healthTimeout: annotations.healthTimeout,
  podPause: annotations.podPause,
  maxRollbacks: annotations.maxRollbacks,
  keepReleases: annotations.keepReleases,
  rollback: annotations.rollbackTo,
  canary: annotations.canary,
  canarySteps: annotations.canarySteps,
  canaryAnalysis: annotations.canaryAnalysis,
  bakeTime: annotations.bakeTime,
  notify: annotations.notify,
  hooks: annotations.hooks,
};

const maxCanarySteps = 65_536;
const maxHooks = 4096;

/** Of lists: the names of 100 containers, and the digests of as many. In characters. */
const maxLengths: Readonly<Record<string, number>> = {
  [annotations.containers]: 8192,
  [annotations.canarySteps]: maxCanarySteps,
  [annotations.configDependencies]: 32_768,
  [annotations.hooks]: maxHooks,
  [imageUpdaterAnnotations.trackContainers]: 8192,
  [imageUpdaterAnnotations.ignoreContainers]: 8192,
  [imageUpdaterAnnotations.lastDigest]: 32_768,
};

/** Returns the problem of each annotation besides those of the policy that is too long. */
function lengthProblems(from: Annotations): readonly Problem[] {
  return Object.entries(maxLengths)
    .map(([name, max]) => lengthProblem(name, from[name], max))
    .filter((problem) => problem !== null);
}

const hooksDisabled = fieldProblem(
  annotations.hooks,
  "NotEnabled",
  "hooks are not enabled in this deployment; set hooks: true in its configuration",
);

/**
 * Reads the policy of a built-in kind from its annotations. `canaryUnavailableReason` is null for a kind that has canaries. `isRecorded`
 * says whether it has an AutoUpdate.
 */
export function readBuiltInPolicy(
  from: Annotations,
  canaryUnavailableReason: string | null,
  hooksEnabled: boolean,
  isRecorded: boolean,
): ParsedPolicy {
  const optIn = readOptIn(from, isRecorded);
  const { policy, problems } = parsePolicy(toRawPolicy(from, optIn), {
    defaultSchedule: null,
    canaryUnavailableReason,
    minHealthTimeoutSeconds: 1,
    maxHealthTimeoutSeconds: daySeconds,
    fieldName: (field) => fieldNames[field],
  });
  const unavailable = from[annotations.hooks] === undefined || hooksEnabled ? [] : [hooksDisabled];
  return {
    // A healthy update is recorded without the hook after it. One that waits for the hook before it does not continue without.
    policy: hooksEnabled ? policy : { ...policy, hooks: { ...policy.hooks, post: null } },
    problems: [...lengthProblems(from), ...optInProblems(from, optIn), ...problems, ...unavailable],
  };
}

function toRawPolicy(from: Annotations, optIn: OptIn): RawPolicy {
  return {
    optIn,
    paused: from[annotations.paused],
    versionConstraint: from[annotations.versionConstraint],
    schedule: from[annotations.schedule],
    tagPattern: from[annotations.tagPattern],
    healthTimeout: from[annotations.healthTimeout],
    podPause: from[annotations.podPause],
    maxRollbacks: from[annotations.maxRollbacks],
    keepReleases: from[annotations.keepReleases],
    rollback: from[annotations.rollbackTo],
    canary: from[annotations.canary],
    canarySteps: parseText(from[annotations.canarySteps], maxCanarySteps),
    canaryAnalysis: from[annotations.canaryAnalysis],
    bakeTime: from[annotations.bakeTime],
    notify: from[annotations.notify],
    hooks: parseText(from[annotations.hooks], maxHooks),
  };
}

/** Returns the value of YAML or JSON; the text itself if it is neither, or too long to be parsed. */
function parseText(text: string | undefined, maxLength: number): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  try {
    return text.length > maxLength ? text : parse(text);
  } catch {
    return text;
  }
}
