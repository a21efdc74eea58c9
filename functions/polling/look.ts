import type { Decision } from "../domain/decision.ts";
import { containersAfter, decideByDigest } from "../domain/digest-decision.ts";
import type { SeenDigests } from "../domain/digest-verdict.ts";
import { type ImageReference, parseImageReference } from "../domain/image-reference.ts";
import { decideWithoutTags } from "../domain/poll-decision.ts";
import { decideByTag } from "../domain/tag-decision.ts";
import type { TrackedContainer } from "../domain/tracking.ts";
import type { Workload } from "../domain/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { PullLogins, Registry } from "../ports/registry.ts";

/** What a look needs: `registry` asks for each thing once a poll. */
export interface Sight {
  readonly cluster: Pick<Cluster, "pullLogins" | "runningDigests">;
  readonly registry: Registry;
}

/**
 * Decides about one workload, asking its registries only where their answers matter. Throws what the registry throws: one
 * answer that is missing, and nothing is decided.
 */
export async function look(sight: Sight, workload: Workload, now: Date): Promise<Decision> {
  const early = decideWithoutTags(workload, now);
  if (early.kind !== "undecided") return early;
  const logins = await sight.cluster.pullLogins(workload);
  const byTag = early.source === null ? null : await lookAtTags(sight, workload, early.source, logins);
  if (workload.digests === null || (byTag !== null && byTag.kind !== "update" && byTag.kind !== "hold")) {
    return byTag ?? { kind: "problem", problems: ["there is nothing to follow"] };
  }
  const seen = await lookAtDigests(sight, workload, containersAfter(workload, byTag), logins);
  return decideByDigest(workload, byTag, seen, now);
}

async function lookAtTags(
  { registry }: Sight,
  workload: Workload,
  image: string,
  logins: PullLogins,
): Promise<Decision> {
  const source = parseImageReference(image);
  if ("kind" in source) return { kind: "problem", problems: [`image "${image}": ${source.reason}`] };
  return decideByTag(workload, image, await registry.listTags(source, logins));
}

/** The pods are asked, and with them every manifest of an index, only where a container is seen for the first time. */
async function lookAtDigests(
  { cluster, registry }: Sight,
  workload: Workload,
  containers: readonly TrackedContainer[],
  logins: PullLogins,
): Promise<SeenDigests> {
  const isNew = ({ name }: TrackedContainer) => workload.digests?.last[name] === undefined;
  const isBaseline = workload.digests?.firstSight === "baseline" && containers.some(isNew);
  const behind = async (container: TrackedContainer) => {
    const image = parseImageReference(container.image) as ImageReference;
    const found =
      isBaseline && isNew(container)
        ? await registry.digestsOf(image, logins)
        : [await registry.digestOf(image, logins)];
    return [container.name, found] as const;
  };
  const behindTags = Object.fromEntries(await Promise.all(containers.map(behind)));
  return { behindTags, running: isBaseline ? await cluster.runningDigests(workload) : null };
}
