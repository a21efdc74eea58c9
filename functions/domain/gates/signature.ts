import type { Decision, Hold } from "../workload/decision/decision.ts";
import { hold } from "../workload/decision/decision.ts";
import type { FoundGate } from "./closed-gate.ts";
import { versionNameOf } from "../image/reference.ts";
import { imageOfTarget } from "../workload/target/target.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

/** Returns the closed gate of an image that is not signed as a rule requires. */
export function unverifiedGate(message: string): FoundGate {
  return { name: "signature", reason: "Unverified", message, liftedBy: "a signature of the image" };
}

/**
 * Holds an update whose image a rule of the deployment has not verified, or whose verified digest cannot be written. What a person asked for is
 * held too. Nothing is blamed: the gate opens with a signature, another digest or other rules.
 */
export function holdBySignature(update: Update, reason: "unverified" | "cannot-pin", why: string): Hold {
  const { target, available } = update;
  const message = `${versionNameOf(imageOfTarget(target))}: ${why}`;
  const gate =
    reason === "unverified"
      ? unverifiedGate(message)
      : { name: "signature", reason: "CannotPin", message, liftedBy: "the owner of the workload" };
  return { ...hold(reason, message), target, gates: [gate], ...(available === undefined ? {} : { available }) };
}
