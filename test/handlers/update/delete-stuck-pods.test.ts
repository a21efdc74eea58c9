import { expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { digestWorkload, prod, restartingWorkload } from "../../support/digest-workloads.ts";
import { canaryWorkload, inFlight, noon, updatingWorkload, workload } from "../../support/workloads.ts";
import { around, restartStep, step } from "../steps.ts";

const adopting = { ...step, execution: "e-2", adopting: true };

test("an update frees pods that were stuck before it began", async () => {
  const ports = around(workload());
  expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.stuckPodDeletions).toEqual([noon]);
});

test("so does a canary", async () => {
  const ports = around(workload({ policy: { canary: { unit: "replicas", amount: 1 } } }));
  expect(await startCanary(ports, { ...step, strategy: "canary" })).toMatchObject({ kind: "started" });
  expect(ports.cluster.stuckPodDeletions).toEqual([noon]);
});

test.for([
  { when: "update", initial: updatingWorkload(), input: adopting },
  { when: "canary", initial: canaryWorkload(), input: adopting },
  { when: "restart", initial: restartingWorkload(), input: { ...restartStep, execution: "e-2", adopting: true } },
])("an adopted $when does so too, as of its start: its execution may have been stopped before", async (row) => {
  const ports = around(row.initial);
  ports.pass(60);
  await adoptUpdate(ports, row.input);
  expect(ports.cluster.stuckPodDeletions).toEqual([noon]);
});

test("an adopted rollback frees none: its own check does", async () => {
  const ports = around(workload({ inFlight: rollbackOf(inFlight) }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.stuckPodDeletions).toEqual([]);
});

test("killed between claim and deletion, it does both when it is repeated", async () => {
  const ports = around(digestWorkload(), { atMoment: killedAt("after change") });
  await expect(applyUpdate(ports, restartStep)).rejects.toThrow("after change");
  expect(ports.cluster.stuckPodDeletions).toEqual([]);
  ports.pass(60);
  expect(await applyUpdate(ports, restartStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.stuckPodDeletions).toEqual([noon]);
  expect(ports.cluster.get()).toMatchObject({ image: prod, inFlight: { phase: "restart", startedAt: noon } });
});
