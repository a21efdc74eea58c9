import { TrustedRoot } from "@sigstore/protobuf-specs";

const noRoot = { mediaType: "", tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] };

/** Reads a `trusted_root.json`; null is a root that trusts no log and no authority. Throws if it is none. */
export function readTrustedRoot(json: unknown): TrustedRoot {
  return TrustedRoot.fromJSON(json ?? noRoot);
}

/** Returns why a document is not a trusted root, to follow its name; null if it is one. */
export function trustedRootReason(json: unknown): string | null {
  const reason = "is not a trusted root of Sigstore; use a trusted_root.json";
  const fields = typeof json === "object" && json !== null ? json : {};
  if (!("certificateAuthorities" in fields) && !("tlogs" in fields)) return reason;
  try {
    readTrustedRoot(json);
    return null;
  } catch {
    return reason;
  }
}
