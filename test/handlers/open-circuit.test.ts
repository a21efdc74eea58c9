import { expect, test } from "vitest";
import { openCircuit } from "../../functions/handlers/open-circuit.ts";
import { target, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step } from "./steps.ts";

const opened = { kind: "opened", reason: "too late" };
const open = workload({ bookkeeping: { circuitOpen: true, rollbackCount: 3 } });

test("says that the circuit is open, on the workload and on the bus, and writes nothing else", async () => {
  const ports = around(open);
  const answer = await openCircuit(ports, { ...step, reason: "too late" });
  expect(answer).toEqual(opened);
  expect(ports.cluster.get()).toEqual(open);
  expect(ports.cluster.events()).toMatchObject([
    { type: "Warning", reason: "AutoUpdateCircuitOpen", message: expect.stringContaining("after 3 rollbacks") },
  ]);
  expect(ports.published).toMatchObject([{ type: "Circuit Opened", version: "1.1.0", image: target }]);
  expectSelectable("OpenCircuit", answer);
});

test.for([
  { when: "a person has reset it already", seen: workload() },
  { when: "the workload is gone", seen: null },
  { when: "another has taken its name", seen: recreated(open) },
])("says nothing where $when", async ({ seen }) => {
  const ports = around(seen);
  expect(await openCircuit(ports, { ...step, reason: "too late" })).toEqual(opened);
  expect(ports.cluster.events()).toEqual([]);
  expect(ports.published).toEqual([]);
});
