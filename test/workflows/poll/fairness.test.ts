import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { createWorkloads, createManyPorts, namesOf } from "./many-workloads.ts";
import { propertyRuns } from "../../support/property-runs.ts";

const sizes = {
  count: fc.integer({ min: 0, max: 60 }),
  hosts: fc.integer({ min: 1, max: 4 }),
  /** Listings that the registries answer before the deadline of one poll. */
  answers: fc.integer({ min: 1, max: 12 }),
};

/** Returns a cluster whose registries answer a number of requests in each poll; then its deadline passes. */
function pollWithDeadline(count: number, hosts: number, answers: number) {
  const names = Array.from({ length: hosts }, (_, index) => `h-${index}.example`);
  let remaining = answers;
  let deadline = new AbortController();
  const ports = createManyPorts(createWorkloads(count, names), async () => {
    remaining -= 1;
    if (remaining >= 0) return;
    // Lets the earlier answers be acted on.
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
    deadline.abort();
    await new Promise<never>(() => {});
  });
  const poll = () => {
    remaining = answers;
    deadline = new AbortController();
    return pollCluster(ports, { signal: deadline.signal });
  };
  return { ports, poll };
}

test("repeated polls process every workload, however short their deadline, because each poll starts at another workload", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ count, hosts, answers }) => {
      const { ports, poll } = pollWithDeadline(count, hosts, answers);
      for (let polls = 0; polls < 2000 && ports.started().length < count; polls += 1) await poll();
      expect(ports.started().toSorted()).toEqual(namesOf(createWorkloads(count)));
    }),
    { numRuns: propertyRuns(30) },
  );
});
