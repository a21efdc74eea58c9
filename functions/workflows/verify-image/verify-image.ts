import { formatImageReference, type ImageReference } from "../../domain/image/reference.ts";
import { describeAuthority, type Requirement, type SigningAuthority } from "../../domain/signature/authority.ts";
import { payloadReason } from "../../domain/signature/simple-signing.ts";
import {
  builderOfProvenance,
  parseStatement,
  signaturePredicate,
  type Statement,
} from "../../domain/signature/statement.ts";
import type { FoundSignature, Verification } from "../../domain/signature/verification.ts";
import type { Artifacts } from "../../ports/artifacts.ts";
import { RepositoryNotFound, Unreachable } from "../../ports/errors.ts";
import type { ManagedSigning } from "../../ports/managed-signing.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { Signatures } from "../../ports/signatures.ts";
import { parseJson } from "../../domain/text/parse-json.ts";
import { askEcr } from "./ask-ecr.ts";
import { type Candidate, findSignatures, type UnreadCandidate } from "./find-signatures.ts";

export interface VerifyPorts {
  readonly artifacts: Artifacts;
  readonly signatures: Signatures;
  /** Absent if nobody asks ECR. */
  readonly managedSigning?: ManagedSigning;
}

interface Options {
  readonly logins?: PullLogins;
  /** Looks at every signature, for people; otherwise stops as soon as the policy is met. */
  readonly isComplete?: boolean;
  /** In milliseconds. */
  readonly clock?: () => number;
}

/** The state ends after 60 s: a slow registry must not hold it up, which would be an error of Lambda. */
const maxMilliseconds = 40_000;

/**
 * Resolves a reference to the digest of its manifest or index, and verifies who has signed that. Throws the errors of `Registry`, which say nothing
 * about the image: `RepositoryNotFound` if there is no such image.
 */
export async function verifyImage(
  ports: VerifyPorts,
  image: ImageReference,
  requirements: readonly Requirement[],
  { logins = [], isComplete = false, clock = () => performance.now() }: Options = {},
): Promise<Verification> {
  const startedAt = clock();
  const manifest = await ports.artifacts.fetchManifest(image, logins);
  if (manifest === null)
    throw new RepositoryNotFound(`${formatImageReference(image)}: the registry has no such image.`);
  const { digest } = manifest;
  const checked: string[] = [];
  const signatures: FoundSignature[] = [];
  const unmet = new Set(requirements);
  let by: string | null = null;
  for await (const { found, requirement } of askEcr(ports.managedSigning, image, digest, requirements)) {
    checked.push(`ECR: ${found.reason ?? "signed"}`);
    signatures.push(found);
    if (found.reason !== null) continue;
    unmet.delete(requirement);
    by = found.authority;
  }
  if (unmet.size === 0 && requirements.length > 0 && !isComplete)
    return { kind: "verified", digest, reason: reasonOf(undefined, by, signatures, checked), checked, signatures };
  for await (const candidate of findSignatures(ports, image, digest, checked, logins)) {
    const { found, meets } = judge(ports.signatures, candidate, digest, requirements);
    signatures.push(found);
    for (const met of meets) unmet.delete(met);
    if (meets.some(isSignature)) by ??= found.authority;
    if (unmet.size === 0 && !isComplete) break;
    if (clock() - startedAt > maxMilliseconds)
      throw new Unreachable(`${formatImageReference(image)}: its signatures were not read within 40 s; try again`);
  }
  const [missing] = unmet;
  const kind = missing === undefined ? "verified" : "unverified";
  return { kind, digest, reason: reasonOf(missing, by, signatures, checked), checked, signatures };
}

function reasonOf(
  missing: Requirement | undefined,
  by: string | null,
  found: readonly FoundSignature[],
  checked: readonly string[],
): string {
  if (missing === undefined) return by === null ? "attested as required" : `signed by ${by}`;
  const what = isSignature(missing) ? "signature" : `attestation ${missing.predicateType}`;
  const reasons = [...new Set(found.flatMap(({ reason }) => reason ?? []))].slice(0, 3);
  return `no valid ${what} (${reasons.length === 0 ? checked.join(", ") : reasons.join("; ")})`;
}

function isSignature({ predicateType }: Requirement): boolean {
  return predicateType === signaturePredicate;
}

interface Judged {
  readonly found: FoundSignature;
  readonly meets: readonly Requirement[];
}

function judge(
  signatures: Signatures,
  candidate: Candidate | UnreadCandidate,
  digest: string,
  requirements: readonly Requirement[],
): Judged {
  const { place } = candidate;
  if ("problem" in candidate) return refusal(place, "bundle", candidate.problem);
  const { format } = candidate;
  const reasons: string[] = [];
  const meets: Requirement[] = [];
  let [by, predicateType]: (string | null)[] = [null, null];
  for (const [requirement, authority] of pairsOf(requirements)) {
    const statement = verifyStatement(signatures, candidate, digest, authority);
    const reason = typeof statement === "string" ? statement : statementReason(statement, requirement);
    if (typeof statement !== "string") predicateType = statement.predicateType;
    if (reason === null) {
      meets.push(requirement);
      by ??= describeAuthority(authority);
    } else reasons.push(reason);
  }
  const stated = predicateType === signaturePredicate ? null : (predicateType ?? null);
  if (by !== null && by !== undefined)
    return { found: { place, format, predicateType: stated, authority: by, reason: null }, meets };
  return refusal(place, format, reasons[0] ?? "no authority is trusted", stated);
}

function refusal(
  place: FoundSignature["place"],
  format: FoundSignature["format"],
  reason: string,
  predicateType: string | null = null,
): Judged {
  return { found: { place, format, predicateType, authority: null, reason }, meets: [] };
}

function pairsOf(requirements: readonly Requirement[]): readonly (readonly [Requirement, SigningAuthority])[] {
  return requirements.flatMap((requirement) =>
    requirement.any.flatMap((authority) => (authority.kind === "ecr" ? [] : [[requirement, authority] as const])),
  );
}

/** Returns what an authority states about a digest, or why it states nothing. Simple signing states only that it has signed it. */
function verifyStatement(
  signatures: Signatures,
  { format, bytes, annotations }: Candidate,
  digest: string,
  authority: SigningAuthority,
): Statement | string {
  if (format === "simple signing") {
    const reason =
      signatures.simpleSigningReason(bytes, annotations, authority) ?? payloadReason(parseJson(textOf(bytes)), digest);
    return reason ?? { predicateType: signaturePredicate, predicate: null };
  }
  const envelope = signatures.verifyEnvelope(parseJson(textOf(bytes)), authority);
  if (envelope.kind === "invalid") return envelope.reason;
  return parseStatement(envelope.payloadType, parseJson(textOf(envelope.payload)), digest);
}

/** Any attestation by a trusted identity would be a signature if its predicate were not compared. */
function statementReason({ predicateType, predicate }: Statement, requirement: Requirement): string | null {
  if (predicateType !== requirement.predicateType)
    return `it states ${predicateType}, not ${requirement.predicateType}`;
  if (requirement.builder === null) return null;
  const builder = builderOfProvenance(predicate);
  return builder === requirement.builder ? null : `the builder is ${builder ?? "missing"}, not ${requirement.builder}`;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
