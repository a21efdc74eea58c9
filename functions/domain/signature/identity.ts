import { RE2JS } from "re2js";
import { invalid, type ParseError } from "../text/parse-error.ts";
import type { CertificateIdentity, KeylessAuthority } from "./authority.ts";

/** The provider of the tokens of GitHub Actions. */
export const githubIssuer = "https://token.actions.githubusercontent.com";

/** Returns why a certificate is not of an authority; null if it is. Subject and issuer are compared as a whole. */
export function identityReason(authority: KeylessAuthority, { subject, issuer }: CertificateIdentity): string | null {
  if (issuer !== authority.issuer) return `the issuer is ${issuer ?? "missing"}, not ${authority.issuer}`;
  if (subject !== undefined && matchesIdentity(authority.identity, subject)) return null;
  return `the identity is ${subject ?? "missing"}, not ${authority.identity}`;
}

function matchesIdentity(identity: string, subject: string): boolean {
  return isExpression(identity) ? RE2JS.compile(identity).matches(subject) : identity === subject;
}

function isExpression(identity: string): boolean {
  return identity.startsWith("^") && identity.endsWith("$");
}

/** Parses an identity: a whole subject such as a URL or an e-mail address, or an expression that is anchored on both sides. */
export function parseIdentity(text: string): { readonly kind: "identity"; readonly identity: string } | ParseError {
  if (text.trim() === "") return invalid(text, "is empty; use the subject of the certificate");
  if (!isExpression(text)) {
    if (/^\^|[*\\|[\](){}]|\$$/.test(text))
      return invalid(text, "is an expression that is not anchored; begin it with ^ and end it with $");
    return { kind: "identity", identity: text };
  }
  try {
    RE2JS.compile(text);
    return { kind: "identity", identity: text };
  } catch {
    return invalid(text, "is not a regular expression of RE2");
  }
}

/**
 * Returns the identity that GitHub Actions gives a workflow: `repository` is `OWNER/REPOSITORY`, `workflow` a file below
 * `.github/workflows` or null for any, `ref` a git reference such as `refs/heads/main`. For a reusable workflow, these are its own.
 */
export function githubIdentity(repository: string, workflow: string | null, ref: string): string {
  const base = `https://github.com/${repository}/.github/workflows/`;
  if (workflow !== null) return `${base}${workflow}@${ref}`;
  return `^${RE2JS.quote(base)}[^@]+@${RE2JS.quote(ref)}$`;
}
