import {
  joinScans,
  judgeScan,
  relevantFindings,
  type ScanResult,
  type ScanVerdict,
} from "../../../domain/gates/scan.ts";
import type { Candidate } from "../../../domain/gates/candidate.ts";
import type { ImageReference } from "../../../domain/image/reference.ts";
import { parseImageReference } from "../../../domain/image/reference.ts";
import { neededManifests } from "../../../domain/image/platform.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { NotAnImage, RepositoryNotFound } from "../../../ports/errors.ts";
import type { PullLogins } from "../../../ports/registry.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";

/** More images than these are not scanned for one version. */
const maxImages = 10;

/** How many versions of a workload a poll asks about, before it holds the newest. */
export const maxScans = 5;

interface Scanned {
  readonly image: ImageReference;
  readonly digest: string;
  readonly logins: PullLogins;
}

/** Returns what the scan of a digest means for a workload. Where no registry can be asked, what a poll has recorded. Throws what the registry throws. */
export async function readScan(
  { registry, cluster }: Pick<EvaluationPorts, "registry" | "cluster">,
  workload: Workload,
  scanned: Scanned,
  known: Candidate | undefined,
): Promise<ScanVerdict> {
  const policy = workload.policy.scan as NonNullable<Workload["policy"]["scan"]>;
  const { image, digest } = scanned;
  if (registry.scanOf === undefined) {
    const unknown = { verdict: "unknown", message: "no scanner of a registry can be asked" } as const;
    return (known?.digest === digest ? known.scan : undefined) ?? unknown;
  }
  const scanAll = async (digests: readonly string[]) => {
    const results: ScanResult[] = [];
    for (const one of digests) results.push(await scanDigest(registry, workload, { ...scanned, digest: one }));
    return joinScans(results);
  };
  const chosen = await scanAll([digest]);
  const isCompared =
    policy.newOnly && chosen.kind === "complete" && relevantFindings(policy, chosen.findings).length > 0;
  if (!isCompared) return judgeScan(policy, chosen, null);
  const running = await runningDigests(cluster, workload, image);
  const none = { kind: "unknown", reason: "its digest is not known" } as const;
  return judgeScan(policy, chosen, running.length === 0 ? none : await scanAll(running));
}

/** Asks for each image of an index that the nodes of a workload may run. */
async function scanDigest(
  registry: EvaluationPorts["registry"],
  workload: Workload,
  { image, digest, logins }: Scanned,
): Promise<ScanResult> {
  const payer = workload.ref.namespace;
  const reference = { ...image, digest };
  const resolved = await registry.resolve(reference, logins, payer).catch(toUnknown);
  if ("kind" in resolved) return resolved;
  const digests = neededManifests(resolved, workload.nodes);
  if (digests.length > maxImages)
    return { kind: "unknown", reason: `it has ${digests.length} platforms, of which at most ${maxImages} are scanned` };
  const results: ScanResult[] = [];
  for (const one of digests) {
    const result = await registry.scanOf?.({ ...reference, digest: one }, logins, payer);
    if (result !== undefined) results.push(result);
  }
  return joinScans(results);
}

/** An image that runs may have been deleted from its registry, and a tag since it was listed. */
function toUnknown(error: unknown): Extract<ScanResult, { readonly kind: "unknown" }> {
  if (error instanceof RepositoryNotFound || error instanceof NotAnImage)
    return { kind: "unknown", reason: error.message };
  throw error;
}

/** Returns what the pods run of the repository, without duplicates. */
async function runningDigests(
  cluster: Pick<EvaluationPorts["cluster"], "runningDigests">,
  workload: Workload,
  { registry, repository }: ImageReference,
): Promise<readonly string[]> {
  const found = await cluster.runningDigests(workload);
  const own = found.filter(({ image, isConfig }) => {
    const reference = parseImageReference(image ?? "");
    return (
      !isConfig && !("kind" in reference) && reference.registry === registry && reference.repository === repository
    );
  });
  return [...new Set(own.map(({ digest }) => digest))].slice(0, maxImages);
}
