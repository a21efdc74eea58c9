import { expect, test } from "vitest";
import { openCircuit } from "../../../functions/handlers/open-circuit.ts";
import { target, workload } from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step } from "../steps.ts";

const opened = { kind: "opened", reason: "too late" };
const open = workload({ updateRecord: { circuitOpen: true, rollbackCount: 3 } });

test("emits that the circuit is open, on the workload and on the bus, and writes nothing else", async () => {
  const ports = around(open);
  const result = await openCircuit(ports, { ...step, reason: "too late" });
  expect(result).toEqual(opened);
  expect(ports.cluster.get()).toEqual(open);
  expect(ports.cluster.events()).toMatchObject([
    { type: "Warning", reason: "AutoUpdateCircuitOpen", message: expect.stringContaining("after 3 failed attempts") },
  ]);
  expect(ports.published).toMatchObject([{ type: "Circuit Opened", version: "1.1.0", image: target }]);
  expectSelectable("OpenCircuit", result);
});

test.for([
  { when: "the circuit is already reset", initial: workload() },
  { when: "the workload is deleted", initial: null },
  { when: "the workload is recreated", initial: withNewUid(open) },
])("emits nothing if $when", async ({ initial }) => {
  const ports = around(initial);
  expect(await openCircuit(ports, { ...step, reason: "too late" })).toEqual(opened);
  expect(ports.cluster.events()).toEqual([]);
  expect(ports.published).toEqual([]);
});
