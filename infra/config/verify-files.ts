import { readText } from "./read-text.ts";
import * as v from "valibot";
import { parsePublicKey } from "../../functions/adapters/sigstore/public-key.ts";
import { trustedRootReason } from "../../functions/adapters/sigstore/trusted-root.ts";
import { parseJson } from "../../functions/domain/text/parse-json.ts";

/** Returns why a file is not a public key; null if it is one. Its content is not repeated: it may be a private key. */
export function publicKeyProblem(path: string): string | null {
  const pem = readText(path);
  if (pem === null) return `"${path}" does not exist or is not readable`;
  const reason = publicKeyReason(pem);
  return reason === null ? null : `"${path}" ${reason}`;
}

/** Returns why a text is not a public key, to follow its name; null if it is one. */
export function publicKeyReason(pem: string): string | null {
  const parsed = parsePublicKey(pem);
  return parsed.kind === "invalid" ? parsed.reason : null;
}

/** Returns why a file is not a trusted root that can be used now; null if it is one. */
export function trustedRootProblem(path: string, now = new Date()): string | null {
  const json = readText(path);
  if (json === null) return `"${path}" does not exist or is not readable`;
  const root = parseJson(json);
  const reason = trustedRootReason(root);
  if (reason !== null) return `"${path}" ${reason}`;
  const isExpired = !endsOf(root).some((end) => end === undefined || new Date(end) > now);
  return isExpired
    ? `"${path}" has expired: none of its authorities and logs is valid any more; download it again`
    : null;
}

const part = v.object({
  validFor: v.optional(v.object({ end: v.optional(v.string()) })),
  publicKey: v.optional(v.object({ validFor: v.optional(v.object({ end: v.optional(v.string()) })) })),
});

const parts = v.object({ certificateAuthorities: v.optional(v.array(part), []), tlogs: v.optional(v.array(part), []) });

/** Returns when each authority and log ends; undefined if it does not. */
function endsOf(root: unknown): readonly (string | undefined)[] {
  const parsed = v.safeParse(parts, root);
  if (!parsed.success) return [undefined];
  const { certificateAuthorities, tlogs } = parsed.output;
  return [...certificateAuthorities, ...tlogs].map(({ validFor, publicKey }) => (validFor ?? publicKey?.validFor)?.end);
}
