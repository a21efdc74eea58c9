import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { PollContinuation } from "../../../functions/ports/poll-continuation.ts";
import { createWorkloads, type ManyPorts, createManyPorts, namesOf } from "./many-workloads.ts";
import { propertyRuns } from "../../support/property-runs.ts";

const sizes = {
  count: fc.integer({ min: 0, max: 60 }),
  hosts: fc.integer({ min: 1, max: 4 }),
  /** Listings that the registries answer before the deadline of one part. */
  answers: fc.integer({ min: 1, max: 12 }),
  maxWorkloads: fc.integer({ min: 2, max: 80 }),
};

/** Returns a cluster whose registries answer a number of requests in each part of a poll; then its deadline passes. */
function pollWithDeadline(count: number, hosts: number, answers: number) {
  const names = Array.from({ length: hosts }, (_, index) => `h-${index}.example`);
  let remaining = answers;
  let deadline = new AbortController();
  const ports = createManyPorts(createWorkloads(count, names), async () => {
    remaining -= 1;
    if (remaining >= 0) return;
    // Lets the earlier answers be acted on.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    deadline.abort();
    await new Promise<never>(() => {});
  });
  const part = (continuation: PollContinuation | null, maxWorkloads: number) => {
    remaining = answers;
    deadline = new AbortController();
    return pollCluster(ports, {
      maxWorkloads,
      signal: deadline.signal,
      ...(continuation === null ? {} : { continuation }),
    });
  };
  return { ports, part };
}

/** Runs all parts of a poll and returns how many it had. */
async function pollAllParts(
  ports: ManyPorts,
  part: (continuation: PollContinuation | null) => Promise<unknown>,
): Promise<number> {
  ports.continuations.length = 0;
  await part(null);
  let parts = 1;
  for (const continuation of ports.continuations) {
    await part(continuation);
    parts += 1;
  }
  return parts;
}

test("repeated polls process every workload, however short their deadline; every poll ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, hosts, answers, maxWorkloads }) => {
      const { ports, part } = pollWithDeadline(count, hosts, answers);
      for (let polls = 0; polls < 200 && ports.started().length < count; polls += 1) {
        expect(await pollAllParts(ports, (continuation) => part(continuation, maxWorkloads))).toBeLessThanOrEqual(16);
      }
      expect(ports.started().toSorted()).toEqual(namesOf(createWorkloads(count)));
    }),
    { numRuns: propertyRuns(60) },
  );
});

test("repeated first parts process every workload, because each poll starts at another workload", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, hosts, answers, maxWorkloads }) => {
      const { ports, part } = pollWithDeadline(count, hosts, answers);
      for (let polls = 0; polls < 2000 && ports.started().length < count; polls += 1) await part(null, maxWorkloads);
      expect(ports.started().toSorted()).toEqual(namesOf(createWorkloads(count)));
    }),
    { numRuns: propertyRuns(30) },
  );
});
