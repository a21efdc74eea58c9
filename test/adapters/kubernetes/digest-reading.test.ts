import { afterAll, afterEach, beforeEach, describe } from "vitest";
import { type Bench, openBench } from "../../contracts/cluster/bench.ts";
import { followedContainers, knownDigests } from "../../contracts/cluster/digests/reading.ts";
import { embedded } from "./embedded.ts";

const cluster = await embedded();
afterAll(() => cluster.close());

describe.for(["Deployment", "DaemonSet"] as const)("what is known of a %s followed by digest", (kind) => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench(cluster.kubeConfig);
  });
  afterEach(() => bench.close());

  followedContainers(() => bench, kind);
  knownDigests(() => bench, kind);
});
