import { describe, expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { collectBatches } from "../../../../functions/handlers/collect-batches.ts";
import { Throttled, Unreachable } from "../../../../functions/ports/errors.ts";
import { pollToCompletion } from "../../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { selecting } from "../fixtures.ts";
import { createManyPorts, createWorkloads, namesOf } from "../many-workloads.ts";
import { chunks, ExitError, hosts, inProcess, metric, small } from "./in-process.ts";
import { imageTarget } from "../../../support/workloads.ts";

describe("a batch that fails", () => {
  const workloads = createWorkloads(60, hosts);

  test("because AWS could not run it is repeated as it is", async () => {
    const ports = createManyPorts(workloads);
    const { batches, tasks } = inProcess(ports, ({ round }) => {
      if (round === 1) throw new Throttled("no", null);
    });
    expect(await pollToCompletion(ports, { ...small, tasks })).toMatchObject({ evaluated: 60, unreached: 0 });
    const [first, second] = [1, 2].map((wanted) => batches.filter(({ round }) => round === wanted).length);
    expect(second).toBe(first);
    expect(metric(ports, "pawl_errors_total")).toHaveLength(first ?? 0);
    expect(metric(ports, "pawl_polls_total")).toHaveLength(2);
    expect(ports.started().toSorted()).toEqual(namesOf(workloads));
  });

  test("of selected workloads is no heartbeat either", async () => {
    const ports = createManyPorts(workloads);
    const { tasks } = inProcess(ports, ({ round }) => {
      if (round === 1) throw new Throttled("no", null);
    });
    const options = { ...small, tasks, selected: {} };
    expect(await pollToCompletion(ports, options)).toMatchObject({ evaluated: 60, unreached: 0 });
    expect(metric(ports, "pawl_polls_total")).toEqual([]);
  });

  test("again and again ends the poll as incomplete; all others are polled", async () => {
    const ports = createManyPorts(workloads);
    const lost = new Set<string>();
    const { tasks } = inProcess(ports, ({ batch, round }, inBatch) => {
      if (round === 1 && batch.bucket % 4 !== 0) return;
      for (const { ref } of inBatch) lost.add(ref.name);
      throw new Unreachable("no");
    });
    const report = await pollToCompletion(ports, { ...small, tasks });
    expect(report).toMatchObject({ evaluated: 60 - lost.size, unreached: lost.size, quarantined: 0 });
    expect(lost.size).toBeGreaterThan(0);
    expect(ports.started()).toHaveLength(60 - lost.size);
  });

  test("after it started updates starts none of them again", async () => {
    const ports = createManyPorts(workloads);
    const { tasks } = inProcess(ports, () => undefined);
    let kills = 3;
    const pollBatch: typeof tasks.pollBatch = async (input) => {
      const output = await tasks.pollBatch(input);
      if (kills-- > 0) throw new ExitError("signal: killed");
      return output;
    };
    const report = await pollToCompletion(ports, { ...small, tasks: { pollBatch } });
    expect(report).toMatchObject({ evaluated: 60, unreached: 0, quarantined: 0 });
    expect(ports.started().toSorted()).toEqual(namesOf(workloads));
  });

  test("without a result that can be read is not taken for polled", async () => {
    const ports = createManyPorts(workloads);
    await pollCluster(ports, small);
    const [{ input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
    const results = [
      null,
      "x",
      { batch: input.batches[0], kind: "polled" },
      { batch: input.batches[1], kind: "failed" },
    ];
    const next = await collectBatches(ports, { ...input, results });
    expect(next).toMatchObject({ outcome: "again", round: 2, totals: { failedBatches: input.batches.length } });
    expect(next.batches.reduce((total, { from, to }) => total + to - from, 0)).toBe(60);
  });
});

describe("a workload that ends the function", () => {
  const workloads = createWorkloads(60, hosts);
  const killers = (names: readonly string[]) => (_: unknown, inBatch: readonly Workload[]) => {
    if (inBatch.some(({ ref }) => names.includes(ref.name))) throw new ExitError("signal: killed");
  };

  test.for([{ names: ["w-7"] }, { names: ["w-7", "w-8", "w-31"] }])(
    "$names: is found and quarantined; all others are polled",
    async ({ names }) => {
      const ports = createManyPorts(workloads);
      const { tasks } = inProcess(ports, killers(names));
      const report = await pollToCompletion(ports, { ...small, tasks });
      expect(report).toMatchObject({ evaluated: 60 - names.length, unreached: 0, quarantined: names.length });
      expect(ports.started().toSorted()).toEqual(namesOf(workloads).filter((name) => !names.includes(name)));
      const quarantined = ports.cluster.all().filter(({ backOff }) => backOff?.reason === "Quarantined");
      expect(namesOf(quarantined)).toEqual(names.toSorted());
      expect(metric(ports, "pawl_poll_quarantined_total")).toMatchObject([{ value: names.length }]);
      expect(metric(ports, "pawl_poll_errors_total")).toMatchObject([{ value: 0 }]);
    },
  );

  test("is left out by the next polls, and polled again after that", async () => {
    const ports = createManyPorts(workloads);
    await pollToCompletion(ports, { ...small, tasks: inProcess(ports, killers(["w-7"])).tasks });
    for (const options of [small, {}]) {
      const { batches, tasks } = inProcess(ports, killers(["w-7"]));
      expect(await pollToCompletion(ports, { ...options, tasks })).toMatchObject({ evaluated: 59, quarantined: 1 });
      expect(new Set(batches.map(({ round }) => round)).size).toBeLessThanOrEqual(1);
    }
    ports.pass(16 * 60);
    expect(await pollToCompletion(ports, small)).toMatchObject({ evaluated: 60, quarantined: 0 });
    expect(ports.started()).toContain("w-7");
  });

  test("that was stalled before is stalled again after that, until a person asks", async () => {
    const stalled = {
      reason: "Failed",
      message: "a bug",
      target: imageTarget("a.example/shop/r-3:1.1.0"),
      attempts: 3,
      until: new Date(0),
      execution: null,
    } as const;
    const ports = createManyPorts(
      workloads.map((one) => (one.ref.name === "w-7" ? { ...one, backOff: stalled } : one)),
    );
    await pollToCompletion(ports, { ...small, tasks: inProcess(ports, killers(["w-7"])).tasks });
    expect(ports.cluster.get("uid-of-w-7").backOff).toMatchObject({ reason: "Quarantined", suspended: stalled });
    for (let poll = 0; poll < 2; poll += 1) {
      ports.pass(16 * 60);
      expect(await pollToCompletion(ports, small)).toMatchObject({ evaluated: 60, quarantined: 0 });
      expect(ports.cluster.get("uid-of-w-7").backOff).toEqual(stalled);
    }
    expect(ports.started()).not.toContain("w-7");
    ports.cluster.put({ ...ports.cluster.get("uid-of-w-7"), request: { verb: "retry", argument: null, token: "t" } });
    await pollToCompletion(ports, small);
    expect(ports.started()).toContain("w-7");
  });

  test("is polled again at once after a retry", async () => {
    const ports = createManyPorts(workloads);
    await pollToCompletion(ports, { ...small, tasks: inProcess(ports, killers(["w-7"])).tasks });
    ports.cluster.put({ ...ports.cluster.get("uid-of-w-7"), request: { verb: "retry", argument: null, token: "t" } });
    expect(await pollToCompletion(ports, small)).toMatchObject({ evaluated: 60, quarantined: 0 });
    expect(ports.cluster.get("uid-of-w-7")).toMatchObject({ backOff: null, lastRequest: { token: "t" } });
    expect(ports.started()).toContain("w-7");
  });

  test.for(["push", "nonsense", "reset failed"])(
    "is answered, and not evaluated, if a person asks for %s",
    async (ask) => {
      const ports = createManyPorts(workloads);
      await pollToCompletion(ports, { ...small, tasks: inProcess(ports, killers(["w-7"])).tasks });
      const [verb = "", argument = null] = ask.split(" ");
      ports.cluster.put({ ...ports.cluster.get("uid-of-w-7"), request: { verb, argument, token: "t" } });
      const before = ports.listed.length;
      await pollCluster(ports, selecting("w-7"));
      expect(ports.cluster.get("uid-of-w-7")).toMatchObject({ request: null, lastRequest: { token: "t" } });
      const isLifted = ask === "reset failed";
      expect(ports.listed).toHaveLength(before + (isLifted ? 1 : 0));
      expect(ports.started().includes("w-7")).toBe(isLifted);
    },
  );

  test("is quarantined also if it changed since it was listed", async () => {
    const ports = createManyPorts(workloads);
    const killing = killers(["w-7"]);
    const { tasks } = inProcess(ports, (input, inBatch) => {
      if (inBatch.length === 1) ports.cluster.put(ports.cluster.get("uid-of-w-7"));
      killing(input, inBatch);
    });
    expect(await pollToCompletion(ports, { ...small, tasks })).toMatchObject({ quarantined: 1 });
  });

  test("that cannot be recorded makes the poll incomplete", async () => {
    const record = {
      resourceVersion: null,
      state: "unavailable",
      isManaged: true,
      claimedElsewhereUntil: null,
    } as const;
    const ports = createManyPorts(workloads.map((one) => (one.ref.name === "w-7" ? { ...one, record } : one)));
    const { tasks } = inProcess(ports, killers(["w-7"]));
    const warnings: string[] = [];
    const report = await pollToCompletion(ports, { ...small, tasks, warn: (message) => warnings.push(message) });
    expect(report).toMatchObject({ evaluated: 59, unreached: 1, quarantined: 0 });
    expect(warnings).toContain("workload not quarantined");
  });

  test("is nobody's fault if every batch ends so", async () => {
    const ports = createManyPorts(workloads);
    const { tasks } = inProcess(ports, () => {
      throw new ExitError("a defect of all");
    });
    expect(await pollToCompletion(ports, { ...small, tasks })).toMatchObject({
      evaluated: 0,
      unreached: 60,
      quarantined: 0,
    });
    expect(chunks(ports)).toEqual([]);
  });
});
