import { expect, test } from "vitest";
import { ensureRecord } from "../../../../functions/domain/workload/record/ensure-record.ts";
import { workload } from "../../../support/workloads.ts";

test.for([
  {
    when: "a backup has restored its record without an owner",
    optIn: "yes",
    isOwnerless: true,
    change: { ownsRecord: true },
  },
  { when: "it owns its record", optIn: "yes", isOwnerless: undefined, change: null },
  { when: "it has opted out", optIn: "no", isOwnerless: true, change: { deleteRecord: true } },
] as const)("$when: $change", ({ optIn, isOwnerless, change }) => {
  const { record } = workload();
  const listed = workload({ policy: { optIn }, record: { ...record, ...(isOwnerless ? { isOwnerless } : {}) } });
  expect(ensureRecord(listed, { change: null, events: [] }).change).toEqual(change);
});
