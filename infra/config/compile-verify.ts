import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Authority, Requirement } from "../../functions/domain/signature/authority.ts";
import type { RuleScope, VerifyRule } from "../../functions/domain/signature/rule.ts";
import { parsePredicateType, signaturePredicate } from "../../functions/domain/signature/statement.ts";
import { publicKeyReason } from "./verify-files.ts";
import { InvalidProps } from "./invalid-props.ts";
import type { VerifyConfig } from "./schema.ts";
import { subjectOf } from "./verify-authorities.ts";

type Rule = VerifyConfig[number];
type WrittenAuthority = NonNullable<Rule["any"]>[number];

/** Returns the rules as the function reads them, with the content of their files. Throws `InvalidProps`. */
export function compileRules(rules: VerifyConfig): readonly VerifyRule[] {
  return rules.map((rule) => ({ ...scopeOf(rule), requirements: requirementsOf(rule) }));
}

/** Returns what the rules are for: all that a poll knows of them. */
export function scopesOf(rules: VerifyConfig): readonly RuleScope[] {
  return rules.map(scopeOf);
}

/** Sigstore replaces its logs and authorities a few times a year, and announces that well before. */
export const maxRootDays = 90;

/** Returns the date of the oldest trusted root; null if none is used. */
export function oldestRootDate(rules: VerifyConfig): string | null {
  const authorities = rules.flatMap(({ any = [], attestations }) => [
    ...any,
    ...attestations.flatMap((one) => one.any),
  ]);
  const dates = authorities.flatMap((one) => rootOf(one)?.date ?? []);
  return dates.toSorted()[0] ?? null;
}

function scopeOf({ repositories, namespaces, mode }: Rule): RuleScope {
  return { repositories: repositories.map((pattern) => pattern.replace(/\/\*$/, "")), namespaces, mode };
}

function requirementsOf({ any, attestations }: Rule): readonly Requirement[] {
  const signature =
    any === undefined ? [] : [{ predicateType: signaturePredicate, any: any.map(authorityOf), builder: null }];
  const attested = attestations.map((one) => ({
    predicateType: parsePredicateType(one.predicateType) ?? one.predicateType,
    any: one.any.map(authorityOf),
    builder: one.builder,
  }));
  return [...signature, ...attested];
}

function authorityOf(written: WrittenAuthority): Authority {
  if ("ecrSigning" in written) return { kind: "ecr", profiles: written.ecrSigning.profiles };
  const root = rootOf(written);
  const trustedRoot: unknown = root === null ? null : JSON.parse(readFileSync(root.file, "utf8"));
  if ("keyless" in written) return { kind: "keyless", ...subjectOf(written.keyless), trustedRoot };
  const { key, transparencyLog } = written;
  return { kind: "key", ...publicKeyOf(key), transparencyLog, trustedRoot };
}

function rootOf(written: WrittenAuthority) {
  if ("ecrSigning" in written) return null;
  return "keyless" in written ? written.keyless.trustedRoot : written.trustedRoot;
}

/** Reports whether a rule accepts what ECR says of its own signatures. */
export function usesEcrSigning(rules: VerifyConfig): boolean {
  return rules.some(({ any = [] }) => any.some((one) => "ecrSigning" in one));
}

function publicKeyOf(key: Extract<WrittenAuthority, { key: unknown }>["key"]) {
  if (typeof key === "string") return { name: basename(key), publicKey: readFileSync(key, "utf8") };
  const { kmsKeyArn, publicKey } = key;
  const reason = publicKey === null ? "is missing" : publicKeyReason(publicKey);
  if (publicKey === null || reason !== null)
    throw new InvalidProps(
      `the public key of ${kmsKeyArn} ${reason}; set publicKey to the output of aws kms get-public-key in PEM`,
    );
  return { name: kmsKeyArn, publicKey };
}
