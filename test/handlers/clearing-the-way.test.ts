import { expect, test } from "vitest";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { killedAt } from "../support/fake-ports.ts";
import { digest, followed, followedBoth, prod, restarting } from "../support/followed.ts";
import { canarying, noon } from "../support/workloads.ts";
import { around, restartStep, step } from "./steps.ts";

const entry = (version: string, status: HistoryEntry["status"]): HistoryEntry => ({ version, status, appliedAt: noon });
const failed = { versionHistory: [entry(`prod@${digest(9)}`, "RolledBack")] };
const succeeded = { versionHistory: [...failed.versionHistory, entry(`prod@${digest(1)}`, "Healthy")] };
const adopting = { ...restartStep, execution: "e-2", recovering: true };

test.for([
  { when: "a restart failed before it", bookkeeping: failed, freed: [null] },
  { when: "a restart succeeded before it", bookkeeping: succeeded, freed: [] },
])("a restart, when $when, frees $freed", async ({ bookkeeping, freed }) => {
  const ports = around(followed({ bookkeeping }));
  expect(await applyUpdate(ports, restartStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.freed).toEqual(freed);
});

test("so does an update to another tag", async () => {
  const ports = around(followedBoth({ bookkeeping: failed }));
  expect(await applyUpdate(ports, { ...step, digests: `app:${digest(2)}` })).toMatchObject({ kind: "applied" });
  expect(ports.cluster.freed).toEqual([null]);
});

test("who takes a restart over does it too: the execution before it may have been stopped in between", async () => {
  const ports = around(restarting({ bookkeeping: failed }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.freed).toEqual([null]);
});

test("a canary that is taken over leaves the others as they are", async () => {
  const ports = around(canarying({ bookkeeping: failed }));
  expect(await adoptUpdate(ports, { ...step, execution: "e-2", recovering: true })).toMatchObject({ kind: "canary" });
  expect(ports.cluster.freed).toEqual([]);
});

test("killed between the claim and that, it does both when it is repeated", async () => {
  const ports = around(followed({ bookkeeping: failed }), { atMoment: killedAt("after change") });
  await expect(applyUpdate(ports, restartStep)).rejects.toThrow("after change");
  expect(ports.cluster.freed).toEqual([]);
  ports.pass(60);
  expect(await applyUpdate(ports, restartStep)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.freed).toEqual([null]);
  expect(ports.cluster.get()).toMatchObject({ image: prod, inFlight: { phase: "restart", startedAt: noon } });
});
