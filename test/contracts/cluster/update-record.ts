import { expect, test } from "vitest";
import { emptyUpdateRecord } from "../../../functions/domain/workload/record/update-record.ts";
import type { UpdateRecord, HistoryEntry } from "../../../functions/domain/workload/workload.ts";
import type { Kind } from "../cluster-fixtures.ts";
import { change, createWorkload, type At } from "./harness.ts";

const history: readonly HistoryEntry[] = Array.from({ length: 50 }, (_, index) => ({
  version: `v1.${index}.0-rc.1`,
  appliedAt: new Date(Date.UTC(2026, 0, 1, 0, index, 7)),
  status: index % 3 === 0 ? "RolledBack" : "Healthy",
}));

/** What the AutoUpdate of a built-in kind records beside. */
const detailed = history.map((entry, index) => ({
  ...entry,
  image: `registry.invalid:5000/shop/app:${entry.version}`,
  finishedAt: new Date(entry.appliedAt.getTime() + 60_000),
  execution: `e-${index}`,
  ...(entry.status === "Healthy" ? {} : { reason: "not ready in 10m" }),
}));

const everyField: UpdateRecord = {
  minimumVersion: "1.50.0",
  currentVersion: "v1.49.0-rc.1",
  availableVersion: "2.1.0",
  candidateVersion: "2.0.0",
  lastCheck: new Date("2026-11-20T12:00:01Z"),
  lastUpdate: new Date("2026-11-19T23:59:59Z"),
  rollbackCount: 17,
  failedVersions: ["v1.0.0-rc.1", "1.3.0-alpine", "20240101", "sha-abc_def.1"],
  circuitOpen: true,
  versionHistory: history,
};

export function testUpdateRecord(at: At, kind: Kind): void {
  const full: UpdateRecord =
    kind === "Claw" ? { ...everyField, minimumVersion: null, availableVersion: null } : everyField;

  test("every field is written, read back and removed", async () => {
    const ref = await createWorkload(at(), kind);
    expect((await change(at(), ref, () => ({ updateRecord: full }))).updateRecord).toEqual(full);
    const emptied = await change(at(), ref, () => ({ updateRecord: emptyUpdateRecord }));
    expect(emptied.updateRecord).toEqual(emptyUpdateRecord);
    expect(emptied.problems).toEqual([]);
  });

  test.skipIf(kind === "Claw")(
    "50 entries of the history, with all of their fields, and 100 failed versions",
    async () => {
      const ref = await createWorkload(at(), kind);
      const failedVersions = Array.from({ length: 100 }, (_, index) => `1.${index}.0`);
      const record = { versionHistory: detailed, failedVersions };
      expect((await change(at(), ref, () => ({ updateRecord: record }))).updateRecord).toMatchObject(record);
      const newest = [...failedVersions, "2.0.0"];
      const { updateRecord } = await change(at(), ref, () => ({ updateRecord: { failedVersions: newest } }));
      expect(updateRecord.failedVersions).toEqual(newest.slice(1));
      expect(updateRecord.versionHistory).toEqual(detailed);
    },
  );

  test.for(Object.keys(full) as (keyof UpdateRecord)[])("only %s changes, and the others are kept", async (field) => {
    const ref = await createWorkload(at(), kind);
    const alone = await change(at(), ref, () => ({ updateRecord: { [field]: full[field] } }));
    expect(alone.updateRecord).toEqual({ ...emptyUpdateRecord, [field]: full[field] });
    const { [field]: _, ...others } = full;
    expect((await change(at(), ref, () => ({ updateRecord: others }))).updateRecord).toEqual(full);
  });
}
