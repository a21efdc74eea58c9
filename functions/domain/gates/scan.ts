import { summarizeList } from "../text/summarize-list.ts";

/** As ECR names them, the least severe first. */
export const severities = ["UNDEFINED", "INFORMATIONAL", "LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;

export type Severity = (typeof severities)[number];

/** What a policy says about the findings of scanners. */
export interface ScanPolicy {
  /** Findings of this severity, and more severe ones, close the gate. */
  readonly maxSeverity: Severity;
  /** Whether only those count that the running image does not have. */
  readonly newOnly: boolean;
  /** How long a scan is waited for, from when its version exists. */
  readonly timeoutSeconds: number;
  /** What follows if no scan says anything in that time, or ever. */
  readonly onUnknown: "hold" | "allow";
}

export interface ScanFinding {
  /** The vulnerability and the package: `CVE-2026-1234 openssl`. */
  readonly name: string;
  readonly severity: string;
}

/** What a registry says of a digest. */
export type ScanResult =
  | { readonly kind: "complete"; readonly findings: readonly ScanFinding[] }
  /** The scan has not begun, or is in progress. */
  | { readonly kind: "pending"; readonly reason: string }
  /** There is none, and none is to be expected. */
  | { readonly kind: "unknown"; readonly reason: string };

/** What the scan of a version means for a workload. Plain JSON. */
export interface ScanVerdict {
  readonly verdict: "passed" | "findings" | "pending" | "unknown";
  /** Why it has not passed. */
  readonly message: string;
}

/** A severity that this version does not know counts as the highest. Amazon Inspector calls what it has not rated UNTRIAGED. */
function rankOf(severity: string): number {
  const known: readonly string[] = severities;
  const rank = known.indexOf(severity === "UNTRIAGED" ? "UNDEFINED" : severity);
  return rank === -1 ? severities.length - 1 : rank;
}

/** Joins the results of all images that a version consists of: it has the findings of all, and is unknown or pending if one is. */
export function joinScans(results: readonly ScanResult[]): ScanResult {
  const unknown = results.find(({ kind }) => kind === "unknown");
  if (unknown !== undefined) return unknown;
  const findings: ScanFinding[] = [];
  for (const one of results) {
    if (one.kind !== "complete") return one;
    findings.push(...one.findings);
  }
  return { kind: "complete", findings };
}

/** Returns the findings that may close the gate, whatever the running image has, the most severe first. */
export function relevantFindings(
  { maxSeverity }: ScanPolicy,
  findings: readonly ScanFinding[],
): readonly ScanFinding[] {
  const relevant = findings.filter(({ severity }) => rankOf(severity) >= rankOf(maxSeverity));
  return relevant.toSorted(
    (one, other) => rankOf(other.severity) - rankOf(one.severity) || (one.name < other.name ? -1 : 1),
  );
}

/**
 * Judges the scan of a version. `running` is that of the running image; null if it does not count. Of an image without a result, everything is
 * new.
 */
export function judgeScan(policy: ScanPolicy, chosen: ScanResult, running: ScanResult | null): ScanVerdict {
  if (chosen.kind !== "complete") return { verdict: chosen.kind, message: chosen.reason };
  const had = running?.kind === "complete" ? new Set(running.findings.map(({ name }) => name)) : new Set<string>();
  const left = relevantFindings(policy, chosen.findings).filter(({ name }) => !had.has(name));
  if (left.length === 0) return { verdict: "passed", message: "" };
  const named = [...new Set(left.map(({ name, severity }) => `${name} (${severity})`))];
  const unknown = running !== null && running.kind !== "complete" ? `; of the running image, ${running.reason}` : "";
  return { verdict: "findings", message: `${summarizeList(named).join(", ")}${unknown}` };
}
