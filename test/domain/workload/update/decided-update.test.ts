import { expect, test } from "vitest";
import {
  decidedCanary,
  decidedUpdate,
  readyUpdate,
} from "../../../../functions/domain/workload/update/decided-update.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import { canaryInFlight, inFlight, noon, policy, rollingBack, updatingWorkload } from "../../../support/workloads.ts";

const failed: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };

test.for([
  { when: "nothing is decided", claim: inFlight, decided: null },
  { when: "its rollback was interrupted", claim: rollingBack, decided: "expired" },
  {
    when: "its failure is recorded, and its claim not yet released",
    claim: inFlight,
    history: [failed],
    decided: "expired",
  },
  { when: "a person aborts it", claim: inFlight, verdict: "abort" as const, decided: "fail" },
  { when: "it bakes", claim: { ...inFlight, observation: { kind: "baking", since: noon } as const }, decided: "bake" },
])("an update is $decided if $when", ({ claim, history = [], verdict = null, decided }) => {
  const { updateRecord } = updatingWorkload({ updateRecord: { versionHistory: history } });
  expect(decidedUpdate({ updateRecord, verdict }, claim)?.kind ?? null).toBe(decided);
});

test.for([
  { phase: "canary", decided: null },
  { phase: "rollout", decided: { kind: "promoted", reason: "already promoted" } },
  { phase: "rollback", decided: { kind: "expired", reason: "its rollback was interrupted" } },
] as const)("a canary in the phase $phase is decided: $decided", ({ phase, decided }) => {
  expect(decidedCanary({ canary: canaryInFlight, rollout: inFlight, rollback: rollingBack }[phase])).toEqual(decided);
});

test("an update whose replicas are ready is recorded at once, unless it has a bake time", () => {
  const reason = "all replicas are updated and ready";
  expect(readyUpdate(policy)).toEqual({ kind: "ready", reason });
  expect(readyUpdate({ ...policy, bake: { seconds: 600 } })).toEqual({ kind: "bake", reason });
});
