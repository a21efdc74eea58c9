import { expect, test } from "vitest";
import { Unreachable } from "../../functions/adapters/errors.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { pollEveryPart } from "../../functions/polling/poll-every-part.ts";
import { once } from "../support/fake-ports.ts";
import { noon } from "../support/workloads.ts";
import { lastOf, many, manyPorts, namesOf } from "./many.ts";
import { inFlightOf, resting } from "./shop.ts";

const few = { mostWorkloads: 10 };
const hosts = ["a.example", "b.example", "c.example"];

test("what does not fit is polled part after part, each workload once and each repository once", async () => {
  const workloads = many(95, hosts);
  const ports = manyPorts(workloads);
  const report = await pollEveryPart(ports, few);
  expect(ports.started().toSorted()).toEqual(namesOf(workloads));
  expect(report).toMatchObject({ looked: 95, started: 95, handedOn: 0, unreached: 0 });
  // Only the repository at which a part is cut is listed by both sides.
  expect(ports.listed.length - new Set(ports.listed).size).toBeLessThanOrEqual(10);
});

test("a part hands on how far it came, and the last of them nothing", async () => {
  const ports = manyPorts(many(25));
  const first = await pollCluster(ports, few);
  expect(first).toMatchObject({ part: 1, handedOn: 25 - first.looked, unreached: 0 });
  expect(lastOf(ports)).toMatchObject({ behind: {}, startedAt: noon.toISOString(), part: 2 });
  const second = await pollCluster(ports, { ...few, rest: lastOf(ports) });
  expect(second).toMatchObject({ part: 2, handedOn: first.handedOn - second.looked });
  const third = await pollCluster(ports, { ...few, rest: lastOf(ports) });
  expect(third).toMatchObject({ part: 3, looked: second.handedOn, handedOn: 0, unreached: 0 });
  for (const { looked } of [first, second]) expect([8, 9, 10]).toContain(looked);
  expect(ports.handedOn).toHaveLength(2);
});

test("the first part says what is true of the whole, the last one that the poll came to its end", async () => {
  const open = resting("open", undefined, { bookkeeping: { circuitOpen: true } });
  const ports = manyPorts([...many(38), inFlightOf("moving"), open]);
  const parts: Record<string, number>[] = [];
  const flush = () => {
    parts.push(Object.fromEntries(ports.metrics.pending.map(({ name, value }) => [name, value])));
    ports.metrics.flush();
  };
  await pollCluster(ports, few);
  flush();
  for (const rest of ports.handedOn) {
    ports.pass(60);
    await pollCluster(ports, { ...few, rest });
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

test("a rest that cannot be handed on is said and counted, and the poll holds", async () => {
  const breaks = once("before goOn", () => {
    throw new Unreachable("no answer");
  });
  const told: [string, object][] = [];
  const ports = manyPorts(many(25), undefined, breaks);
  const report = await pollCluster(ports, { ...few, warn: (message, about) => told.push([message, about]) });
  const { looked, unreached } = report;
  expect(report).toMatchObject({ started: looked, handedOn: 0, unreached: 25 - looked });
  expect(told).toEqual([
    ["not handed on", { failure: "Unreachable", reason: "no answer" }],
    ["not reached", { workloads: unreached, registries: [] }],
  ]);
  const measured = ports.metrics.pending.map(({ name, value }) => [name, value]);
  expect(measured).toContainEqual(["pawl_poll_unreached_total", unreached]);
  expect(measured).toContainEqual(["pawl_errors_total", 1]);
  expect(measured).toContainEqual(["pawl_polls_total", 1]);
});

test("a poll has sixteen parts at most, and says what it did not reach", async () => {
  const ports = manyPorts(many(100));
  const { looked, unreached } = await pollEveryPart(ports, { mostWorkloads: 5 });
  expect(looked).toBeGreaterThanOrEqual(16 * 4);
  expect(looked).toBeLessThanOrEqual(16 * 5);
  expect(unreached).toBe(100 - looked);
});

test("a poll of some workloads is one part", async () => {
  const ports = manyPorts(many(25));
  const report = await pollCluster(ports, { ...few, wanted: ({ ref }) => ref.name !== "w-1" });
  expect(report).toMatchObject({ handedOn: 0, unreached: 24 - report.looked });
  expect(ports.handedOn).toEqual([]);
});

test("of many that fail fifty are named, all are counted and all are told", async () => {
  const told: string[] = [];
  const ports = manyPorts(many(120), () => Promise.reject(new Unreachable("no answer")));
  const report = await pollCluster(ports, { warn: (message) => told.push(message) });
  expect(report).toMatchObject({ looked: 120, failures: 120 });
  expect(report.failed).toHaveLength(50);
  expect(told).toHaveLength(120);
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_poll_errors_total", value: 120, labels: {} });
});
