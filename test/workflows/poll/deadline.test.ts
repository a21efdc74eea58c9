import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { inFlight, imageTarget } from "../../support/workloads.ts";
import { namedUpdatingWorkload, idleWorkload } from "./fixtures.ts";
import { createWorkloads, createManyPorts, namesOf } from "./many-workloads.ts";

const hosts = ["fast.example", "stalled.example", "healthy.example"];

/** Returns ports on which one registry does not answer until `release` is called; `reached` resolves at its first request. */
function stalledRegistry(workloads = createWorkloads(150, hosts)) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let requests = 0;
  const ports = createManyPorts(workloads, async (host) => {
    if (host !== "stalled.example") return;
    requests += 1;
    reached.resolve();
    await released;
  });
  return { ports, release, reached: reached.promise, requests: () => requests };
}

const stalled = namesOf(createWorkloads(150, hosts).filter(({ source }) => source?.startsWith("stalled")));
const others = namesOf(createWorkloads(150, hosts).filter(({ source }) => !source?.startsWith("stalled")));

/** Resolves when `count` updates were started. */
async function untilStarted(ports: { started(): readonly string[] }, count: number): Promise<void> {
  while (ports.started().length < count) await setImmediate();
}

describe("a registry that stalls", () => {
  test("delays no other registry, and only its workloads wait for the next poll", async () => {
    const { ports } = stalledRegistry();
    const deadline = new AbortController();
    const polling = pollCluster(ports, { signal: deadline.signal });
    await untilStarted(ports, others.length);
    expect(ports.started().toSorted()).toEqual(others);
    deadline.abort();
    expect(await polling).toMatchObject({ evaluated: 100, started: 100, failures: 0, deferred: 0, unreached: 50 });
  });

  test("that answers after the deadline causes no action and no further request", async () => {
    const { ports, release, requests } = stalledRegistry();
    const deadline = new AbortController();
    const polling = pollCluster(ports, { signal: deadline.signal });
    await untilStarted(ports, others.length);
    deadline.abort();
    await polling;
    const recorded = ports.metrics.pending.length;
    release();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(ports.started().toSorted()).toEqual(others);
    expect(ports.cluster.events().length).toBe(others.length);
    expect(requests()).toBe(1);
    expect(ports.metrics.pending).toHaveLength(recorded);
  });

  test("does not delay workloads that need no answer from it", async () => {
    const image = "stalled.example/shop/app:1.1.0";
    const lost = namedUpdatingWorkload("lost", {
      source: image,
      image,
      inFlight: { ...inFlight, target: imageTarget(image) },
    });
    const paused = idleWorkload("paused", "stalled.example/shop/a:1.0.0", { policy: { paused: true } });
    const { ports, reached } = stalledRegistry([...createWorkloads(60, ["stalled.example"]), lost, paused]);
    const deadline = new AbortController();
    const polling = pollCluster(ports, { signal: deadline.signal });
    await reached;
    await untilStarted(ports, 1);
    await setImmediate();
    deadline.abort();
    expect(await polling).toMatchObject({ adopted: 1, held: 1, unreached: 60 });
  });

  test("is requested again by the next poll", async () => {
    const { ports, release } = stalledRegistry();
    const deadline = new AbortController();
    const polling = pollCluster(ports, { signal: deadline.signal });
    await untilStarted(ports, others.length);
    deadline.abort();
    await polling;
    release();
    await pollCluster(ports);
    expect(ports.started().toSorted()).toEqual([...others, ...stalled].toSorted());
  });
});

test("a started action is awaited; one that was not started waits for the next poll", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const ports = createManyPorts(createWorkloads(50));
  const startedNames: string[] = [];
  const start: typeof ports.executions.start = async (name, input) => {
    startedNames.push(name);
    await released;
    return ports.executions.start(name, input);
  };
  const deadline = new AbortController();
  const executions = { ...ports.executions, start };
  const polling = pollCluster({ ...ports, executions }, { signal: deadline.signal });
  while (startedNames.length < 32) await setImmediate();
  deadline.abort();
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  release();
  expect(await polling).toMatchObject({ started: 32, unreached: 18 });
  expect(startedNames).toHaveLength(32);
});
