import { expect, test } from "vitest";
import {
  isDigestRestored,
  restoreDigests,
  writeDigests,
} from "../../../../functions/domain/workload/digest/written-digests.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordRollback, recordWithdrawal } from "../../../../functions/domain/workload/rollback/rollback.ts";
import {
  digest,
  digestWorkload,
  prod,
  restartInFlight,
  restartingWorkload,
  restartTarget,
} from "../../../support/digest-workloads.ts";
import { after, inFlight, noon, workload } from "../../../support/workloads.ts";

const tagged = { name: "app", image: prod };
const pinned = (number: number) => ({ ...tagged, digest: digest(number) });
const restart = { ...restartInFlight, digests: { app: digest(2) } };

test.for([
  { runs: "a tag", container: tagged, pin: undefined, gate: null, written: undefined },
  {
    runs: "a tag that a gate judges",
    container: tagged,
    pin: undefined,
    gate: "signature",
    written: { app: digest(2) },
  },
  { runs: "a tag, and wants a digest", container: tagged, pin: "digest", gate: null, written: { app: digest(2) } },
  { runs: "a tag, and wants none", container: tagged, pin: "tag", gate: null, written: undefined },
  { runs: "both", container: pinned(1), pin: undefined, gate: null, written: { app: digest(2) } },
  { runs: "both, and wants a tag", container: pinned(1), pin: "tag", gate: null, written: { app: null } },
] as const)("a restart of a workload that runs $runs writes $written", ({ container, pin, gate, written }) => {
  const policy = pin === undefined ? {} : { pin };
  const own = digestWorkload({ policy, digests: { containers: [container] } });
  expect(writeDigests(own, restart, gate).written).toEqual(written);
});

test("a restart writes its digests once: with its time", () => {
  const own = digestWorkload({ digests: { containers: [pinned(1)] } });
  const start = { target: restartTarget, digests: { app: digest(2) } };
  const started = recordStart(own, start, "e-1", noon);
  expect(started).toMatchObject({ restart: noon, written: { app: digest(2) } });
  const pending = { ...own, inFlight: { ...restart, isApplied: false } };
  expect(recordStart(pending, start, "e-1", after(60))).toMatchObject({ restart: noon, written: { app: digest(2) } });
  const applied = { ...own, inFlight: { ...restart, isApplied: true } };
  expect(recordStart(applied, start, "e-1", after(60))).not.toHaveProperty("written");
});

test("nothing is written or restored for another target, or without digests", () => {
  const own = restartingWorkload({ digests: { containers: [pinned(2)] } });
  const forConfig = { ...restart, target: { ...restartTarget, kind: "config" } } as const;
  for (const found of [writeDigests(own, forConfig), restoreDigests(own, forConfig), writeDigests(own, inFlight)])
    expect(found).toEqual({});
  const untracked = workload({ digests: null });
  for (const digests of [restart.digests, null])
    for (const found of [
      writeDigests(untracked, { ...restart, digests }),
      restoreDigests(untracked, { ...restart, digests }),
    ])
      expect(found).toEqual({});
  expect(isDigestRestored(untracked, restartTarget)).toBe(false);
  expect(isDigestRestored(own, { ...restartTarget, kind: "config" })).toBe(false);
});

test.for([
  { runs: "both", digests: { containers: [pinned(2)] }, written: { app: digest(1) } },
  { runs: "a tag", digests: { containers: [tagged] }, written: undefined },
  { runs: "what a person has set since", digests: { containers: [pinned(3)] }, written: undefined },
  { runs: "both, and nothing ran before", digests: { containers: [pinned(2)], previous: [] }, written: undefined },
  {
    runs: "what it ran before",
    digests: { containers: [pinned(2)], previous: [{ app: digest(2) }] },
    written: undefined,
  },
])(
  "a failed restart of a workload that runs $runs restores $written, and is blamed if it does",
  ({ digests, written }) => {
    const own = restartingWorkload({ digests });
    const failed = recordRollback(own, restart, "not ready", after(900));
    expect(failed.written).toEqual(written);
    expect(failed.updateRecord?.failedVersions ?? []).toHaveLength(written === undefined ? 0 : 1);
    expect(recordWithdrawal(own, restart, "Withdrawn", "not started", after(900)).written).toEqual(written);
  },
);

test.for([
  { runs: pinned(1), previous: [{ app: digest(1) }], is: true },
  { runs: pinned(2), previous: [{ app: digest(1) }], is: false },
  { runs: pinned(2), previous: [{ app: digest(2) }], is: false },
  { runs: { ...pinned(1), image: "registry.example/other:1" }, previous: [{ app: digest(1) }], is: false },
  { runs: tagged, previous: [{ app: digest(1) }], is: false },
  { runs: pinned(1), previous: [], is: false },
])("the digest of a restart is restored: $is", ({ runs, previous, is }) => {
  expect(isDigestRestored(restartingWorkload({ digests: { containers: [runs], previous } }), restartTarget)).toBe(is);
});
