import { type ClosedGate, fromFoundGate } from "../../domain/gates/closed-gate.ts";
import { unverifiedGate } from "../../domain/gates/signature.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import { isRefused } from "../../domain/signature/outcome.ts";
import { rulesFor } from "../../domain/signature/rule.ts";
import { Unreachable } from "../../ports/errors.ts";
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
    const outcome = await inTime(verifier.verify(ref, { kind: "image", image }));
    if (isRefused(outcome)) return fromFoundGate(unverifiedGate(`${image} is not verified: ${outcome.reason}`));
    known.add(image);
    return null;
  } catch (error) {
    // Whatever failed, the nodes in slots continue.
    const { name: kind, message: reason } = error as Error;
    const liftedBy = unanswered.has(kind) ? "an answer of the registry" : "the operator of Pawl";
    const message = `cannot tell who signed ${image}: ${reason || kind}`;
    return { name: "signature", reason: "SignatureUnknown", message, liftedBy };
  }
}

const unanswered: ReadonlySet<string> = new Set(["Unreachable", "Throttled"]);

/** A verifier that hangs must leave a round the time for everything else. */
const maxSeconds = 15;

async function inTime<Of>(answer: Promise<Of>): Promise<Of> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable(`no answer within ${maxSeconds} s`)), maxSeconds * 1000);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
