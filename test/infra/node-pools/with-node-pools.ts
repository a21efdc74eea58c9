import { readFileSync } from "node:fs";
import { synthesise } from "../synthesised.ts";

interface Written {
  readonly clusters: readonly { readonly name: string }[];
}

const everything = {
  tagResolutionSeconds: 60,
  pullSecrets: true,
  runCommand: { instanceTag: { key: "kubernetes.io/cluster/production", value: "owned" } },
};

/** The example, with all that there is about node pools for `production`, and no more than the defaults for `edge`. */
export function withNodePools() {
  const written = JSON.parse(readFileSync("infra/pawl.example.json", "utf8")) as Written;
  const clusters = written.clusters.map((cluster) => ({
    ...cluster,
    nodePools: cluster.name === "production" ? everything : {},
  }));
  return synthesise({ ...written, clusters });
}
