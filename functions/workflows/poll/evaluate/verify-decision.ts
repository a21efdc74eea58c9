import { holdBySignature } from "../../../domain/gates/signature.ts";
import {
  type ImageReference,
  isSameImage,
  parseImageReference,
  tagOf,
  withoutDigest,
} from "../../../domain/image/reference.ts";
import { isRefused, type VerificationOutcome } from "../../../domain/signature/outcome.ts";
import { rulesFor } from "../../../domain/signature/rule.ts";
import type { Decision, Hold } from "../../../domain/workload/decision/decision.ts";
import { writtenImage } from "../../../domain/workload/target/target.ts";
import {
  missingRuleReason,
  restartFailure,
  unpinnedReason,
  unverifiedReason,
  verificationFailure,
} from "../../../domain/workload/update/verified-change.ts";
import { restartedImages } from "../../../domain/workload/update/restarted-images.ts";
import type { InFlight } from "../../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { Verifier } from "../../../ports/verifier.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";
import { readOverride } from "../../read-override.ts";
import { findDigest } from "./find-digest.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

type VerifyPorts = Pick<EvaluationPorts, "registry" | "verifier"> & {
  readonly cluster: Pick<EvaluationPorts["cluster"], "pullSecrets" | "identityProblem">;
};

/** How many versions a poll asks about before it holds the newest: each costs some requests to the registry. */
const maxVersions = 5;

/** Reports whether the image of a workload may need a verification: a rule of the deployment may be for it, or its policy requires one. */
export function mayBeVerified({ scopes }: Pick<Verifier, "scopes">, { policy }: Pick<Workload, "policy">): boolean {
  return scopes.length > 0 || policy.isVerifyRequired === true;
}

/** Chooses the newest version that passes: `decide` decides by some of the tags. If none passes, the newest is held. */
export async function chooseVerified(
  ports: VerifyPorts,
  workload: Workload,
  tags: readonly string[],
  decide: (tags: readonly string[]) => Promise<Decision>,
): Promise<Decision> {
  let newest: Hold | null = null;
  let left = tags;
  for (let tried = 0; tried < maxVersions; tried += 1) {
    const decision = await decide(left);
    const verified = await verifyDecision(ports, workload, decision);
    if (decision.kind !== "update" || verified.kind === "update") return orNewest(verified, newest);
    if (verified.kind !== "hold" || verified.reason !== "unverified") return verified;
    newest ??= verified;
    const refused = tagOf(decision.target.image);
    left = left.filter((tag) => tag !== refused);
  }
  return newest as Hold;
}

/** Returns the decision about an older version if that is applied, with the newest version that was found. */
function orNewest(decision: Decision, newest: Hold | null): Decision {
  if (newest === null) return decision;
  const { available } = newest;
  return decision.kind === "update" ? { ...decision, ...(available === undefined ? {} : { available }) } : newest;
}

/**
 * Asks who has signed the image of an update, if a rule of the deployment is for it: otherwise nothing is asked. Adds the digest that was
 * verified, which is what is written. Throws what the registry and the verifier throw.
 */
export async function verifyDecision(ports: VerifyPorts, workload: Workload, decision: Decision): Promise<Decision> {
  if (decision.kind !== "update" || decision.target.kind === "release") return decision;
  if (decision.target.kind !== "image") return verifyRestart(ports, workload, decision);
  const { verifier, registry, cluster } = ports;
  const { ref, policy } = workload;
  const image = parseImageReference(writtenImage(decision.target));
  const rules = "kind" in image ? [] : rulesFor(verifier.scopes, image, ref.namespace);
  const isEnforced = rules.some(({ mode }) => mode === "enforce");
  if (policy.isVerifyRequired && !isEnforced) return holdBySignature(decision, "unverified", missingRuleReason);
  const cannotPin = isEnforced ? unpinnedReason(workload, decision.target) : null;
  if (cannotPin !== null) return holdBySignature(decision, "cannot-pin", cannotPin);
  if (rules.length === 0) return decision;
  let { target } = decision;
  if (target.digest === undefined) {
    const logins = await cluster.pullSecrets(workload);
    const digest = await findDigest(registry, image as ImageReference, logins, ref.namespace);
    // Its manifest is asked for next, and the update held without it.
    if (typeof digest !== "string") return decision;
    target = { ...target, digest };
  }
  if (isEnforced) target = { ...target, pinned: true };
  const outcome = await verifier.verify(ref, target);
  if (!isRefused(outcome)) return outcome.kind === "verified" ? { ...decision, target } : decision;
  const override = decision.isRequested ? await readOverride(cluster, workload, target, "signature") : null;
  if (override !== null) return { ...decision, target };
  return holdBySignature(decision, "unverified", unverifiedReason(outcome.reason));
}

/** Holds a restart unless each image that it pulls is verified by its own rules. */
async function verifyRestart({ verifier }: VerifyPorts, workload: Workload, decision: Update): Promise<Decision> {
  const { target, digests = null } = decision;
  const failure = restartFailure(workload, target, verifier.scopes);
  if (failure !== null)
    return holdBySignature(decision, failure === missingRuleReason ? "unverified" : "cannot-pin", failure);
  for (const { image } of restartedImages(workload, target, digests)) {
    const parsed = parseImageReference(image);
    if ("kind" in parsed || rulesFor(verifier.scopes, parsed, workload.ref.namespace).length === 0) continue;
    const outcome = await verifier.verify(workload.ref, { kind: "image", image });
    if (isRefused(outcome)) {
      const own = isSameImage(withoutDigest(image), target.image) ? "the image" : image;
      return holdBySignature(decision, "unverified", `${own} is not verified: ${outcome.reason}`);
    }
  }
  return decision;
}

/** Reports whether the image of a canary that waits for that may be written now, as the steps of its update would ask. No answer is none. */
export async function isVerified(
  { verifier }: Pick<VerifyPorts, "verifier">,
  workload: Workload,
  { target }: InFlight,
): Promise<boolean> {
  const outcome = await verifier.verify(workload.ref, target).catch(() => null);
  return outcome !== null && verificationFailure(workload, target, outcome) === null;
}

/** Asks about each digest once, for all workloads of a namespace, which have the same logins. A failure is asked again. */
export function memoizeVerifier(verifier: Verifier): Verifier {
  const { scopes } = verifier;
  const asked = new Map<string, Promise<VerificationOutcome>>();
  return {
    scopes,
    verify(workload, target) {
      const key = JSON.stringify([workload.namespace, target]);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const outcome = verifier.verify(workload, target);
      asked.set(key, outcome);
      outcome.catch(() => asked.delete(key));
      return outcome;
    },
  };
}
