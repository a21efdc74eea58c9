import { describe, expect, test } from "vitest";
import { collectBatchesInput, type FanOutState } from "../../../../functions/contract/poll-fanout.ts";
import { assertInput } from "../../../../functions/contract/validate.ts";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { pollToCompletion } from "../../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { runInProcess } from "../../../../functions/workflows/poll/fan-out/run-in-process.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { idleWorkload, namedUpdatingWorkload } from "../fixtures.ts";
import { createManyPorts, createWorkloads, namesOf } from "../many-workloads.ts";
import { chunks, hosts, metric, small } from "./in-process.ts";

describe("a poll of more workloads than fit into memory", () => {
  test("lists the cluster once, and polls each workload and asks for each repository once", async () => {
    const workloads = createWorkloads(95, hosts);
    let lists = 0;
    const ports = createManyPorts(workloads, undefined, (moment) => void (lists += moment === "before list" ? 1 : 0));
    const report = await pollToCompletion(ports, small);
    expect(lists).toBe(1);
    expect(ports.started().toSorted()).toEqual(namesOf(workloads));
    expect(ports.listed.toSorted()).toEqual([...new Set(ports.listed)].toSorted());
    expect(report).toMatchObject({
      evaluated: 95,
      started: 95,
      deferred: 0,
      unreached: 0,
      failures: 0,
      quarantined: 0,
    });
    expect(chunks(ports)).toEqual([]);
  });

  test("leaves the work list to the machine, which is named after the poll, and keeps the lease", async () => {
    const ports = createManyPorts(createWorkloads(25, hosts));
    const leased: string[] = [];
    const pollLease = {
      acquire: async (poll: string) => (leased.push(`acquire ${poll}`), { kind: "held" as const, takenOverFrom: null }),
      release: async (poll: string) => void leased.push(`release ${poll}`),
    };
    expect(await pollCluster({ ...ports, pollLease }, small)).toMatchObject({
      evaluated: 0,
      deferred: 25,
      unreached: 0,
    });
    const [{ name, input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
    expect(leased).toEqual([`acquire ${name}`]);
    expect(input).toMatchObject({ cluster: "production", poll: name, round: 1, totals: { evaluated: 0 } });
    expect(input.batches.reduce((total, { from, to }) => total + to - from, 0)).toBe(25);
    assertInput(collectBatchesInput, { ...(JSON.parse(JSON.stringify(input)) as FanOutState), results: [] });
    expect(ports.started()).toEqual([]);
    expect(metric(ports, "pawl_polls_total")).toEqual([]);
  });

  test("records the metrics of the whole poll once", async () => {
    const open = idleWorkload("open", undefined, { updateRecord: { circuitOpen: true } });
    const ports = createManyPorts([...createWorkloads(38, hosts), namedUpdatingWorkload("moving"), open]);
    await pollToCompletion(ports, small);
    const names = ["pawl_polls_total", "pawl_poll_duration_seconds", "pawl_in_flight", "claw_autoupdate_circuit_open"];
    for (const name of names) expect(metric(ports, name)).toHaveLength(1);
    const checks = metric(ports, "claw_autoupdate_checks_total").reduce((total, { value }) => total + value, 0);
    expect(checks).toBe(40);
  });

  test("counts errors over all batches, so that a cause is judged by the whole poll", async () => {
    const ports = createManyPorts(createWorkloads(60, hosts), (host) => {
      if (host === "b.example") throw new Unreachable("no answer");
    });
    expect(await pollToCompletion(ports, small)).toMatchObject({ evaluated: 60, started: 40, failures: 20 });
    expect(metric(ports, "pawl_errors_total")).toEqual([
      { name: "pawl_errors_total", value: 20, labels: { error: "Unreachable" } },
    ]);
    expect(metric(ports, "pawl_poll_errors_total")).toMatchObject([{ value: 20 }]);
    expect(metric(ports, "pawl_workload_errors_total")).toEqual([]);
  });

  test("reports what a batch did not reach before its deadline", async () => {
    const ports = createManyPorts(createWorkloads(40, hosts));
    const signal = AbortSignal.abort();
    await pollCluster(ports, small);
    const [{ input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
    const warnings: string[] = [];
    const end = await runInProcess(ports, input, { signal, warn: (message) => warnings.push(message) });
    expect(end).toMatchObject({ outcome: "incomplete", totals: { evaluated: 0, unreached: 40 } });
    expect(warnings).toContain("deadline reached");
    expect(metric(ports, "pawl_poll_unreached_total")).toMatchObject([{ value: 40 }]);
  });
});
