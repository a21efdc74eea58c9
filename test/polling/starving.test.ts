import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { PollRest } from "../../functions/ports/polls.ts";
import { many, type ManyPorts, manyPorts, namesOf } from "./many.ts";

const sizes = {
  count: fc.integer({ min: 0, max: 60 }),
  hosts: fc.integer({ min: 1, max: 4 }),
  /** Listings that one part has time for. */
  answers: fc.integer({ min: 1, max: 12 }),
  most: fc.integer({ min: 2, max: 80 }),
};

/** A cluster whose registries answer so often in each part of a poll, and then time is up. */
function shortOfTime(count: number, hosts: number, answers: number) {
  const names = Array.from({ length: hosts }, (_, index) => `h-${index}.example`);
  let left = answers;
  let time = new AbortController();
  const ports = manyPorts(many(count, names), async () => {
    left -= 1;
    if (left >= 0) return;
    // What was answered before is acted on in a moment.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    time.abort();
    await new Promise<never>(() => {});
  });
  const part = (rest: PollRest | null, mostWorkloads: number) => {
    left = answers;
    time = new AbortController();
    return pollCluster(ports, { mostWorkloads, outOfTime: time.signal, ...(rest === null ? {} : { rest }) });
  };
  return { ports, part };
}

/** Polls to the end of the chain and says how many parts it had. */
async function chain(ports: ManyPorts, part: (rest: PollRest | null) => Promise<unknown>): Promise<number> {
  ports.handedOn.length = 0;
  await part(null);
  let parts = 1;
  for (const rest of ports.handedOn) {
    await part(rest);
    parts += 1;
  }
  return parts;
}

test("over repeated polls every workload has its turn, however little time each has; every chain ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, hosts, answers, most }) => {
      const { ports, part } = shortOfTime(count, hosts, answers);
      for (let polls = 0; polls < 200 && ports.started().length < count; polls += 1) {
        expect(await chain(ports, (rest) => part(rest, most))).toBeLessThanOrEqual(16);
      }
      expect(ports.started().toSorted()).toEqual(namesOf(many(count)));
    }),
    { numRuns: 60 },
  );
});

test("even where nothing can be handed on, because each poll begins elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, hosts, answers, most }) => {
      const { ports, part } = shortOfTime(count, hosts, answers);
      for (let polls = 0; polls < 2000 && ports.started().length < count; polls += 1) await part(null, most);
      expect(ports.started().toSorted()).toEqual(namesOf(many(count)));
    }),
    { numRuns: 30 },
  );
});
