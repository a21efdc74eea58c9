import { expect, test, vi } from "vitest";
import { awaitVerdict, verdictOf } from "../../../cli/workloads/await-verdict.ts";
import { createState } from "../../../functions/domain/state/state.ts";
import type { HistoryEntry, Workload } from "../../../functions/domain/workload/workload.ts";
import { after, inFlight, noon, updatingWorkload, workload } from "../../support/workloads.ts";

const old: HistoryEntry = { version: "1.0.0", appliedAt: noon, status: "Healthy" };
const healthy: HistoryEntry = { version: "1.1.0", appliedAt: after(60), status: "Healthy" };
const rolledBack: HistoryEntry = { ...healthy, status: "RolledBack", reason: "not ready after 600 s" };
const withHistory = (versionHistory: readonly HistoryEntry[], parts = {}): Workload =>
  workload({ updateRecord: { versionHistory }, ...parts });
const upToDate = createState(["UpToDate", "NewestVersion"], "runs 1.0.0");

test.for([
  { when: "an update is in flight", now: withHistory([old, healthy], { inFlight }), kind: undefined },
  { when: "it is healthy", now: withHistory([old, healthy]), kind: "healthy", reason: "1.1.0 is healthy" },
  {
    when: "it was rolled back",
    now: withHistory([old, rolledBack]),
    kind: "unhealthy",
    reason: "1.1.0 ended RolledBack: not ready after 600 s",
  },
  {
    when: "it was superseded",
    now: withHistory([old]),
    hasStarted: true,
    kind: "unhealthy",
    reason: "it ended without a verdict: UpToDate: runs 1.0.0",
  },
  { when: "nothing had to start", now: withHistory([old]), kind: "healthy", reason: "UpToDate: runs 1.0.0" },
  {
    when: "nothing may start",
    now: withHistory([old]),
    state: createState(["Held", "Suspended"], "suspended"),
    kind: "unhealthy",
    reason: "Held: suspended",
  },
  {
    when: "it starts soon",
    now: withHistory([old]),
    state: createState(["Behind", "UpdateDue"], "1.1.0 is due"),
    kind: undefined,
  },
  {
    when: "it waits",
    now: withHistory([old]),
    state: createState(["Waiting", "Refused"], "tried again"),
    kind: undefined,
  },
])("if $when: $kind", ({ now, state = upToDate, hasStarted = false, kind, reason }) => {
  const verdict = verdictOf(withHistory([old]), now, state, hasStarted);
  expect({ kind: verdict?.kind, reason: verdict?.reason }).toEqual({ kind, reason });
});

test("each state is printed once, until the verdict", async () => {
  const states = [updatingWorkload(), updatingWorkload(), withHistory([old, healthy])];
  const onState = vi.fn();
  const read = async () => states.shift() ?? null;
  const waiting = { timeoutSeconds: 60, intervalSeconds: 0, onState };
  expect(await awaitVerdict({ read }, withHistory([old]), waiting)).toMatchObject({ kind: "healthy" });
  expect(onState.mock.calls.map(([{ state }]) => state)).toEqual(["Updating", expect.any(String)]);
});

test("there is none in time", async () => {
  const waiting = { timeoutSeconds: 0, onState: () => undefined };
  const verdict = await awaitVerdict({ read: async () => updatingWorkload() }, workload(), waiting);
  expect(verdict).toMatchObject({ kind: "timeout", reason: expect.stringMatching(/^Updating: /) });
});
