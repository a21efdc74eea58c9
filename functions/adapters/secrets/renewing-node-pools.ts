import type { NodePools } from "../../ports/node-pools.ts";
import { renewing, type Source } from "./renewing.ts";

/** Node pools behind a kubeconfig that may be rotated: a call that was refused for it is repeated under the next one. */
export function renewingNodePools(source: Source<NodePools>): NodePools {
  const kept = renewing(source);
  return {
    list: () => kept.call((pools) => pools.list()),
    read: (ref) => kept.call((pools) => pools.read(ref)),
    nodes: (form) => kept.call((pools) => pools.nodes(form)),
    write: (pool, node, step) => kept.call((pools) => pools.write(pool, node, step)),
    remember: (node, told) => kept.call((pools) => pools.remember(node, told)),
    pods: (node) => kept.call((pools) => pools.pods(node)),
    evict: (pod) => kept.call((pools) => pools.evict(pod)),
    claim: (pool, execution) => kept.call((pools) => pools.claim(pool, execution)),
    release: (pool, isLetGo) => kept.call((pools) => pools.release(pool, isLetGo)),
    saveStatus: (pool, status) => kept.call((pools) => pools.saveStatus(pool, status)),
    setPaused: (pool, paused) => kept.call((pools) => pools.setPaused(pool, paused)),
    report: (node, report) => kept.call((pools) => pools.report(node, report)),
    pullSecret: (ref) => kept.call((pools) => pools.pullSecret(ref)),
    announce: (subject, announcement) => kept.call((pools) => pools.announce(subject, announcement)),
  };
}
