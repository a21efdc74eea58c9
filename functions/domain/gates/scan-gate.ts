import { parseRfc3339, secondsAfter } from "../text/rfc3339.ts";
import { type Candidate, candidateName, findCandidate } from "./candidate.ts";
import type { Gate } from "./gate.ts";

/** Returns the gate of scans, by what a poll has found about the candidates. What was not asked about is closed. */
export function createScanGate(candidates: readonly Candidate[]): Gate {
  return {
    name: "scan",
    hold: "awaiting-scan",
    isEvaluatedAgain: true,
    hasFacts: true,
    needsDigest: ({ policy: { scan } }) => scan !== undefined,
    evaluate({ policy: { scan: policy } }, target, now) {
      const version = target === null ? null : candidateName(target);
      if (policy === undefined || target === null || version === null) return null;
      const liftedBy = "pawl push";
      const found = findCandidate(candidates, target);
      if (found?.scan === undefined)
        return { reason: "ScanUnknown", message: `it is not known what a scan of ${version} has found`, liftedBy };
      const { verdict, message } = found.scan;
      if (verdict === "passed") return null;
      if (verdict === "findings")
        return { reason: "FindingsFound", message: `the scan of ${version} has found ${message}`, liftedBy };
      const begun = parseRfc3339(found.since);
      const until = begun === null ? now : secondsAfter(begun, policy.timeoutSeconds);
      if (verdict === "pending" && until > now)
        return { reason: "ScanPending", message: `the scan of ${version}: ${message}`, until, liftedBy };
      if (policy.onUnknown === "allow") return null;
      return { reason: "ScanUnknown", message: `the scan of ${version} says nothing: ${message}`, liftedBy };
    },
  };
}
