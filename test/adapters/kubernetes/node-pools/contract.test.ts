import { afterAll } from "vitest";
import type { EmbeddedCluster } from "../../../../infra/local/kubernetes/cluster.ts";
import { nodePoolCrds } from "../../../../infra/local/kubernetes/crds.ts";
import { describeNodePools } from "../../../contracts/node-pools.ts";
import { startCluster } from "../embedded-cluster.ts";

let cluster: EmbeddedCluster | undefined;

describeNodePools("the embedded cluster", async () => {
  const started = await startCluster({ secondsToTerminate: 0, objects: nodePoolCrds() });
  cluster = started;
  return started.kubeConfig;
});

afterAll(() => cluster?.close());
