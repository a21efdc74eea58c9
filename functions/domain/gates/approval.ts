import { Sha256 } from "@aws-crypto/sha256-js";
import { parseRfc3339 } from "../text/rfc3339.ts";

/** Followed by a hash of the name of the user who decides: two people do not erase each other. */
export const approvalPrefix = "approval.pawl.dev/";

/** What one person has decided about a version. */
export interface Approval {
  readonly user: string;
  /** Of the user, as the API server has compared them. */
  readonly groups: readonly string[];
  readonly verdict: "approve" | "reject";
  /** The tag, and what it resolved to. */
  readonly version: string;
  readonly digest: string;
  /** Its minimum age does not count. */
  readonly skipsAge: boolean;
  /** RFC3339, as the person wrote it. */
  readonly at: string;
  readonly message: string;
}

/** Who may approve, and how many must. */
export interface ApprovalPolicy {
  readonly required: number;
  /** `user:NAME` or `group:NAME`. */
  readonly by: readonly string[];
  /** An approval counts for this long; absent: for ever. */
  readonly timeoutSeconds?: number;
}

const hashLength = 40;
const maxLength = 2048;
/** How far the clock of a person may be ahead. */
const toleranceMs = 300_000;

/** Returns the annotation in which a user decides. */
export function approvalKey(user: string): string {
  return approvalPrefix + userHash(user);
}

/** Returns a hash of a name that an annotation may have. */
export function userHash(user: string): string {
  // The page has no `node:crypto`.
  const hash = new Sha256();
  hash.update(user);
  const hex = [...hash.digestSync()].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.slice(0, hashLength);
}

/** Formats an approval as lines, so that an admission policy can compare the user and the groups with those of the request. */
export function formatApproval({ user, groups, verdict, ...others }: Approval, recordUID: string): string {
  const { version, digest, skipsAge, at, message } = others;
  return [
    `user ${user}`,
    `record ${recordUID}`,
    ...groups.map((group) => `group ${group}`),
    `${verdict} ${version}@${digest}`,
    ...(skipsAge ? ["skip-age"] : []),
    `at ${at}`,
    ...(message === "" ? [] : [`message ${message.replaceAll(/\s+/g, " ")}`]),
  ].join("\n");
}

/** Reads the approvals of an object, of which the API server bounds the annotations. */
export function readApprovals(
  annotations: Readonly<Record<string, string>>,
  recordUID: string | undefined,
): readonly Approval[] {
  return readByUsers(annotations, approvalPrefix, recordUID, parseApproval);
}

/**
 * Reads what people have written in annotations of their own, as lines, of which the first is `user NAME`. Ignores what cannot be parsed, or was
 * written by another user or for another object.
 */
export function readByUsers<Written extends { readonly user: string }>(
  annotations: Readonly<Record<string, string>>,
  prefix: string,
  recordUID: string | undefined,
  parse: (user: string, lines: readonly string[]) => Written | null,
): readonly Written[] {
  return Object.entries(annotations)
    .filter(([key, text]) => key.startsWith(prefix) && text.length <= maxLength)
    .flatMap(([key, text]) => {
      const [first = "", ...lines] = text.split("\n");
      const [, user] = /^user (.+)$/.exec(first) ?? [];
      const isOfKey = user !== undefined && prefix + userHash(user) === key && lines.includes(`record ${recordUID}`);
      return (isOfKey ? parse(user, lines) : null) ?? [];
    });
}

function parseApproval(user: string, lines: readonly string[]): Approval | null {
  const decided = lines.map((line) => /^(approve|reject) ([^@ ]+)@([^@ ]+)$/.exec(line)).find(Boolean);
  const [at = ""] = valuesOf(lines, "at");
  if (!decided || parseRfc3339(at) === null) return null;
  const [, verdict, version, digest] = decided as unknown as readonly [string, Approval["verdict"], string, string];
  const [message = ""] = valuesOf(lines, "message");
  return {
    user,
    groups: valuesOf(lines, "group"),
    verdict,
    version,
    digest,
    skipsAge: lines.includes("skip-age"),
    at,
    message,
  };
}

/** Returns the values of the lines with this name. */
export function valuesOf(lines: readonly string[], field: string): readonly string[] {
  return lines.filter((line) => line.startsWith(`${field} `)).map((line) => line.slice(field.length + 1));
}

/** Returns all that must be met: what the owner requires, and what the deployment enforces. */
export function approvalPolicies({ approval, enforcedApprovals = [] }: ApprovalFields): readonly ApprovalPolicy[] {
  return approval === undefined ? enforcedApprovals : [approval, ...enforcedApprovals];
}

interface ApprovalFields {
  readonly approval?: ApprovalPolicy;
  readonly enforcedApprovals?: readonly ApprovalPolicy[];
}

/** Reports whether an approval counts: its user may decide, it was given before now and has not lapsed. A rejection does not lapse. Without a policy everybody may. */
export function isCounted(
  { user, groups, at, verdict }: Approval,
  policy: Partial<ApprovalPolicy>,
  now: Date,
): boolean {
  const { by = null } = policy;
  const timeoutSeconds = verdict === "reject" ? Infinity : (policy.timeoutSeconds ?? Infinity);
  const ageMs = now.getTime() - (parseRfc3339(at) as Date).getTime();
  const isNow = ageMs >= -toleranceMs && ageMs <= timeoutSeconds * 1000;
  return isNow && (by === null || by.includes(`user:${user}`) || groups.some((group) => by.includes(`group:${group}`)));
}
