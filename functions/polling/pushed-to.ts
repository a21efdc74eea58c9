import { parseEcrHost } from "../domain/ecr-host.ts";
import { parseImageReference } from "../domain/image-reference.ts";
import type { Workload } from "../domain/workload.ts";

/** A repository of ECR that something was pushed to. */
export interface Pushed {
  readonly repository: string;
  /** The account of the registry, twelve digits; any where it is not said, and so for the region. */
  readonly registry?: string;
  readonly region?: string;
}

/** Whether a workload takes its versions, or what stands behind a tag of its, from this repository. */
export function follows({ source, digests }: Workload, pushed: Pushed): boolean {
  const images = [source ?? "", ...(digests?.containers ?? []).map(({ image }) => image)];
  return images.some((image) => isOf(image, pushed));
}

function isOf(text: string, { repository, registry, region }: Pushed): boolean {
  const image = parseImageReference(text);
  const host = "kind" in image ? null : parseEcrHost(image.registry);
  if ("kind" in image || host === null || image.repository !== repository) return false;
  return (registry ?? host.account) === host.account && (region ?? host.region) === host.region;
}
