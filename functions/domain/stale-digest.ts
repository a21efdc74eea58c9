import type { ContainerDigest } from "./tracking.ts";
import type { Workload } from "./workload.ts";

/**
 * A pod that was made anew and still runs what stood behind its tag before: its node had that already. Says so in words; null
 * where none does, or where it is not known what ran before.
 */
export function staleDigest({ digests }: Workload, running: readonly ContainerDigest[]): string | null {
  const { former = [], last = {} } = digests ?? {};
  // Not only the newest: a node that kept the old once keeps it at every push.
  const isFormer = ({ container, digest }: ContainerDigest) => former.some((before) => before[container] === digest);
  const stale = running.find((one) => one.digest !== last[one.container] && isFormer(one));
  if (stale === undefined) return null;
  return `a new pod still runs ${stale.digest} in container ${stale.container}: is its imagePullPolicy Always?`;
}
