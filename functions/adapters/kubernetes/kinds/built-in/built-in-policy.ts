import { type GitScope, resolveWriteTo } from "../../../../domain/workload/git/write-to.ts";
import { imageUpdaterAnnotations } from "../../../../domain/workload/policy/annotations.ts";
import { lengthProblem, parsePolicy, type ParsedPolicy } from "../../../../domain/workload/policy/policy.ts";
import { optInProblems, readOptIn } from "../../../../domain/workload/policy/opt-in.ts";
import { fieldProblem } from "../../../../domain/workload/policy/problem.ts";
import type { RawPolicy } from "../../../../domain/workload/policy/raw-policy.ts";
import type { Annotations } from "../../annotation-codec.ts";

const daySeconds = 86_400;

/** The digests of 100 containers. In characters. */
const maxLastDigest = 32_768;

const disabledHooks = "hooks are not enabled in this deployment; set hooks: true in its configuration";

/**
 * Parses the policy of a built-in kind. `canaryUnavailableReason` is null for a kind that has canaries. `isRecorded` says whether it has
 * an AutoUpdate.
 */
export function readBuiltInPolicy(
  raw: RawPolicy,
  from: Annotations,
  canaryUnavailableReason: string | null,
  hooksEnabled: boolean,
  isRecorded: boolean,
  namespace = "",
  git: readonly GitScope[] | null = [],
): ParsedPolicy {
  const optIn = readOptIn(raw, from, isRecorded);
  const { policy, problems } = parsePolicy(raw, optIn, {
    defaultSchedule: null,
    defaultToleranceSeconds: 3600,
    canaryUnavailableReason,
    minHealthTimeoutSeconds: 1,
    maxHealthTimeoutSeconds: daySeconds,
  });
  const { lastDigest } = imageUpdaterAnnotations;
  const tooLong = lengthProblem(lastDigest, from[lastDigest] ?? "", maxLastDigest);
  const { hooks } = raw;
  const unavailable =
    hooks === undefined || hooksEnabled ? [] : [fieldProblem(hooks.place, "NotEnabled", disabledHooks)];
  const written = resolveWriteTo(policy, raw, namespace, git);
  const resolved = { ...policy, ...written.policy };
  return {
    // A healthy update is recorded without the hook after it. One that waits for the hook before it does not continue without.
    policy: hooksEnabled ? resolved : { ...resolved, hooks: { ...policy.hooks, post: null } },
    problems: [
      ...(tooLong === null ? [] : [tooLong]),
      ...optInProblems(raw, optIn),
      ...problems,
      ...unavailable,
      ...written.problems,
    ],
  };
}
