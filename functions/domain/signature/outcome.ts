import * as v from "valibot";
import { openObject } from "../text/schema.ts";

/**
 * What the rules say of the image of an update. "disabled": the deployment has no rules; "unmatched": none of them is for it; "warned": none that
 * is enforced is unmet; "unknown": the registry does not answer, and the update is in flight already.
 */
export const verificationOutcome = openObject({
  kind: v.picklist(["disabled", "unmatched", "verified", "warned", "unverified", "unknown"]),
  /** What was verified, and must run; null if that is open. */
  digest: v.nullable(v.string()),
  /** A sentence for people. */
  reason: v.string(),
});

export type VerificationOutcome = Readonly<v.InferOutput<typeof verificationOutcome>>;

/** Reports whether an image must not be written: it is not verified by an enforced rule. */
export function isRefused(outcome: Pick<VerificationOutcome, "kind"> | undefined): boolean {
  return outcome?.kind === "unverified" || outcome?.kind === "unknown";
}

/** Reports whether nothing but the verified digest may be written. */
export function isEnforced(outcome: Pick<VerificationOutcome, "kind"> | undefined): boolean {
  return outcome?.kind === "verified" || isRefused(outcome);
}
