import { expect, test } from "vitest";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { changeNamedWorkload } from "../../../cli/workloads/change.ts";
import { workload } from "../../support/workloads.ts";
import { fakeCluster } from "../fake-cluster.ts";

const [first, second, third] = ["1", "2", "3"].map((resourceVersion) => workload({ resourceVersion })) as [
  Workload,
  Workload,
  Workload,
];

function pauseOnce({ policy, resourceVersion }: Workload): Change | null {
  return policy.paused || resourceVersion === "3" ? null : { paused: true };
}

test("writes to the found version", async () => {
  const cluster = fakeCluster([]);
  expect(await changeNamedWorkload(cluster, first, pauseOnce)).toBe(first);
  expect(cluster.changes).toEqual([{ resourceVersion: "1", change: { paused: true } }]);
});

test("decides again after a conflict", async () => {
  const cluster = fakeCluster([], { conflicts: 1, reads: [second] });
  expect(await changeNamedWorkload(cluster, first, pauseOnce)).toBe(second);
  expect(cluster.changes).toEqual([{ resourceVersion: "2", change: { paused: true } }]);
});

test("writes nothing if the change is no longer needed", async () => {
  const cluster = fakeCluster([], { conflicts: 1, reads: [third] });
  expect(await changeNamedWorkload(cluster, first, pauseOnce)).toBeNull();
  expect(cluster.changes).toEqual([]);
});

test("throws NotFound if the workload was deleted meanwhile", async () => {
  const cluster = fakeCluster([], { conflicts: 1, reads: [null] });
  await expect(changeNamedWorkload(cluster, first, pauseOnce)).rejects.toMatchObject({ name: "NotFound" });
});

test("stops after the last attempt", async () => {
  const reads = Array.from({ length: 9 }, () => second);
  const cluster = fakeCluster([], { conflicts: 9, reads });
  await expect(changeNamedWorkload(cluster, first, pauseOnce)).rejects.toMatchObject({ name: "Conflict" });
});
