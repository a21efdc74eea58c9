import * as v from "valibot";

/** The type of an in-toto statement in a DSSE envelope. */
export const statementPayloadType = "application/vnd.in-toto+json";

/** What `cosign sign` states. A bundle with any other predicate is an attestation, and no signature. */
export const signaturePredicate = "https://sigstore.dev/cosign/sign/v1";

const statement = v.object({
  _type: v.picklist(["https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1"]),
  subject: v.array(v.object({ digest: v.record(v.string(), v.string()) })),
  predicateType: v.string(),
  predicate: v.optional(v.unknown()),
});

export interface Statement {
  readonly predicateType: string;
  readonly predicate: unknown;
}

/** Parses a payload that was verified. Returns why it states nothing about this digest instead. */
export function parseStatement(payloadType: string, payload: unknown, digest: string): Statement | string {
  if (payloadType !== statementPayloadType) return "the payload is not an in-toto statement";
  const parsed = v.safeParse(statement, payload);
  if (!parsed.success) return "the in-toto statement is invalid";
  const { subject, predicateType, predicate } = parsed.output;
  const [algorithm = "", hex] = digest.split(":");
  if (!subject.some((one) => Object.hasOwn(one.digest, algorithm) && one.digest[algorithm] === hex))
    return "it is about another digest";
  return { predicateType, predicate };
}

const builderOf = v.union([
  v.pipe(
    v.object({ runDetails: v.object({ builder: v.object({ id: v.string() }) }) }),
    v.transform(({ runDetails }) => runDetails.builder.id),
  ),
  v.pipe(
    v.object({ builder: v.object({ id: v.string() }) }),
    v.transform(({ builder }) => builder.id),
  ),
]);

/** Returns the builder that a SLSA provenance names, of version 1 or 0.2; null if it names none. */
export function builderOfProvenance(predicate: unknown): string | null {
  const parsed = v.safeParse(builderOf, predicate);
  return parsed.success ? parsed.output : null;
}

/** Short names of predicate types, as cosign has them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["slsaprovenance1", "https://slsa.dev/provenance/v1"],
  ["slsaprovenance02", "https://slsa.dev/provenance/v0.2"],
  ["spdxjson", "https://spdx.dev/Document"],
  ["cyclonedx", "https://cyclonedx.org/bom"],
  ["vuln", "https://cosign.sigstore.dev/attestation/vuln/v1"],
]);

/** Returns a predicate type: a URL, or that of a short name; null if it is neither. */
export function parsePredicateType(text: string): string | null {
  return aliases.get(text) ?? (URL.canParse(text) ? text : null);
}

export const predicateAliases = [...aliases.keys()];
