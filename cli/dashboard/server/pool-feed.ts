import type { KubeConfig } from "@kubernetes/client-node";
import { bootcNodeResource, poolResource } from "../../../functions/adapters/kubernetes/node-pools/resources.ts";
import { createPending } from "./pending.ts";
import { watchResource } from "./watch-resource.ts";

/** Calls `publish`, never twice at once, after node pools or their nodes have changed, at most twice a second. Returns how to stop it. */
export function openPoolFeed(
  kubeConfig: KubeConfig,
  publish: () => Promise<void>,
  onProblem: (source: string, problem: string | null) => void,
): () => void {
  const stopped = new AbortController();
  const changed = createPending(publish, 500);
  for (const resource of [poolResource, bootcNodeResource]) {
    const onChange = () => changed.request();
    const report = (problem: string | null) => onProblem(resource.plural, problem);
    const watched = { resource, namespace: null, onChange, onGap: onChange, onProblem: report };
    void watchResource(kubeConfig, watched, stopped.signal);
  }
  return () => {
    stopped.abort();
    changed.stop();
  };
}
