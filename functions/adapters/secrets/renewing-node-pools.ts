import type { NodePools } from "../../ports/node-pools.ts";
import { renewing, type Source } from "./renewing.ts";

/** Node pools behind a kubeconfig that may be rotated: a call that was refused for it is repeated under the next one. */
export function renewingNodePools(source: Source<NodePools>): NodePools {
  const { call } = renewing(source);
  return {
    list: () => call((pools) => pools.list()),
    read: (ref) => call((pools) => pools.read(ref)),
    nodes: (form) => call((pools) => pools.nodes(form)),
    write: (pool, node, step) => call((pools) => pools.write(pool, node, step)),
    remember: (node, told) => call((pools) => pools.remember(node, told)),
    pods: (node) => call((pools) => pools.pods(node)),
    evict: (pod) => call((pools) => pools.evict(pod)),
    claim: (pool, execution) => call((pools) => pools.claim(pool, execution)),
    release: (pool, isLetGo) => call((pools) => pools.release(pool, isLetGo)),
    saveStatus: (pool, status) => call((pools) => pools.saveStatus(pool, status)),
    setPaused: (pool, paused) => call((pools) => pools.setPaused(pool, paused)),
    report: (node, report) => call((pools) => pools.report(node, report)),
    pullSecret: (ref) => call((pools) => pools.pullSecret(ref)),
    announce: (subject, announcement) => call((pools) => pools.announce(subject, announcement)),
  };
}
