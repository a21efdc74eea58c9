import { afterAll } from "vitest";
import type { EmbeddedCluster } from "../../../../infra/local/kubernetes/cluster.ts";
import { clusterContract } from "../../../contracts/cluster.ts";
import { startCluster } from "../embedded-cluster.ts";

let cluster: EmbeddedCluster | undefined;

clusterContract("the embedded cluster", async () => {
  const started = await startCluster();
  cluster = started;
  return started;
});

afterAll(() => cluster?.close());
