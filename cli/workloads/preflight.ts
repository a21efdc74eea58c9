import { joinLookups, type Lookup } from "../../functions/adapters/kubernetes/check-references.ts";
import { formatImageReference, isSameImage, parseImageReference } from "../../functions/domain/image/reference.ts";
import { rulesFor, type VerifyRule } from "../../functions/domain/signature/rule.ts";
import { findSnapshot } from "../../functions/domain/workload/release/find-snapshot.ts";
import { pinTemplate } from "../../functions/domain/workload/release/pin-template.ts";
import type { Release } from "../../functions/domain/workload/release/release.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Artifacts } from "../../functions/ports/artifacts.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import type { PullLogins, Registry } from "../../functions/ports/registry.ts";
import type { OpenCluster } from "../connect/cluster.ts";

export interface PreflightPorts extends Pick<OpenCluster, "checkReferences"> {
  readonly cluster: Pick<Cluster, "readSnapshots" | "pullSecrets" | "imagesThatRan">;
  readonly registry: Registry & Artifacts;
  /** Of the deployment; null if they are not known. */
  readonly rules: readonly VerifyRule[] | null;
}

/**
 * Looks up what the pods of a release need, with the rights of the caller: its snapshot, its images, what its pod template references, and
 * the signatures that the deployment requires. Throws what the cluster throws.
 */
export async function preflight(ports: PreflightPorts, workload: Workload, release: Release): Promise<Lookup> {
  const { cluster, checkReferences, rules } = ports;
  const { namespace } = workload.ref;
  const found = findSnapshot(workload, await cluster.readSnapshots(workload), release);
  if (found.kind === "missing") return { missing: [`it ${found.reason}`], unchecked: [] };
  const { template } = found.snapshot;
  // A tag that has moved is pinned to the digest that the release had.
  const { containers, initContainers = [] } = pinTemplate(template, release.digests ?? {}).spec;
  const images = new Set([...containers, ...initContainers].flatMap(({ image }) => image ?? []));
  const logins = await cluster.pullSecrets(workload);
  const unknown = "signatures: no pawl.json is named with -c; the execution verifies them before it writes";
  return joinLookups([
    ...(await Promise.all([
      checkReferences(namespace, template),
      ...[...images].map((image) => checkImage(ports, workload, image, logins)),
    ])),
    { missing: [], unchecked: rules === null ? [unknown] : [] },
  ]);
}

/** An image that is missing fails; one about which a registry says nothing is not checked. */
async function checkImage(
  ports: PreflightPorts,
  workload: Workload,
  image: string,
  logins: PullLogins,
): Promise<Lookup> {
  const parsed = parseImageReference(image);
  if ("kind" in parsed) return { missing: [`image ${image}: ${parsed.reason}`], unchecked: [] };
  try {
    await ports.registry.digestOf(parsed, logins, workload.ref.namespace);
    return await checkSignature(ports, workload, image, logins);
  } catch (error) {
    if (!(error instanceof Error) || error.name === "TypeError") throw error;
    const reason = `image ${error.message.startsWith(formatImageReference(parsed)) ? "" : `${image}: `}${error.message}`;
    const isMissing = error.name === "RepositoryNotFound" || error.name === "NotAnImage";
    return isMissing ? { missing: [reason], unchecked: [] } : { missing: [], unchecked: [reason] };
  }
}

/** As the execution does it: what the workload ran before, as Kubernetes keeps that, needs no signature. */
async function checkSignature(
  { cluster, registry: artifacts, rules }: PreflightPorts,
  workload: Workload,
  image: string,
  logins: PullLogins,
): Promise<Lookup> {
  const parsed = parseImageReference(image);
  if (rules === null || "kind" in parsed) return nothing;
  const enforced = rulesFor(rules, parsed, workload.ref.namespace).filter(({ mode }) => mode === "enforce");
  if (enforced.length === 0) return nothing;
  if ((await cluster.imagesThatRan(workload)).some((ran) => isSameImage(ran, image))) return nothing;
  const requirements = enforced.flatMap((rule) => rule.requirements);
  const { signatures } = await import("../../functions/adapters/sigstore/signatures.ts");
  const { verifyImage } = await import("../../functions/workflows/verify-image/verify-image.ts");
  const { kind, reason } = await verifyImage({ artifacts, signatures }, parsed, requirements, { logins });
  if (kind === "verified") return nothing;
  const why = `signature of ${image}: ${reason}`;
  // Nobody has asked ECR for its word.
  const isOpen = requirements.some(({ any }) => any.some((one) => one.kind === "ecr"));
  return isOpen ? { missing: [], unchecked: [why] } : { missing: [why], unchecked: [] };
}

const nothing: Lookup = { missing: [], unchecked: [] };
