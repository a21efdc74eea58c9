import { expect, test } from "vitest";
import type { HistoryEntry } from "../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { killedAt } from "../support/fake-ports.ts";
import { digest, digestWorkload, tagAndDigestWorkload, prod, restartingWorkload } from "../support/digest-workloads.ts";
import { canaryWorkload, noon } from "../support/workloads.ts";
import { around, restartStep, step } from "./steps.ts";

const entry = (version: string, status: HistoryEntry["status"]): HistoryEntry => ({ version, status, appliedAt: noon });
const failed = { versionHistory: [entry(`prod@${digest(9)}`, "RolledBack")] };
const succeeded = { versionHistory: [...failed.versionHistory, entry(`prod@${digest(1)}`, "Healthy")] };
const adopting = { ...restartStep, execution: "e-2", adopting: true };

test.for([
  { when: "a failed restart", updateRecord: failed, freed: [null] },
  { when: "a successful restart", updateRecord: succeeded, freed: [] },
])("a restart after $when deletes stuck pods of $freed", async ({ updateRecord, freed }) => {
  const ports = around(digestWorkload({ updateRecord }));
  expect(await applyUpdate(ports, restartStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.deletedPodImages).toEqual(freed);
});

test("an update to another tag deletes stuck pods too", async () => {
  const ports = around(tagAndDigestWorkload({ updateRecord: failed }));
  expect(await applyUpdate(ports, { ...step, digests: `app:${digest(2)}` })).toMatchObject({ kind: "applied" });
  expect(ports.cluster.deletedPodImages).toEqual([null]);
});

test("an adopted restart deletes stuck pods too: its execution may have been stopped before", async () => {
  const ports = around(restartingWorkload({ updateRecord: failed }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.deletedPodImages).toEqual([null]);
});

test("an adopted canary deletes no pods", async () => {
  const ports = around(canaryWorkload({ updateRecord: failed }));
  expect(await adoptUpdate(ports, { ...step, execution: "e-2", adopting: true })).toMatchObject({ kind: "canary" });
  expect(ports.cluster.deletedPodImages).toEqual([]);
});

test("killed between claim and deletion, it does both when it is repeated", async () => {
  const ports = around(digestWorkload({ updateRecord: failed }), { atMoment: killedAt("after change") });
  await expect(applyUpdate(ports, restartStep)).rejects.toThrow("after change");
  expect(ports.cluster.deletedPodImages).toEqual([]);
  ports.pass(60);
  expect(await applyUpdate(ports, restartStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.deletedPodImages).toEqual([null]);
  expect(ports.cluster.get()).toMatchObject({ image: prod, inFlight: { phase: "restart", startedAt: noon } });
});
