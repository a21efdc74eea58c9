import { readFileSync } from "node:fs";
import { synthesise } from "../synthesized-stack.ts";

interface ConfigInput {
  readonly clusters: readonly { readonly name: string }[];
}

const allSettings = {
  tagCacheSeconds: 60,
  usePullSecrets: true,
  runCommand: { instanceTag: { key: "kubernetes.io/cluster/production", value: "owned" } },
};

/** Synthesizes the example with all node pool settings for `production`, the defaults for `edge`, and more settings for both. */
export function withNodePools(more: object = {}) {
  const input = JSON.parse(readFileSync("infra/config/pawl.example.json", "utf8")) as ConfigInput;
  const clusters = input.clusters.map((cluster) => ({
    ...cluster,
    ...more,
    nodePools: cluster.name === "production" ? allSettings : {},
  }));
  return synthesise({ ...input, clusters });
}
