import { formatDays } from "../text/duration.ts";
import { fromEpoch, parseRfc3339 } from "../text/rfc3339.ts";
import { type Candidate, candidateName, findCandidate, hasCandidateGates } from "./candidate.ts";
import type { Gate } from "./gate.ts";

/** A tag that has moved this often while it waited is never old enough, if that continues. */
const manyMoves = 2;

/** Returns the gate of the minimum age, by what is known of the candidates. It is closed if nothing is. */
export function createMinimumAgeGate(candidates: readonly Candidate[]): Gate {
  return {
    name: "minimumAge",
    hold: "too-young",
    isEvaluatedAgain: true,
    hasFacts: true,
    needsDigest: ({ policy }) => hasCandidateGates(policy),
    evaluate({ policy: { minimumReleaseAgeSeconds: age = 0 } }, target, now) {
      const version = target === null ? null : candidateName(target);
      if (age === 0 || target === null || version === null) return null;
      const { since: text, moves = 0 } = findCandidate(candidates, target) ?? {};
      const since = parseRfc3339(text ?? "");
      const liftedBy = "pawl push";
      if (since === null)
        return { reason: "AgeUnknown", message: `it is not known since when ${version} exists`, liftedBy };
      const until = fromEpoch(since.getTime() + age * 1000);
      if (until <= now) return null;
      const required = formatDays(age);
      const moved = `; its tag has moved ${moves} times while it waited, and is never ${required} old if that continues`;
      const message = `${version} exists since ${text} and must be ${required} old${moves < manyMoves ? "" : moved}`;
      return { reason: "TooYoung", message, until, liftedBy };
    },
  };
}
