import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { pollEveryPart } from "../../functions/polling/poll-every-part.ts";
import { inFlight } from "../support/workloads.ts";
import { inFlightOf, resting } from "./shop.ts";
import { lastOf, many, manyPorts, namesOf } from "./many.ts";

const hosts = ["quick.example", "stalled.example", "fine.example"];

/** Ports on which a registry does not answer until it is released; `reached` resolves when it is asked. */
function stalling(workloads = many(150, hosts)) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let asked = 0;
  const ports = manyPorts(workloads, async (host) => {
    if (host !== "stalled.example") return;
    asked += 1;
    reached.resolve();
    await released;
  });
  return { ports, release, reached: reached.promise, asked: () => asked };
}

const stalled = namesOf(many(150, hosts).filter(({ source }) => source?.startsWith("stalled")));
const others = namesOf(many(150, hosts).filter(({ source }) => !source?.startsWith("stalled")));

/** Resolves when so many updates were started. */
async function untilStarted(ports: { started(): readonly string[] }, count: number): Promise<void> {
  while (ports.started().length < count) await setImmediate();
}

describe("a registry that stalls", () => {
  test("keeps no other from its turn, and is handed on alone when time is up", async () => {
    const { ports } = stalling();
    const time = new AbortController();
    const polling = pollCluster(ports, { outOfTime: time.signal });
    await untilStarted(ports, others.length);
    expect(ports.started().toSorted()).toEqual(others);
    time.abort();
    expect(await polling).toMatchObject({ looked: 100, started: 100, failures: 0, handedOn: 50, unreached: 0 });
    expect(Object.keys(lastOf(ports).behind)).toEqual(["stalled.example"]);
  });

  test("that answers after all is not acted on any more, and not asked any more", async () => {
    const { ports, release, asked } = stalling();
    const time = new AbortController();
    const polling = pollCluster(ports, { outOfTime: time.signal });
    await untilStarted(ports, others.length);
    time.abort();
    await polling;
    const measured = ports.metrics.pending.length;
    release();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(ports.started().toSorted()).toEqual(others);
    expect(ports.cluster.events().length).toBe(others.length);
    expect(asked()).toBe(16);
    expect(ports.metrics.pending).toHaveLength(measured);
  });

  test("does not hold up those of its workloads that need no answer", async () => {
    const image = "stalled.example/shop/app:1.1.0";
    const lost = inFlightOf("lost", { source: image, image, inFlight: { ...inFlight, targetImage: image } });
    const paused = resting("paused", "stalled.example/shop/a:1.0.0", { policy: { paused: true } });
    const { ports, reached } = stalling([...many(60, ["stalled.example"]), lost, paused]);
    const time = new AbortController();
    const polling = pollCluster(ports, { outOfTime: time.signal });
    await reached;
    await untilStarted(ports, 1);
    time.abort();
    expect(await polling).toMatchObject({ adopted: 1, held: 1, handedOn: 60 });
  });

  test("and goes on standing still is given up until the next poll, which begins with it again", async () => {
    const { ports, release } = stalling();
    const time = new AbortController();
    const polling = pollCluster(ports, { outOfTime: time.signal });
    await untilStarted(ports, others.length);
    time.abort();
    await polling;
    const again = new AbortController();
    const second = pollCluster(ports, { rest: lastOf(ports), outOfTime: again.signal });
    await setImmediate();
    again.abort();
    expect(await second).toMatchObject({ looked: 0, handedOn: 0, unreached: 50 });
    expect(ports.handedOn).toHaveLength(1);
    release();
    await pollEveryPart(ports);
    expect(ports.started().toSorted()).toEqual([...others, ...stalled].toSorted());
  });
});

test("an act that was begun is waited for; one that was not is handed on", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const ports = manyPorts(many(50));
  const begun: string[] = [];
  const start: typeof ports.executions.start = async (name, input) => {
    begun.push(name);
    await released;
    return ports.executions.start(name, input);
  };
  const time = new AbortController();
  const executions = { ...ports.executions, start };
  const polling = pollCluster({ ...ports, executions }, { outOfTime: time.signal });
  while (begun.length < 32) await setImmediate();
  time.abort();
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  release();
  expect(await polling).toMatchObject({ started: 32, handedOn: 18 });
  expect(begun).toHaveLength(32);
});
