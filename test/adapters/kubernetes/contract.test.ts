import { afterAll } from "vitest";
import type { EmbeddedCluster } from "../../../infra/local/cluster/embedded-cluster.ts";
import { clusterContract } from "../../contracts/cluster.ts";
import { embedded } from "./embedded.ts";

let cluster: EmbeddedCluster | undefined;

clusterContract("the embedded cluster", async () => {
  const started = await embedded();
  cluster = started;
  return started;
});

afterAll(() => cluster?.close());
