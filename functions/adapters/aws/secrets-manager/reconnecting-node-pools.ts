import type { NodePools } from "../../../ports/node-pools.ts";
import { withReconnect, type ConnectionSource } from "./reconnecting.ts";

/** Creates node pools whose kubeconfig is rotated: a call that gets a 401 is repeated with the next kubeconfig. */
export function reconnectingNodePools(source: ConnectionSource<NodePools>): NodePools {
  const connection = withReconnect(source);
  return {
    list: () => connection.call((pools) => pools.list()),
    read: (ref) => connection.call((pools) => pools.read(ref)),
    listNodes: (form) => connection.call((pools) => pools.listNodes(form)),
    write: (pool, node, step) => connection.call((pools) => pools.write(pool, node, step)),
    recordEmittedEvents: (node, emittedEvents) =>
      connection.call((pools) => pools.recordEmittedEvents(node, emittedEvents)),
    listPods: (node) => connection.call((pools) => pools.listPods(node)),
    evict: (pod) => connection.call((pools) => pools.evict(pod)),
    claim: (pool, execution) => connection.call((pools) => pools.claim(pool, execution)),
    release: (pool, isLetGo) => connection.call((pools) => pools.release(pool, isLetGo)),
    saveStatus: (pool, status) => connection.call((pools) => pools.saveStatus(pool, status)),
    setPaused: (pool, paused) => connection.call((pools) => pools.setPaused(pool, paused)),
    writeAgentReport: (node, report) => connection.call((pools) => pools.writeAgentReport(node, report)),
    pullSecret: (ref) => connection.call((pools) => pools.pullSecret(ref)),
    emitEvent: (subject, announcement) => connection.call((pools) => pools.emitEvent(subject, announcement)),
  };
}
