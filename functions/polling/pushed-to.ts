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

/** Whether a workload takes its versions from this repository. */
export function follows({ source }: Workload, { repository, registry, region }: Pushed): boolean {
  const image = parseImageReference(source ?? "");
  const host = "kind" in image ? null : parseEcrHost(image.registry);
  if ("kind" in image || host === null || image.repository !== repository) return false;
  return (registry ?? host.account) === host.account && (region ?? host.region) === host.region;
}
