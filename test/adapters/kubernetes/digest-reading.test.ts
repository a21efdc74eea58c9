import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Bench, openBench } from "../../contracts/cluster/harness.ts";
import { testTrackedContainers, testKnownDigests } from "../../contracts/cluster/digests/reading.ts";
import { startCluster } from "./embedded-cluster.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

describe.for(["Deployment", "DaemonSet"] as const)("the digests of a %s tracked by digest", (kind) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench(cluster.kubeConfig);
  });
  afterEach(() => bench.close());

  testTrackedContainers(() => bench, kind);
  testKnownDigests(() => bench, kind);
});
