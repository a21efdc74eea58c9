import type { TaskOutput } from "../../contract/workload-update.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import { rulesFor, type VerifyRule } from "../../domain/signature/rule.ts";
import { type Target, writtenImage } from "../../domain/workload/target/target.ts";
import type { WorkloadRef } from "../../domain/workload/workload.ts";
import type { PullLogins } from "../../ports/registry.ts";
import { verifyImage, type VerifyPorts } from "./verify-image.ts";

type Outcome = TaskOutput<"VerifyImage">;

export interface RulePorts extends VerifyPorts {
  readonly rules: readonly VerifyRule[];
  /** The logins of the deployment for a namespace. */
  readonly logins: (namespace: string) => Promise<PullLogins>;
}

/** Verifies the image of a target by every rule that is for it. Throws `Throttled` and `Unreachable`, which say nothing about the image. */
export async function verifyTarget(ports: RulePorts, { namespace }: WorkloadRef, target: Target): Promise<Outcome> {
  if (ports.rules.length === 0) return { kind: "disabled", digest: null, reason: "the deployment has no rules" };
  const image = parseImageReference(imageToVerify(target));
  if ("kind" in image) return { kind: "unverified", digest: null, reason: `${writtenImage(target)} ${image.reason}` };
  const rules = rulesFor(ports.rules, image, namespace);
  if (rules.length === 0) return { kind: "unmatched", digest: null, reason: "no rule is for this repository" };
  try {
    const logins = await ports.logins(namespace);
    let digest = image.digest;
    let by = "";
    let warning: string | null = null;
    for (const { requirements, mode } of rules) {
      const found = await verifyImage(ports, { ...image, digest }, requirements, { logins });
      // Every rule is about the digest that the first has found.
      digest = found.digest;
      if (found.kind === "verified") by = found.reason;
      else if (mode === "enforce") return { kind: "unverified", digest, reason: found.reason };
      else warning ??= found.reason;
    }
    const isEnforced = rules.some(({ mode }) => mode === "enforce");
    if (warning !== null && !isEnforced) return { kind: "warned", digest, reason: warning };
    return { kind: "verified", digest, reason: warning === null ? by : `${by}; by a rule that only warns: ${warning}` };
  } catch (error) {
    if (!(error instanceof Error) || !aboutImage.has(error.name)) throw error;
    const isWarned = rules.every(({ mode }) => mode === "warn");
    return { kind: isWarned ? "warned" : "unverified", digest: null, reason: error.message };
  }
}

/** What the registry says of the image or of its signatures. Any other error says nothing about them. */
const aboutImage: ReadonlySet<string> = new Set([
  "RepositoryNotFound",
  "RegistryUnauthorized",
  "RegistryNotAllowed",
  "RegistryAnswerInvalid",
  "NotAnImage",
]);

/** A restart for a digest pulls what its tag resolved to; another restart whatever it resolves to now. */
function imageToVerify(target: Target): string {
  return target.kind === "digest" ? `${target.image}@${target.digest}` : writtenImage(target);
}
