import { afterAll } from "vitest";
import type { EmbeddedCluster } from "../../../../infra/local/kubernetes/cluster.ts";
import { clusterContract } from "../../../contracts/cluster.ts";
import { startCluster } from "../embedded-cluster.ts";

const started: EmbeddedCluster[] = [];

async function connect() {
  const cluster = await startCluster();
  started.push(cluster);
  return cluster;
}

clusterContract("records and requests", "the embedded cluster", connect);
clusterContract("workloads", "the embedded cluster", connect);
clusterContract("canaries and digests", "the embedded cluster", connect);

afterAll(() => Promise.all(started.map((cluster) => cluster.close())));
