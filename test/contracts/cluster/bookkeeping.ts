import { expect, test } from "vitest";
import { emptyBookkeeping } from "../../../functions/domain/bookkeeping.ts";
import type { Bookkeeping, HistoryEntry } from "../../../functions/domain/workload.ts";
import type { Kind } from "../cluster-fixtures.ts";
import { change, make, type At } from "./bench.ts";

const history: readonly HistoryEntry[] = Array.from({ length: 50 }, (_, index) => ({
  version: `v1.${index}.0-rc.1`,
  appliedAt: new Date(Date.UTC(2026, 0, 1, 0, index, 7)),
  status: index % 3 === 0 ? "RolledBack" : "Healthy",
}));

const full: Bookkeeping = {
  currentVersion: "v1.49.0-rc.1",
  availableVersion: "2.0.0",
  lastCheck: new Date("2026-11-20T12:00:01Z"),
  lastUpdate: new Date("2026-11-19T23:59:59Z"),
  rollbackCount: 17,
  failedVersions: ["v1.0.0-rc.1", "1.3.0-alpine", "20240101", "sha-abc_def.1"],
  circuitOpen: true,
  versionHistory: history,
};

export function bookkeepingFields(at: At, kind: Kind): void {
  test("every field is read as it was written, and taken away as it was written", async () => {
    const ref = await make(at(), kind);
    expect((await change(at(), ref, () => ({ bookkeeping: full }))).bookkeeping).toEqual(full);
    const emptied = await change(at(), ref, () => ({ bookkeeping: emptyBookkeeping }));
    expect(emptied.bookkeeping).toEqual(emptyBookkeeping);
    expect(emptied.problems).toEqual([]);
  });

  test.for(Object.keys(full) as (keyof Bookkeeping)[])("%s alone changes, and the rest stays", async (field) => {
    const ref = await make(at(), kind);
    const alone = await change(at(), ref, () => ({ bookkeeping: { [field]: full[field] } }));
    expect(alone.bookkeeping).toEqual({ ...emptyBookkeeping, [field]: full[field] });
    const { [field]: _, ...others } = full;
    expect((await change(at(), ref, () => ({ bookkeeping: others }))).bookkeeping).toEqual(full);
  });
}
