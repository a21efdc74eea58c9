import { tagOf } from "../image/reference.ts";
import { formatDays } from "../text/duration.ts";
import { formatRfc3339, fromEpoch, secondsAfter } from "../text/rfc3339.ts";
import { fieldProblem, type Problem } from "../workload/policy/problem.ts";
import type { Target } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";
import { type AfterRule, fullName, upstreamName } from "./after-policy.ts";
import { type Candidate, candidateName, findCandidate } from "./candidate.ts";
import type { ClosedGate } from "./closed-gate.ts";
import type { Gate } from "./gate.ts";
import type { Soak } from "./soak.ts";

/** What is known of another workload. "unknown": it does not exist, does not consent, waits for this one, or is unreadable. */
export type Upstream =
  | { readonly kind: "known"; readonly soaks: readonly Soak[] }
  | { readonly kind: "unknown"; readonly reason: string };

/** By `upstreamName`. */
export type Upstreams = ReadonlyMap<string, Upstream>;

/** Returns a problem if a workload waits for itself. */
export function afterProblems({ ref, policy: { after = [] }, rawPolicy }: Workload): readonly Problem[] {
  const own = fullName(ref);
  const field = rawPolicy["after"]?.place ?? "after";
  return after.some((rule) => upstreamName(rule, ref) === own)
    ? [fieldProblem(field, "InvalidValue", `names ${own} itself, which would wait for ever; name another workload`)]
    : [];
}

/** Returns the gate of the workloads in which a version must have been healthy first: all of them. */
export function createAfterGate(candidates: readonly Candidate[], upstreams: Upstreams): Gate {
  return {
    name: "after",
    hold: "awaiting-soak",
    isEvaluatedAgain: true,
    hasFacts: true,
    needsDigest: ({ policy: { after = [] } }) => after.length > 0,
    evaluate({ ref, policy: { after = [] } }, target, now) {
      if (target === null || candidateName(target) === null) return null;
      const digest = findCandidate(candidates, target)?.digest ?? null;
      const version = tagOf(target.image);
      const closed = after
        .map((rule) => {
          const name = upstreamName(rule, ref);
          return evaluateRule(rule, { name, upstream: upstreams.get(name), version, digest, now });
        })
        .filter((one) => one !== null);
      const [first] = closed;
      if (first === undefined) return null;
      const times = closed.map(({ until }) => until).filter((until) => until !== undefined);
      const isTimed = times.length === closed.length;
      return {
        reason: first.reason,
        message: closed.map(({ message }) => message).join("; "),
        ...(isTimed ? { until: fromEpoch(Math.max(...times.map((time) => time.getTime()))) } : {}),
        liftedBy: "pawl push",
      };
    },
  };
}

interface Judged {
  readonly name: string;
  readonly upstream: Upstream | undefined;
  readonly version: string;
  readonly digest: string | null;
  readonly now: Date;
}

function evaluateRule(
  rule: AfterRule,
  { name, upstream, version, digest, now }: Judged,
): Omit<ClosedGate, "name"> | null {
  if (upstream === undefined || upstream.kind === "unknown")
    return { reason: "SoakUnknown", message: upstream?.reason ?? `it is not known what ${name} runs` };
  const needed = `${formatDays(rule.soakSeconds)} in ${name}`;
  const ofVersion = upstream.soaks.filter((soak) => soak.version === version);
  const found = rule.sameDigest
    ? upstream.soaks.filter((soak) => digest !== null && soak.digest === digest)
    : ofVersion;
  const isComplete = (soak: Soak) => endOf(soak, rule) <= (soak.healthyUntil ?? now);
  if (found.some(isComplete)) return null;
  const current = found.find(({ healthyUntil }) => healthyUntil === null);
  if (current !== undefined) {
    const message = `${version} must be healthy for ${needed}, and is since ${formatRfc3339(current.healthySince)}`;
    return { reason: "SoakRequired", message, until: endOf(current, rule) };
  }
  const isUnpinned = rule.sameDigest && ofVersion.some((soak) => soak.digest === null);
  const why = isUnpinned
    ? "has been with a digest that is not recorded; set pawl.dev/pin: digest there, or sameDigest: false here"
    : "has not been";
  return { reason: "SoakRequired", message: `${version} must be healthy for ${needed}, and ${why}` };
}

function endOf({ healthySince }: Soak, { soakSeconds }: AfterRule): Date {
  return secondsAfter(healthySince, soakSeconds);
}

/** Reports whether another workload has had a version: then it is judged, also if it is not the newest. */
export function hasSoaked(upstreams: Upstreams, { image }: Target): boolean {
  return [...upstreams.values()].some(
    (upstream) => upstream.kind === "known" && upstream.soaks.some(({ version }) => version === tagOf(image)),
  );
}
