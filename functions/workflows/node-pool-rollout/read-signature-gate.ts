import { type ClosedGate, fromFoundGate } from "../../domain/gates/closed-gate.ts";
import { unverifiedGate } from "../../domain/gates/signature.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import { isRefused } from "../../domain/signature/outcome.ts";
import { rulesFor } from "../../domain/signature/rule.ts";
import type { Verifier } from "../../ports/verifier.ts";

/** No namespace has this name: a rule of some namespaces is for no pool. */
const namespace = "(cluster)";

/** The images that this process has verified, by digest: a signature does not become invalid while the rules stay. */
const verified = new WeakMap<Verifier["scopes"], Set<string>>();

/** Returns the gate of an image, by digest, that is not signed as the rules of the deployment require; null if it is, or no rule is for it. */
export async function readSignatureGate(
  verifier: Verifier,
  { name, uid }: NodePool,
  image: string,
): Promise<ClosedGate | null> {
  const { scopes } = verifier;
  const reference = parseImageReference(image);
  if ("kind" in reference || rulesFor(scopes, reference, namespace).length === 0) return null;
  const known = verified.get(scopes) ?? new Set();
  verified.set(scopes, known);
  if (known.has(image)) return null;
  const ref = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", namespace, name, uid };
  try {
    const outcome = await verifier.verify(ref, { kind: "image", image });
    if (isRefused(outcome)) return fromFoundGate(unverifiedGate(`${image} is not verified: ${outcome.reason}`));
    known.add(image);
    return null;
  } catch (error) {
    // The nodes in slots continue.
    if (!(error instanceof Error) || !unanswered.has(error.name)) throw error;
    const message = `cannot tell who signed ${image}: ${error.message}`;
    return { name: "signature", reason: "SignatureUnknown", message, liftedBy: "an answer of the registry" };
  }
}

const unanswered: ReadonlySet<string> = new Set(["Unreachable", "Throttled"]);
