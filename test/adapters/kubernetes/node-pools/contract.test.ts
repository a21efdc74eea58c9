import { afterAll } from "vitest";
import type { EmbeddedCluster } from "../../../../infra/local/cluster/embedded-cluster.ts";
import { nodePoolCrds } from "../../../../infra/local/cluster/node-pool-crds.ts";
import { describeNodePools } from "../../../contracts/node-pools.ts";
import { embedded } from "../embedded.ts";

let cluster: EmbeddedCluster | undefined;

describeNodePools("the embedded cluster", async () => {
  const started = await embedded({ secondsToEnd: 0, objects: nodePoolCrds() });
  cluster = started;
  return { kubeConfig: started.kubeConfig, budgets: "policy/v1" };
});

afterAll(() => cluster?.close());
