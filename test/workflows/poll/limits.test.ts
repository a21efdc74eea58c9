import { describe, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import type { PollLease } from "../../../functions/ports/poll-lease.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { Killed, killedAt } from "../../support/fake-ports.ts";
import { inFlight, policy, target, type WorkloadParts } from "../../support/workloads.ts";
import { selecting } from "./fixtures.ts";
import { many, portsOf, shared } from "./limited-ports.ts";

describe("a poll", () => {
  test("starts a tenth of the workloads, and tells the others their position", async () => {
    const { ports, started, gateOf } = portsOf(many(300));
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 300, started: 30, held: 270, failures: 0 });
    expect(started().toSorted()).toEqual(many(30).map(({ ref }) => ref.name));
    const message = "7th of 270 that wait: at most 30 workloads are updated at a time";
    expect(await gateOf("w-036")).toMatchObject({ reason: "LimitReached", message, liftedBy: "pawl push" });
    expect((await gateOf("w-299"))?.message).toContain("behind 100 that wait");
  });

  test("starts a scheduled workload that waited for its place, and its step applies the update", async () => {
    const scheduled = { policy: { ...policy, schedule: "0 12 * * *", scheduleToleranceSeconds: 3600 } };
    const { ports, started, claim } = portsOf([shared("a"), shared("b", scheduled)], { maxConcurrent: 1 });
    const read = async (name: string) => (await ports.cluster.read(shared(name).ref)) as Workload;
    expect(await pollCluster(ports)).toMatchObject({ started: 1, held: 1 });
    await claim();
    const { lastCheck } = (await read("b")).updateRecord;
    ports.pass(300);
    await pollCluster(ports);
    expect((await read("b")).updateRecord.lastCheck).toEqual(lastCheck);
    ports.cluster.put({ ...(await read("a")), inFlight: null });
    for (const { name } of ports.executions.running()) ports.executions.finish(name);
    ports.pass(300);
    await pollCluster(ports);
    expect(started()).toEqual(["a", "b"]);
    const [, { name, input }] = ports.executions.started as never as [never, { name: string; input: object }];
    const step = { ...input, execution: name, executionStartedAt: ports.now().toISOString() } as never;
    expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
    expect((await read("b")).gates ?? []).toEqual([]);
  });

  test("starts no more while executions have no claim yet, and while they move pods", async () => {
    const { ports, claim } = portsOf(many(20), { maxConcurrent: 4 });
    expect(await pollCluster(ports)).toMatchObject({ started: 4 });
    expect(await pollCluster(ports)).toMatchObject({ started: 0 });
    await claim();
    expect(await pollCluster(ports)).toMatchObject({ started: 0, inFlight: 4 });
    ports.executions
      .running()
      .slice(0, 1)
      .forEach(({ name }) => ports.executions.finish(name));
    // Its claim is adopted, and moves pods.
    expect(await pollCluster(ports)).toMatchObject({ started: 0, adopted: 1 });
  });

  test("starts more as soon as updates only bake", async () => {
    const { ports, claim } = portsOf(many(20), { maxConcurrent: 4 });
    await pollCluster(ports);
    const observation = { kind: "baking", since: ports.now() } as const;
    await claim({ inFlight: { ...inFlight, observation } as NonNullable<Workload["inFlight"]> });
    for (const { name } of ports.executions.running()) ports.executions.finish(name);
    const report = await pollCluster(ports);
    expect(report).toMatchObject({ started: 4 });
  });

  test("lets those that wait longest start first, and keeps since when they wait", async () => {
    const { ports, started, gateOf, claim } = portsOf(many(8), { maxConcurrent: 2 });
    await pollCluster(ports);
    const since = (await gateOf("w-005"))?.since;
    expect(since).toEqual(ports.now());
    await claim({ inFlight: null });
    for (const { name } of ports.executions.running()) ports.executions.finish(name);
    ports.cluster.put(shared("a-new"));
    ports.pass(300);
    await pollCluster(ports);
    expect(started().toSorted()).toEqual(["w-000", "w-001", "w-002", "w-003"]);
    expect((await gateOf("w-005"))?.since).toEqual(since);
  });

  test("keeps since when they wait while a window is closed, so that none at the end of a list starves", async () => {
    const windows = [{ schedule: "0 12 * * *", durationSeconds: 600 }];
    const daily = (name: string) => shared(name, { policy: { ...policy, windows } });
    const names = ["x-0", "x-1", "x-2", "x-3", "x-4", "x-5"];
    const { ports, started, claim } = portsOf(names.map(daily), { maxConcurrent: 2 });
    for (let day = 0; day < 3; day += 1) {
      // Each day others want an update too, whose names come first.
      for (const one of [0, 1]) if (day > 0) ports.cluster.put(daily(`a-${day}-${one}`));
      expect(await pollCluster(ports)).toMatchObject({ started: 2, failures: 0 });
      await claim({ inFlight: null });
      for (const { name } of ports.executions.running()) ports.executions.finish(name);
      ports.pass(3600);
      expect(await pollCluster(ports)).toMatchObject({ started: 0, failures: 0 });
      ports.pass(23 * 3600);
    }
    expect(started().toSorted()).toEqual(names);
  });

  test("starts the earliest wave, and the next once nobody has to run the version", async () => {
    const wave = (name: string, order: number, parts: WorkloadParts = {}) =>
      shared(name, { policy: { ...policy, wave: order }, ...parts });
    const held = [
      wave("suspended", 0, { policy: { ...policy, paused: true } }),
      wave("done", 0, { image: target, source: target }),
    ];
    const { ports, started, gateOf } = portsOf([wave("late", 1), wave("early", 0), ...held, wave("x", 2)]);
    await pollCluster(ports);
    expect(started()).toEqual(["early"]);
    const message = "an earlier wave has yet to run 1.1.0: deployment/early";
    expect(await gateOf("late")).toMatchObject({ reason: "EarlierWave", message });
    for (const { name } of ports.executions.running()) ports.executions.finish(name);
    ports.cluster.put(wave("early", 0, { updateRecord: { failedVersions: ["1.1.0"] } }));
    await pollCluster(ports);
    expect(started()).toEqual(["early"]);
    expect(await gateOf("late")).toMatchObject({
      reason: "EarlierWaveFailed",
      liftedBy: "pawl retry of deployment/early",
    });
    ports.cluster.put(wave("early", 0, { image: target, source: target }));
    await pollCluster(ports);
    expect(started()).toEqual(["early", "late"]);
  });

  test("starts what a person asked for in any case", async () => {
    const request = { verb: "push", argument: "1.1.0", token: "t" } as const;
    const { ports, started } = portsOf(many(4), { maxConcurrent: 1 });
    await pollCluster(ports);
    ports.cluster.put(shared("asked", { request }));
    await pollCluster(ports);
    expect(started()).toEqual(["w-000", "asked"]);
  });

  test("starts nothing if it is not known what runs", async () => {
    const { ports, gateOf } = portsOf(many(6), { maxConcurrent: 2 });
    const listRunning = () => Promise.reject(new Unreachable("ListExecutions: no answer"));
    const report = await pollCluster({ ...ports, executions: { ...ports.executions, listRunning } });
    expect(report).toMatchObject({ started: 0, held: 6, failures: 0 });
    expect(await gateOf("w-001")).toMatchObject({ reason: "LimitsUnknown" });
    expect(await pollCluster(ports)).toMatchObject({ started: 2 });
  });

  test.for(["before start", "after start"] as const)(
    "that is killed %s starts no more than the limit with the next",
    async (moment) => {
      const { ports, claim } = portsOf(many(6), { maxConcurrent: 2 }, killedAt(moment));
      const first = await pollCluster(ports);
      expect(first.failed.map(({ error }) => error)).toEqual([new Killed("").name]);
      await claim();
      await pollCluster(ports);
      expect(ports.executions.started).toHaveLength(2);
    },
  );
});

describe("a poll of selected workloads", () => {
  const push = selecting("w-001", "w-002", "w-003", "w-004", "w-005");

  function leaseOf(holder: string | null): PollLease & { readonly calls: string[] } {
    const calls: string[] = [];
    return {
      calls,
      async acquire(poll) {
        calls.push(`acquire ${poll.slice(0, 9)}`);
        return holder === null ? { kind: "held", takenOverFrom: null } : { kind: "taken", by: holder };
      },
      release: async (poll) => void calls.push(`release ${poll.slice(0, 9)}`),
    };
  }

  test("takes the Lease while its updates start", async () => {
    const { ports } = portsOf(many(6), { maxConcurrent: 2 });
    const pollLease = leaseOf(null);
    expect(await pollCluster({ ...ports, pollLease }, push)).toMatchObject({ started: 2 });
    expect(pollLease.calls).toEqual(["acquire selected-", "release selected-"]);
  });

  test("gives no place that others wait for", async () => {
    const { ports, started, gateOf } = portsOf(many(3), { maxConcurrent: 1 });
    expect(await pollCluster({ ...ports, pollLease: leaseOf("other") }, selecting("w-002"))).toMatchObject({ held: 1 });
    ports.pass(60);
    expect(await pollCluster({ ...ports, pollLease: leaseOf(null) }, selecting("w-000"))).toMatchObject({ started: 0 });
    expect(await gateOf("w-000")).toMatchObject({ reason: "LimitReached" });
    ports.pass(60);
    await pollCluster(ports);
    expect(started()).toEqual(["w-002"]);
  });

  test("nominates its workloads if a poll is in progress, and the next poll starts them first", async () => {
    const { ports, started, gateOf } = portsOf(many(6), { maxConcurrent: 1 });
    expect(await pollCluster({ ...ports, pollLease: leaseOf("other") }, push)).toMatchObject({ started: 0, held: 5 });
    expect((await gateOf("w-001"))?.message).toBe("it waits for a place, which the next poll assigns");
    ports.pass(60);
    await pollCluster(ports);
    expect(started()).toEqual(["w-001"]);
  });

  test("that was killed with the Lease has no effect on the next poll", async () => {
    const { ports } = portsOf(many(3));
    const acquire = async () => ({ kind: "held", takenOverFrom: "installation selected-1" }) as const;
    expect(await pollCluster({ ...ports, pollLease: { ...ports.pollLease, acquire } })).toMatchObject({
      deferred: 0,
      started: 3,
    });
  });
});

describe("a poll in batches", () => {
  const small = { maxWorkloads: 3 };

  test("starts what waited before, and nominates what it finds", async () => {
    const { ports, started, gateOf } = portsOf(many(8), { maxConcurrent: 2 });
    expect(await pollToCompletion(ports, small)).toMatchObject({ evaluated: 8, started: 0, held: 8 });
    ports.pass(300);
    expect(await pollToCompletion(ports, small)).toMatchObject({ started: 2, held: 6 });
    expect(started().toSorted()).toEqual(["w-000", "w-001"]);
    expect((await gateOf("w-003"))?.message).toBe("2nd of 6 that wait: at most 2 workloads are updated at a time");
  });

  test("starts nothing if it is not known what runs", async () => {
    const { ports } = portsOf(many(8), { maxConcurrent: 2 });
    await pollToCompletion(ports, small);
    const listRunning = () => Promise.reject(new Unreachable("no answer"));
    const executions = { ...ports.executions, listRunning };
    expect(await pollToCompletion({ ...ports, executions }, small)).toMatchObject({ started: 0 });
  });
});
