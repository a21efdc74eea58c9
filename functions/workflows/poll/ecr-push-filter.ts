import { parseEcrHost } from "../../domain/image/ecr-host.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { Workload } from "../../domain/workload/workload.ts";

/** An ECR repository that an image was pushed to. */
export interface EcrPush {
  readonly repository: string;
  /** The account of the registry, twelve digits. If the account or the region is absent, any matches. */
  readonly registry?: string | null | undefined;
  readonly region?: string | null | undefined;
}

/** Reports whether a workload takes its versions, or the digest of one of its tags, from this repository. */
export function tracksRepository({ source, digests }: Workload, push: EcrPush): boolean {
  const images = [source ?? "", ...(digests?.containers ?? []).map(({ image }) => image)];
  return images.some((image) => isIn(image, push));
}

function isIn(text: string, { repository, registry, region }: EcrPush): boolean {
  const image = parseImageReference(text);
  const host = "kind" in image ? null : parseEcrHost(image.registry);
  if ("kind" in image || host === null || image.repository !== repository) return false;
  return (registry ?? host.account) === host.account && (region ?? host.region) === host.region;
}
