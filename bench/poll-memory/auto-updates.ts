import { KubeConfig } from "@kubernetes/client-node";
import pLimit from "p-limit";
import { createKubernetesApi } from "../../functions/adapters/kubernetes/api.ts";
import { resource } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import type {
  AutoUpdateStatus,
  HistoryStatusEntry,
} from "../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";

const historyEntries = 50;
const failedVersions = 20;
const concurrentPatches = 16;

/** Gives every AutoUpdate of a namespace a full history, and returns how many there are. What a poll decides stays the same. */
export async function fillHistories(kubeconfig: string, namespace: string, image: string): Promise<number> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  const api = createKubernetesApi(kubeConfig);
  const limit = pLimit(concurrentPatches);
  let filled = 0;
  for await (const { items } of api.list(resource, namespace, () => "metadata")) {
    const fill = ({ metadata }: (typeof items)[number]) => {
      const status = fullStatus(image, filled++);
      return api.patch(resource, metadata, "application/merge-patch+json", { status }, "status");
    };
    await Promise.all(items.map((item) => limit(() => fill(item))));
  }
  return filled;
}

/** About 17 kB: every tenth update was rolled back, for a reason of full length, and every tenth object has digests. */
function fullStatus(image: string, index: number): AutoUpdateStatus {
  const digest = `sha256:${index.toString(16).padStart(64, "a")}`;
  return {
    history: Array.from({ length: historyEntries }, (_, step) => historyEntry(image, index, step)),
    failedVersions: Array.from({ length: failedVersions }, (_, step) => `0.9.${step}-rc.${index}`),
    lastUpdateTime: timeOf(historyEntries),
    ...(index % 10 === 0 ? { digests: { deployed: { app: digest }, previous: [{ app: digest }] } } : {}),
  };
}

function historyEntry(image: string, index: number, step: number): HistoryStatusEntry {
  const version = `0.${step}.${index}`;
  const execution = `bench-app-${index}-${version}-${index.toString(16).padStart(16, "0")}`;
  const common = {
    version,
    image: `${image}:${version}`,
    startedAt: timeOf(step),
    finishedAt: timeOf(step),
    execution,
  };
  if (step % 10 !== 0) return { ...common, result: "Healthy" };
  return {
    ...common,
    result: "RolledBack",
    reason: `${index}: 0 of 2 replicas are ready after 10 min; `.padEnd(256, "x"),
  };
}

function timeOf(step: number): string {
  return new Date(Date.UTC(2026, 0, 1 + step)).toISOString().replace(".000Z", "Z");
}
