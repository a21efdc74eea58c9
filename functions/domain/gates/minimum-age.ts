import { formatDays } from "../text/duration.ts";
import { parseRfc3339, secondsAfter } from "../text/rfc3339.ts";
import { decisionsAbout } from "./approval-gate.ts";
import { type Candidate, candidateName, findCandidate } from "./candidate.ts";
import type { Gate, GateSubject } from "./gate.ts";

/** A tag that has moved this often while it waited is never old enough, if that continues. */
const manyMoves = 2;

/**
 * Returns the gate of the minimum age, by what is known of the candidates. It is closed if nothing is. `unverified` says why nothing proves
 * who approved that the age does not count; null if the API server does.
 */
export function createMinimumAgeGate(candidates: readonly Candidate[], unverified: string | null): Gate<GateSubject> {
  return {
    name: "minimumAge",
    hold: "too-young",
    isEvaluatedAgain: true,
    hasFacts: true,
    needsDigest: ({ policy: { minimumReleaseAgeSeconds = 0 } }) => minimumReleaseAgeSeconds > 0,
    evaluate(workload, target, now) {
      const { minimumReleaseAgeSeconds: age = 0 } = workload.policy;
      const version = target === null ? null : candidateName(target);
      if (age === 0 || target === null || version === null) return null;
      const { since: text, moves = 0, digest = "" } = findCandidate(candidates, target) ?? {};
      const since = parseRfc3339(text ?? "");
      const liftedBy = `pawl approve --skip-age${workload.ref.namespace === "" ? "" : ", or pawl push"}`;
      if (since === null)
        return { reason: "AgeUnknown", message: `it is not known since when ${version} exists`, liftedBy };
      const until = secondsAfter(since, age);
      const decisions = unverified === null ? decisionsAbout(workload, target, digest, now) : [];
      if (until <= now || decisions.some(({ verdict, skipsAge }) => verdict === "approve" && skipsAge)) return null;
      const required = formatDays(age);
      const moved = `; its tag has moved ${moves} times while it waited, and is never ${required} old if that continues`;
      const message = `${version} exists since ${text} and must be ${required} old${moves < manyMoves ? "" : moved}`;
      return { reason: "TooYoung", message, until, liftedBy };
    },
  };
}
