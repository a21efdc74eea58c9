import { expect, test } from "vitest";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { pollCluster, pollToCompletion } from "../../../functions/workflows/poll/poll-cluster.ts";
import { once } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { lastContinuation, createWorkloads, createManyPorts, namesOf } from "./many-workloads.ts";
import { namedUpdatingWorkload, idleWorkload } from "./fixtures.ts";

const small = { maxWorkloads: 10 };
const hosts = ["a.example", "b.example", "c.example"];

test("workloads that do not fit are processed in further parts, each workload and each repository once", async () => {
  const workloads = createWorkloads(95, hosts);
  const ports = createManyPorts(workloads);
  const report = await pollToCompletion(ports, small);
  expect(ports.started().toSorted()).toEqual(namesOf(workloads));
  expect(report).toMatchObject({ evaluated: 95, started: 95, deferred: 0, unreached: 0 });
  // Only the repository at which a part ends is listed by two parts.
  expect(ports.listed.length - new Set(ports.listed).size).toBeLessThanOrEqual(10);
});

test("each part but the last defers the remaining workloads", async () => {
  const ports = createManyPorts(createWorkloads(25));
  const first = await pollCluster(ports, small);
  expect(first).toMatchObject({ part: 1, deferred: 25 - first.evaluated, unreached: 0 });
  expect(lastContinuation(ports)).toMatchObject({ laggingRegistries: {}, startedAt: noon.toISOString(), part: 2 });
  const second = await pollCluster(ports, { ...small, continuation: lastContinuation(ports) });
  expect(second).toMatchObject({ part: 2, deferred: first.deferred - second.evaluated });
  const third = await pollCluster(ports, { ...small, continuation: lastContinuation(ports) });
  expect(third).toMatchObject({ part: 3, evaluated: second.deferred, deferred: 0, unreached: 0 });
  for (const { evaluated } of [first, second]) expect([8, 9, 10]).toContain(evaluated);
  expect(ports.continuations).toHaveLength(2);
});

test("the first part records the cluster gauges, the last part the completed poll", async () => {
  const openCircuit = idleWorkload("open", undefined, { updateRecord: { circuitOpen: true } });
  const ports = createManyPorts([...createWorkloads(38), namedUpdatingWorkload("moving"), openCircuit]);
  const parts: Record<string, number>[] = [];
  const flush = () => {
    parts.push(Object.fromEntries(ports.metrics.pending.map(({ name, value }) => [name, value])));
    ports.metrics.flush();
  };
  await pollCluster(ports, small);
  flush();
  for (const continuation of ports.continuations) {
    ports.pass(60);
    await pollCluster(ports, { ...small, continuation });
    flush();
  }
  const [first, ...others] = parts;
  expect(others.length).toBeGreaterThan(2);
  expect(first).toMatchObject({ pawl_in_flight: 1, claw_autoupdate_circuit_open: 1 });
  expect(others.some((part) => "pawl_in_flight" in part)).toBe(false);
  expect(parts.map((part) => part["pawl_polls_total"] ?? 0)).toEqual(
    parts.map((_, at) => (at === others.length ? 1 : 0)),
  );
  expect(parts.at(-1)).toMatchObject({ pawl_poll_duration_seconds: 60 * others.length });
  expect(parts.reduce((sum, part) => sum + (part["claw_autoupdate_checks_total"] ?? 0), 0)).toBe(40);
});

test("a continuation that cannot be invoked is logged and counted; what the poll did so far counts", async () => {
  const breaks = once("before invokeNext", () => {
    throw new Unreachable("no answer");
  });
  const warnings: [string, object][] = [];
  const ports = createManyPorts(createWorkloads(25), undefined, breaks);
  const report = await pollCluster(ports, { ...small, warn: (message, about) => warnings.push([message, about]) });
  const { evaluated, unreached } = report;
  expect(report).toMatchObject({ started: evaluated, deferred: 0, unreached: 25 - evaluated });
  expect(warnings).toEqual([
    ["continuation invoke failed", { failure: "Unreachable", reason: "no answer" }],
    ["deadline reached", { workloads: unreached, registries: [] }],
  ]);
  const recorded = ports.metrics.pending.map(({ name, value }) => [name, value]);
  expect(recorded).toContainEqual(["pawl_poll_unreached_total", unreached]);
  expect(recorded).toContainEqual(["pawl_errors_total", 1]);
  expect(recorded).toContainEqual(["pawl_polls_total", 1]);
});

test("a poll has at most 16 parts and reports the workloads that it did not reach", async () => {
  const ports = createManyPorts(createWorkloads(100));
  const { evaluated, unreached } = await pollToCompletion(ports, { maxWorkloads: 5 });
  expect(evaluated).toBeGreaterThanOrEqual(16 * 4);
  expect(evaluated).toBeLessThanOrEqual(16 * 5);
  expect(unreached).toBe(100 - evaluated);
});

test("a poll of selected workloads has one part", async () => {
  const ports = createManyPorts(createWorkloads(25));
  const report = await pollCluster(ports, { ...small, isIncluded: ({ ref }) => ref.name !== "w-1" });
  expect(report).toMatchObject({ deferred: 0, unreached: 24 - report.evaluated });
  expect(ports.continuations).toEqual([]);
});

test("of many failures 50 are listed, and all are counted and logged", async () => {
  const warnings: string[] = [];
  const ports = createManyPorts(createWorkloads(120), () => Promise.reject(new Unreachable("no answer")));
  const report = await pollCluster(ports, { warn: (message) => warnings.push(message) });
  expect(report).toMatchObject({ evaluated: 120, failures: 120 });
  expect(report.failed).toHaveLength(50);
  expect(warnings).toHaveLength(120);
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_poll_errors_total", value: 120, labels: {} });
});
