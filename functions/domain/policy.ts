import { parseCanarySize } from "./canary-size.ts";
import { parseConstraint } from "./constraint.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { parseTagPattern } from "./resolve.ts";
import { parseSchedule } from "./schedule.ts";
import type { CanarySize, Policy } from "./workload.ts";

/** A policy as its owner wrote it, field by field; what is absent or empty takes the default. */
export interface WrittenPolicy {
  readonly enabled: boolean;
  readonly paused?: string | undefined;
  readonly versionConstraint?: string | undefined;
  readonly schedule?: string | undefined;
  readonly tagPattern?: string | undefined;
  readonly canary?: string | undefined;
  readonly canaryAnalysis?: string | undefined;
  readonly healthTimeout?: string | undefined;
  readonly maxRollbacks?: string | undefined;
  readonly rollback?: string | undefined;
}

export interface PolicyRules {
  /** Used where no schedule is written; null is due at every poll. */
  readonly defaultSchedule: string | null;
  /** Why this kind has no canaries; null where it has. */
  readonly whyNoCanary: string | null;
  readonly minHealthTimeoutSeconds: number;
  readonly maxHealthTimeoutSeconds: number;
  /** Spells a field as its owner finds it, for messages: `pawl.dev/schedule`, `spec.autoUpdate.schedule`. */
  readonly spell: (field: keyof WrittenPolicy) => string;
}

export interface ReadPolicy {
  readonly policy: Policy;
  /** One sentence for each value that cannot be read; no update starts while there is one. */
  readonly problems: readonly string[];
}

const defaultHealthTimeoutSeconds = 600;
const defaultMaxRollbacks = 3;

/** Reads every field and reports every problem. Where a value cannot be read the default stands beside its problem. */
export function readPolicy(written: WrittenPolicy, rules: PolicyRules): ReadPolicy {
  const problems: string[] = [];
  const complain = (field: keyof WrittenPolicy, value: string, why: string) => {
    problems.push(`${rules.spell(field)} "${value}": ${why}`);
  };
  const policy: Policy = {
    enabled: written.enabled,
    paused: readPaused(written.paused, complain),
    versionConstraint: checked("versionConstraint", written.versionConstraint, parseConstraint, complain),
    schedule: checked("schedule", written.schedule, parseSchedule, complain) ?? rules.defaultSchedule,
    tagPattern: checked("tagPattern", written.tagPattern, parseTagPattern, complain),
    healthTimeoutSeconds: readHealthTimeout(written.healthTimeout, rules, complain),
    maxRollbacks: readMaxRollbacks(written.maxRollbacks, complain),
    rollsBackDigests: readRollback(written.rollback, complain),
    canary: readCanary(written.canary, rules, complain),
    analysis: written.canaryAnalysis?.trim() || null,
  };
  return { policy, problems };
}

type Complain = (field: keyof WrittenPolicy, value: string, why: string) => void;

function checked(
  field: keyof WrittenPolicy,
  value: string | undefined,
  parse: (text: string) => object,
  complain: Complain,
): string | null {
  if (value === undefined || value.trim() === "") return null;
  const parsed = parse(value);
  if ("kind" in parsed && parsed.kind === "invalid" && "reason" in parsed)
    complain(field, value, String(parsed.reason));
  return value;
}

/** Whatever is not plainly "false" holds updates back: a misspelt pause must not let one through. */
function readPaused(value: string | undefined, complain: Complain): boolean {
  if (value === undefined || value === "false") return false;
  if (value !== "true") complain("paused", value, 'is neither "true" nor "false"');
  return true;
}

function readHealthTimeout(value: string | undefined, rules: PolicyRules, complain: Complain): number {
  if (value === undefined || value === "") return defaultHealthTimeoutSeconds;
  const parsed = parseDuration(value);
  if (parsed.kind === "invalid") {
    complain("healthTimeout", value, parsed.reason);
    return defaultHealthTimeoutSeconds;
  }
  const { minHealthTimeoutSeconds: min, maxHealthTimeoutSeconds: max } = rules;
  if (parsed.seconds >= min && parsed.seconds <= max) return parsed.seconds;
  complain("healthTimeout", value, `must be from ${formatDuration(min)} to ${formatDuration(max)}`);
  return defaultHealthTimeoutSeconds;
}

/** 0 means the default, as it does for k8s4claw. */
function readMaxRollbacks(value: string | undefined, complain: Complain): number {
  if (value === undefined || value === "") return defaultMaxRollbacks;
  if (/^\d{1,6}$/.test(value)) return Number(value) || defaultMaxRollbacks;
  complain("maxRollbacks", value, "must be a whole number, 0 or more");
  return defaultMaxRollbacks;
}

function readRollback(value: string | undefined, complain: Complain): boolean {
  if (value === undefined || value === "" || value === "image") return false;
  if (value !== "digest") complain("rollback", value, 'is neither "image" nor "digest"');
  return value === "digest";
}

function readCanary(value: string | undefined, rules: PolicyRules, complain: Complain): CanarySize | null {
  if (value === undefined || value.trim() === "") return null;
  const parsed = parseCanarySize(value);
  if (rules.whyNoCanary !== null) complain("canary", value, rules.whyNoCanary);
  else if ("kind" in parsed) complain("canary", value, parsed.reason);
  return "kind" in parsed || rules.whyNoCanary !== null ? null : parsed;
}
