import { formatImageReference, type ImageReference } from "../../domain/image/reference.ts";
import {
  type Authority,
  describeAuthority,
  type RequiredAttestation,
  type TrustPolicy,
} from "../../domain/signature/authority.ts";
import { payloadReason } from "../../domain/signature/simple-signing.ts";
import {
  builderOfProvenance,
  parseStatement,
  signaturePredicate,
  type Statement,
} from "../../domain/signature/statement.ts";
import type { FoundSignature, Verification } from "../../domain/signature/verification.ts";
import type { Artifacts } from "../../ports/artifacts.ts";
import { RepositoryNotFound } from "../../ports/errors.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { Signatures } from "../../ports/signatures.ts";
import { type Candidate, findSignatures, type UnreadCandidate } from "./find-signatures.ts";

interface Ports {
  readonly artifacts: Artifacts;
  readonly signatures: Signatures;
}

interface Options {
  readonly logins?: PullLogins;
  /** Looks at every signature, for people; otherwise stops as soon as the policy is met. */
  readonly isComplete?: boolean;
}

/**
 * Resolves a reference to the digest of its manifest or index, and verifies who has signed that. Throws the errors of `Registry`, which say nothing
 * about the image: `RepositoryNotFound` if there is no such image.
 */
export async function verifyImage(
  ports: Ports,
  image: ImageReference,
  policy: TrustPolicy,
  { logins = [], isComplete = false }: Options = {},
): Promise<Verification> {
  const manifest = await ports.artifacts.fetchManifest(image, logins);
  if (manifest === null)
    throw new RepositoryNotFound(`${formatImageReference(image)}: the registry has no such image.`);
  const { digest } = manifest;
  const checked: string[] = [];
  const signatures: FoundSignature[] = [];
  const unmet = new Set<RequiredAttestation | "signature">(policy.attestations);
  if (policy.any.length > 0) unmet.add("signature");
  let by: string | null = null;
  for await (const candidate of findSignatures(ports, image, digest, checked, logins)) {
    const judged = judge(ports.signatures, candidate, digest, policy);
    signatures.push(judged.found);
    for (const met of judged.meets) unmet.delete(met);
    if (judged.meets.includes("signature")) by ??= judged.found.authority;
    if (unmet.size === 0 && !isComplete) break;
  }
  const [missing] = unmet;
  const kind = missing === undefined ? "verified" : "unverified";
  return { kind, digest, reason: reasonOf(missing, by, signatures, checked), checked, signatures };
}

function reasonOf(
  missing: RequiredAttestation | "signature" | undefined,
  by: string | null,
  found: readonly FoundSignature[],
  checked: readonly string[],
): string {
  if (missing === undefined) return by === null ? "attested as required" : `signed by ${by}`;
  const what = missing === "signature" ? "signature" : `attestation ${missing.predicateType}`;
  const reasons = [...new Set(found.flatMap(({ reason }) => reason ?? []))].slice(0, 3);
  return `no valid ${what} (${reasons.length === 0 ? checked.join(", ") : reasons.join("; ")})`;
}

interface Judged {
  readonly found: FoundSignature;
  readonly meets: readonly (RequiredAttestation | "signature")[];
}

function judge(
  signatures: Signatures,
  candidate: Candidate | UnreadCandidate,
  digest: string,
  policy: TrustPolicy,
): Judged {
  if ("problem" in candidate) return refused({ ...candidate, format: "bundle" }, null, candidate.problem);
  return candidate.format === "bundle"
    ? judgeBundle(signatures, candidate, digest, policy)
    : judgeSimpleSigning(signatures, candidate, digest, policy);
}

function judgeSimpleSigning(
  signatures: Signatures,
  candidate: Candidate,
  digest: string,
  { any }: TrustPolicy,
): Judged {
  const reasons: string[] = [];
  for (const authority of any) {
    const reason =
      signatures.simpleSigningReason(candidate.bytes, candidate.annotations, authority) ??
      payloadReason(parseJson(candidate.bytes), digest);
    if (reason === null) return accepted(candidate, null, authority, ["signature"]);
    reasons.push(reason);
  }
  return refused(candidate, null, firstOf(reasons));
}

function judgeBundle(signatures: Signatures, candidate: Candidate, digest: string, policy: TrustPolicy): Judged {
  const bundle = parseJson(candidate.bytes);
  const reasons: string[] = [];
  const meets: (RequiredAttestation | "signature")[] = [];
  let by: Authority | null = null;
  let predicateType: string | null = null;
  for (const [requirement, authority] of requirements(policy)) {
    const statement = verifyStatement(signatures, bundle, digest, authority);
    if (typeof statement === "string") reasons.push(statement);
    else {
      predicateType = statement.predicateType === signaturePredicate ? null : statement.predicateType;
      const reason = statementReason(statement, requirement);
      if (reason === null) meets.push(requirement);
      else reasons.push(reason);
      if (reason === null) by ??= authority;
    }
  }
  if (by !== null) return accepted(candidate, predicateType, by, meets);
  return refused(candidate, predicateType, firstOf(reasons));
}

function verifyStatement(
  signatures: Signatures,
  bundle: unknown,
  digest: string,
  authority: Authority,
): Statement | string {
  const envelope = signatures.verifyEnvelope(bundle, authority);
  if (envelope.kind === "invalid") return envelope.reason;
  return parseStatement(envelope.payloadType, parseJson(envelope.payload), digest);
}

function* requirements({ any, attestations }: TrustPolicy): Generator<[RequiredAttestation | "signature", Authority]> {
  for (const authority of any) yield ["signature", authority];
  for (const attestation of attestations) for (const authority of attestation.any) yield [attestation, authority];
}

/** Any attestation by a trusted identity would be a signature if its predicate were not compared. */
function statementReason(
  { predicateType, predicate }: Statement,
  requirement: RequiredAttestation | "signature",
): string | null {
  const required = requirement === "signature" ? signaturePredicate : requirement.predicateType;
  if (predicateType !== required) return `it is an attestation ${predicateType}, not ${required}`;
  if (requirement === "signature" || requirement.builder === null) return null;
  const builder = builderOfProvenance(predicate);
  return builder === requirement.builder ? null : `the builder is ${builder ?? "missing"}, not ${requirement.builder}`;
}

function accepted(
  { place, format }: Candidate,
  predicateType: string | null,
  authority: Authority,
  meets: Judged["meets"],
): Judged {
  return { found: { place, format, predicateType, authority: describeAuthority(authority), reason: null }, meets };
}

function refused(
  { place, format }: Pick<Candidate, "place" | "format">,
  predicateType: string | null,
  reason: string,
): Judged {
  return { found: { place, format, predicateType, authority: null, reason }, meets: [] };
}

/** With several authorities, the reason of the one that it came closest to would be best; the first is the most expected. */
function firstOf([first = "no authority is trusted"]: readonly string[]): string {
  return first;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}
