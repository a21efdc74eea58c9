import type { PollSelection } from "../../contract/poll-fanout.ts";
import { parseEcrHost } from "../../domain/image/ecr-host.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { Workload, WorkloadRef } from "../../domain/workload/workload.ts";

/** Creates the filter of the workloads that belong to a poll; null is all. */
export function createFilter(selected: PollSelection | null): (workload: Workload) => boolean {
  if (selected?.workloads) return createNameFilter(selected.workloads);
  return selected?.pushes ? createPushFilter(selected.pushes) : () => true;
}

/** An ECR repository that an image was pushed to. */
export interface EcrPush {
  readonly repository: string;
  /** The account of the registry, twelve digits. If the account or the region is absent, any matches. */
  readonly registry?: string | null | undefined;
  readonly region?: string | null | undefined;
}

/** Creates the filter of workloads that take their versions, or the digest of one of their tags, from one of these repositories. */
export function createPushFilter(pushes: readonly EcrPush[]): (workload: Workload) => boolean {
  const byRepository = Map.groupBy(pushes, ({ repository }) => repository);
  return ({ source, digests }) => {
    const images = [source ?? "", ...(digests?.containers ?? []).map(({ image }) => image)];
    return images.some((image) => isIn(image, byRepository));
  };
}

function isIn(text: string, byRepository: ReadonlyMap<string, readonly EcrPush[]>): boolean {
  const image = parseImageReference(text);
  if ("kind" in image) return false;
  const host = parseEcrHost(image.registry);
  if (host === null) return false;
  const pushes = byRepository.get(image.repository) ?? [];
  return pushes.some(
    ({ registry, region }) => (registry ?? host.account) === host.account && (region ?? host.region) === host.region,
  );
}

/** Creates the filter of the workloads that are named. */
export function createNameFilter(
  names: readonly Pick<WorkloadRef, "kind" | "namespace" | "name">[],
): (workload: Workload) => boolean {
  return ({ ref }) =>
    names.some(({ kind, namespace, name }) => ref.kind === kind && ref.namespace === namespace && ref.name === name);
}
