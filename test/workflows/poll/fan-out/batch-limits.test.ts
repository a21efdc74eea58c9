import { expect, test } from "vitest";
import { collectRound } from "../../../../functions/workflows/poll/fan-out/collect-round.ts";
import { reportOf, runBatch } from "../../../../functions/workflows/poll/fan-out/run-batch.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { createCounters } from "../../../../functions/workflows/poll/report.ts";
import { createManyPorts, createWorkloads } from "../many-workloads.ts";
import { hosts, small } from "./in-process.ts";

async function started(count: number) {
  const ports = createManyPorts(createWorkloads(count, hosts));
  await pollCluster(ports, small);
  const [{ input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
  return { ports, input };
}

test("a batch ends by itself before its Task does, also if its function has more time", async () => {
  const { ports, input } = await started(60);
  const [batch = expect.fail("no batch")] = input.batches;
  const stuck = { ...ports, registry: { ...ports.registry, listTags: () => new Promise<never>(() => undefined) } };
  const before = Date.now();
  const output = await runBatch(stuck, { ...input, batch: { ...batch, seconds: 11 } });
  expect(output.report).toMatchObject({ evaluated: 0, unreached: batch.to - batch.from });
  expect(Date.now() - before).toBeLessThan(5000);
});

test("four workloads are quarantined at a time, and each in its turn", async () => {
  const { ports, input } = await started(60);
  const batches = input.batches.flatMap(({ bucket, to }) =>
    Array.from({ length: to }, (_, from) => ({ bucket, from, to: from + 1, attempt: 1, seconds: 60 })),
  );
  let [current, most] = [0, 0];
  const get: typeof ports.workList.get = async (key) => {
    current += 1;
    most = Math.max(most, current);
    const content = await ports.workList.get(key);
    await new Promise((resolve) => void setTimeout(resolve, 1));
    current -= 1;
    return content;
  };
  const results = batches.map((batch) => ({ batch, kind: "failed", error: { Error: "Runtime.OutOfMemory" } }));
  const totals = { ...input.totals, evaluated: 1 };
  const state = { ...input, round: 4, batches, totals, results };
  const output = await collectRound({ ...ports, workList: { ...ports.workList, get } }, state);
  expect(output).toMatchObject({ outcome: "complete", totals: { quarantined: 60 } });
  expect(most).toBe(4);
});

test("the report of a batch names five errors of a kind, and counts the others together", () => {
  const names = new Map(Array.from({ length: 30 }, (_, index) => [`E${index}`, 2]));
  const counters = { ...createCounters(() => undefined), errors: names, failures: names, refusals: names };
  const { errors, failures, refusals } = reportOf(counters, 0);
  expect(errors).toEqual({ E0: 2, E1: 2, E2: 2, E3: 2, E4: 2, Other: 50 });
  expect([failures, refusals]).toEqual([errors, errors]);
});
