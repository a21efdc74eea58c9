import { expect, test } from "vitest";
import { checksHere } from "../../functions/polling/checks-here.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { FakeCluster } from "../support/fake-cluster.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { resting, tags } from "./shop.ts";

const settledOn = "registry.example/shop/app:1.1.0";

/** Workloads a and b, both up to date; `meddle` is called before each write to a, with how many there were before. */
function meddledWith(meddle: (ports: FakePorts, writes: number) => void): FakePorts {
  const workloads = ["a", "b"].map((name) => resting(name, settledOn));
  const ports = fakePorts({ workloads, tags: { "shop/app": tags } });
  let writes = 0;
  const cluster: FakeCluster = {
    ...ports.cluster,
    change(seen, wanted) {
      if (seen.ref.name === "a") meddle(ports, writes++);
      return ports.cluster.change(seen, wanted);
    },
  };
  return { ...ports, cluster, checks: checksHere({ ...ports, cluster }) };
}

test("what was changed while it was looked at is read and decided anew", async () => {
  const byHand = resting("a", "registry.example/shop/app:1.0.9");
  const ports = meddledWith(({ cluster }, writes) => {
    if (writes === 0) cluster.put(byHand);
  });
  expect(await pollCluster(ports)).toMatchObject({ looked: 2, started: 1, recorded: 1, failed: [] });
  expect(ports.executions.started).toMatchObject([{ input: { workload: byHand.ref, image: settledOn } }]);
});

test("what changes all the time is reported, and keeps no other from its turn", async () => {
  let looks = 0;
  const ports = meddledWith(({ cluster }) => {
    looks += 1;
    cluster.put(resting("a", settledOn));
  });
  const report = await pollCluster(ports);
  expect(report).toMatchObject({ looked: 2, held: 1, recorded: 1 });
  expect(report.failed).toMatchObject([{ workload: { name: "a" }, error: "Conflict" }]);
  expect(looks).toBe(4);
  expect(ports.cluster.get("uid-of-a").bookkeeping.currentVersion).toBeNull();
  expect(ports.cluster.get("uid-of-b").bookkeeping.currentVersion).toBe("1.1.0");
});

test("what was deleted while it was looked at is reported", async () => {
  const ports = meddledWith(({ cluster }) => cluster.remove("uid-of-a"));
  const report = await pollCluster(ports);
  expect(report).toMatchObject({ looked: 2, recorded: 1, failed: [{ workload: { name: "a" }, error: "Conflict" }] });
});
