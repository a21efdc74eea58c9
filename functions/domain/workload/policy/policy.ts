import { type Bake, parseBakeTime } from "../bake/bake.ts";
import { sizesOf } from "../canary/progress.ts";
import { parseCanarySteps } from "../canary/steps.ts";
import type { CanarySize } from "../canary/canary-size.ts";
import { parseCanarySize } from "../canary/size.ts";
import { parseConstraint } from "../../version/constraint.ts";
import { parseCommaList } from "../../text/comma-list.ts";
import { parseTagPattern } from "../../version/select-tag.ts";
import { parseSchedule } from "../../schedule/schedule.ts";
import { readHooks } from "../hook/parse-hooks.ts";
import {
  type HealthTimeoutRange,
  parseField,
  parseHealthTimeout,
  parseKeepReleases,
  parseMaxRollbacks,
  parsePaused,
  parsePodPause,
  parseRollback,
} from "./policy-fields.ts";
import type { Policy } from "../workload.ts";
import type { OptIn } from "./opt-in.ts";
import { fieldProblem, type Problem } from "./problem.ts";

/** A policy as its owner wrote it, field by field; an absent or empty field takes the default. */
export interface RawPolicy {
  readonly optIn: OptIn;
  readonly paused?: string | undefined;
  readonly versionConstraint?: string | undefined;
  readonly schedule?: string | undefined;
  readonly tagPattern?: string | undefined;
  readonly canary?: string | undefined;
  /** As read from YAML or JSON. */
  readonly canarySteps?: unknown;
  readonly canaryAnalysis?: string | undefined;
  readonly bakeTime?: string | undefined;
  readonly notify?: string | undefined;
  /** As read from YAML or JSON. */
  readonly hooks?: unknown;
  readonly healthTimeout?: string | undefined;
  readonly podPause?: string | undefined;
  readonly maxRollbacks?: string | undefined;
  readonly keepReleases?: string | undefined;
  readonly rollback?: string | undefined;
}

interface PolicyRules extends HealthTimeoutRange {
  /** The schedule if none is set; null is due at every poll. */
  readonly defaultSchedule: string | null;
  /** Why this kind supports no canary; null if it does. */
  readonly canaryUnavailableReason: string | null;
  /** Names a field as its owner writes it, for messages: `pawl.dev/schedule`, `spec.autoUpdate.schedule`. */
  readonly fieldName: (field: keyof RawPolicy) => string;
}

export interface ParsedPolicy {
  readonly policy: Policy;
  /** One for each invalid value; no update starts while there is one. */
  readonly problems: readonly Problem[];
}

/** In characters. The same as in the CRD of an AutoUpdate. */
export const maxLengths: Readonly<Record<Exclude<keyof RawPolicy, "optIn" | "canarySteps" | "hooks">, number>> = {
  paused: 16,
  versionConstraint: 1024,
  schedule: 256,
  tagPattern: 1024,
  canary: 16,
  canaryAnalysis: 65_536,
  bakeTime: 64,
  notify: 1024,
  healthTimeout: 64,
  podPause: 64,
  maxRollbacks: 16,
  keepReleases: 16,
  rollback: 16,
};

/** Returns the problem of a value that is too long; null if it is not. Does not repeat the value. */
export function lengthProblem(field: string, value: string | undefined, max: number): Problem | null {
  if (value === undefined || value.length <= max) return null;
  return fieldProblem(field, "TooLong", `has ${value.length} characters; use at most ${max}`);
}

/**
 * Parses every field and reports every problem. An invalid value takes the default beside its problem. One that is too long is not
 * parsed: some take much more time than their length. An analysis stays, so that a canary in flight is not promoted without it.
 */
export function parsePolicy(given: RawPolicy, rules: PolicyRules): ParsedPolicy {
  const tooLong = findTooLong(given, rules);
  const problems = Object.values(tooLong);
  const isLong = (field: string) => field in tooLong && field !== "canaryAnalysis";
  const written = Object.fromEntries(Object.entries(given).filter(([field]) => !isLong(field))) as RawPolicy;
  const reportProblem = (field: keyof RawPolicy, value: string, reason: string) => {
    problems.push(fieldProblem(rules.fieldName(field), "InvalidValue", reason, value));
  };
  const policy: Omit<Policy, "bake"> = {
    optIn: written.optIn,
    paused: tooLong.paused !== undefined || parsePaused(written.paused, reportProblem),
    versionConstraint: parseField("versionConstraint", written.versionConstraint, parseConstraint, reportProblem),
    schedule: parseField("schedule", written.schedule, parseSchedule, reportProblem) ?? rules.defaultSchedule,
    tagPattern: parseField("tagPattern", written.tagPattern, parseTagPattern, reportProblem),
    healthTimeoutSeconds: parseHealthTimeout(written.healthTimeout, rules, reportProblem),
    podPauseSeconds: parsePodPause(written.podPause, reportProblem),
    maxRollbacks: parseMaxRollbacks(written.maxRollbacks, reportProblem),
    ...parseKeepReleases(written.keepReleases, reportProblem),
    rollsBackDigests: parseRollback(written.rollback, reportProblem),
    ...parseCanary(written, rules, { reportProblem, problems }),
    analysis: written.canaryAnalysis?.trim() || null,
    notify: parseCommaList(written.notify),
    hooks: readHooks(written.hooks, rules.fieldName("hooks"), problems),
  };
  const bake = tooLong.bakeTime === undefined ? parseBake(written.bakeTime, policy, reportProblem) : { seconds: null };
  return { policy: { ...policy, bake }, problems };
}

function findTooLong(given: RawPolicy, { fieldName }: PolicyRules): Partial<Record<keyof RawPolicy, Problem>> {
  const fields = Object.keys(maxLengths) as (keyof typeof maxLengths)[];
  const found = fields.map(
    (field) => [field, lengthProblem(fieldName(field), given[field], maxLengths[field])] as const,
  );
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

type ReportProblem = (field: keyof RawPolicy, value: string, reason: string) => void;

/** Both forms: the size of one step, or all steps. */
function parseCanary(
  { canary, canarySteps }: Pick<RawPolicy, "canary" | "canarySteps">,
  { canaryUnavailableReason: unavailable, fieldName }: PolicyRules,
  { reportProblem, problems }: { readonly reportProblem: ReportProblem; readonly problems: Problem[] },
): Pick<Policy, "canary" | "canarySteps"> {
  const none = { canary: null, canarySteps: [] };
  const report = (reason: string) => {
    problems.push(fieldProblem(fieldName("canarySteps"), "InvalidValue", reason));
    return none;
  };
  if (canary !== undefined && canary.trim() !== "") {
    const parsed = parseCanarySize(canary);
    const problem = unavailable ?? ("kind" in parsed ? parsed.reason : null);
    if (problem !== null) reportProblem("canary", canary, problem);
    if (canarySteps !== undefined) return report(`excludes ${fieldName("canary")}; use one of them`);
    return problem !== null || "kind" in parsed ? none : { canary: parsed, canarySteps: [] };
  }
  if (canarySteps === undefined) return none;
  if (unavailable !== null) return report(unavailable);
  const parsed = parseCanarySteps(canarySteps);
  if (parsed.kind === "invalid") return report(parsed.problems.map(({ reason }) => reason).join("; "));
  const [first] = sizesOf(parsed.value);
  return { canary: first as CanarySize, canarySteps: parsed.value };
}

/** Without a bake time, an analysis that judges no canary judges the update itself. An invalid one does not skip it. */
function parseBake(
  value: string | undefined,
  { canary, analysis }: Pick<Policy, "canary" | "analysis">,
  reportProblem: ReportProblem,
): Bake | null {
  if (value === undefined || value.trim() === "")
    return analysis !== null && canary === null ? { seconds: null } : null;
  const parsed = parseBakeTime(value.trim());
  if (!("kind" in parsed)) return parsed;
  reportProblem("bakeTime", value, parsed.reason);
  return { seconds: null };
}
