import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Harness, openHarness } from "../../../../contracts/cluster/harness.ts";
import { testTrackedContainers, testKnownDigests } from "../../../../contracts/cluster/digests/reading.ts";
import { startCluster } from "../../embedded-cluster.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

describe.for(["Deployment", "DaemonSet"] as const)("the digests of a %s tracked by digest", (kind) => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness(cluster.kubeConfig);
  });
  afterEach(() => harness.close());

  testTrackedContainers(() => harness, kind);
  testKnownDigests(() => harness, kind);
});
