import { expect, test } from "vitest";
import { createInProcessCheckRecorder } from "../../../functions/workflows/poll/record/record-check.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { FakeCluster } from "../../support/fake-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { idleWorkload, tags } from "./fixtures.ts";

const current = "registry.example/shop/app:1.1.0";

/** Returns workloads a and b, both up to date. `beforeWrite` is called before each write to a, with the number of earlier writes. */
function portsWithWriter(beforeWrite: (ports: FakePorts, writes: number) => void): FakePorts {
  const workloads = ["a", "b"].map((name) => idleWorkload(name, current));
  const ports = fakePorts({ workloads, tags: { "shop/app": tags } });
  let writes = 0;
  const cluster: FakeCluster = {
    ...ports.cluster,
    change(workload, change) {
      if (workload.ref.name === "a") beforeWrite(ports, writes++);
      return ports.cluster.change(workload, change);
    },
  };
  return { ...ports, cluster, checkRecorder: createInProcessCheckRecorder({ ...ports, cluster }) };
}

test("a workload that changed during its evaluation is read and evaluated again", async () => {
  const changed = idleWorkload("a", "registry.example/shop/app:1.0.9");
  const ports = portsWithWriter(({ cluster }, writes) => {
    if (writes === 0) cluster.put(changed);
  });
  expect(await pollCluster(ports)).toMatchObject({ evaluated: 2, started: 1, recorded: 1, failed: [] });
  expect(ports.executions.started).toMatchObject([{ input: { workload: changed.ref, target: { image: current } } }]);
});

test("a workload that changes all the time is reported, and affects no other", async () => {
  let attempts = 0;
  const ports = portsWithWriter(({ cluster }) => {
    attempts += 1;
    cluster.put(idleWorkload("a", current));
  });
  const report = await pollCluster(ports);
  expect(report).toMatchObject({ evaluated: 2, recorded: 1 });
  expect(report.failed).toMatchObject([{ workload: { name: "a" }, error: "Conflict" }]);
  expect(attempts).toBe(4);
  expect(ports.cluster.get("uid-of-a").updateRecord.currentVersion).toBeNull();
  expect(ports.cluster.get("uid-of-b").updateRecord.currentVersion).toBe("1.1.0");
});

test("a workload that was deleted during its evaluation is reported", async () => {
  const ports = portsWithWriter(({ cluster }) => cluster.remove("uid-of-a"));
  const report = await pollCluster(ports);
  expect(report).toMatchObject({ evaluated: 2, recorded: 1, failed: [{ workload: { name: "a" }, error: "Conflict" }] });
});
