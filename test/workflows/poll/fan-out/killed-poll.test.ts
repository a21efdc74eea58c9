import { expect, test } from "vitest";
import type { Batch } from "../../../../functions/domain/execution/poll-batches.ts";
import {
  type LeaseSpec,
  otherHolder,
  previousHolder,
  renewedLease,
} from "../../../../functions/domain/execution/poll-lease.ts";
import type { PollLease } from "../../../../functions/ports/poll-lease.ts";
import { pollToCompletion } from "../../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { runBatch } from "../../../../functions/workflows/poll/fan-out/run-batch.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { createManyPorts, createWorkloads, namesOf, type ManyPorts } from "../many-workloads.ts";
import { ExitError, hosts, inProcess } from "./in-process.ts";

function memoryLease({ now }: Pick<ManyPorts, "now">): PollLease {
  let spec: LeaseSpec = {};
  return {
    async acquire(poll) {
      const by = otherHolder(spec, poll, now());
      if (by !== null) return { kind: "taken", by };
      const takenOverFrom = previousHolder(spec, poll);
      spec = renewedLease(spec, poll, now());
      return { kind: "held", takenOverFrom };
    },
    async release(poll) {
      if (spec.holderIdentity === poll) spec = { ...spec, holderIdentity: null };
    },
  };
}

/** Returns a poll with one workload whose evaluation ends the function, with everything that was in its memory. */
function portsWithKiller(name: string) {
  const ports = createManyPorts(createWorkloads(60, hosts));
  const withLease = { ...ports, pollLease: memoryLease(ports) };
  const { tasks } = inProcess(withLease, (_, inBatch) => {
    if (inBatch.some(({ ref }) => ref.name === name)) throw new ExitError("signal: killed");
  });
  const killed = {
    ...withLease,
    executions: { ...ports.executions, start: () => new Promise<never>(() => undefined) },
  };
  return { ports: withLease, tasks, killed };
}

test("after a poll that was killed the next one finds the killer in batches, and the one after that needs none", async () => {
  const { ports, tasks, killed } = portsWithKiller("w-7");
  void pollCluster(killed);
  await expect.poll(() => ports.listed).toHaveLength(30);
  expect(await pollCluster(ports)).toMatchObject({ skipped: expect.stringContaining("another poll") as string });

  ports.pass(61);
  expect(await pollToCompletion(ports, { tasks })).toMatchObject({ evaluated: 59, unreached: 0, quarantined: 1 });
  expect(ports.cluster.get("uid-of-w-7").backOff).toMatchObject({ reason: "Quarantined" });
  expect(ports.started().toSorted()).toEqual(namesOf(ports.cluster.all()).filter((name) => name !== "w-7"));

  expect(await pollCluster(ports)).toMatchObject({ evaluated: 59, deferred: 0, quarantined: 1 });
  expect(ports.fanOutExecutions.started).toEqual([]);
});

test("the poll after that says whose lease it took over, and defers all its workloads", async () => {
  const { ports } = portsWithKiller("w-7");
  await ports.pollLease.acquire("killed");
  ports.pass(61);
  const warnings: [string, object][] = [];
  const warn = (message: string, about: object) => void warnings.push([message, about]);
  expect(await pollCluster(ports, { warn })).toMatchObject({ evaluated: 0, deferred: 60 });
  expect(warnings).toEqual([["the poll before did not end; polling in batches", { by: "killed" }]]);
});

test("a stopped execution keeps the lease a minute longer than its last batch; then all is polled in batches", async () => {
  const { ports, tasks } = portsWithKiller("none");
  expect(await pollCluster(ports, { maxWorkloads: 10 })).toMatchObject({ deferred: 60 });
  const [{ input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
  const { batches, ...state } = input;
  ports.pass(50);
  await runBatch(ports, { ...state, batch: batches[0] as Batch });
  ports.pass(59);
  expect(await pollCluster(ports)).toMatchObject({ skipped: expect.stringContaining(state.poll) as string });

  ports.pass(2);
  expect(await pollToCompletion(ports, { tasks })).toMatchObject({ evaluated: 60, unreached: 0, quarantined: 0 });
});

test("a poll after a release has one invocation", async () => {
  const { ports } = portsWithKiller("w-7");
  for (let poll = 0; poll < 2; poll += 1) {
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 60, deferred: 0 });
    ports.pass(3600);
  }
});
