import { expect, test } from "vitest";
import { stateOf } from "../../../cli/workloads/state.ts";
import type { WorkloadStatus } from "../../../cli/workloads/status.ts";

const upToDate: WorkloadStatus = {
  workload: "deployment/shop/web",
  kind: "Deployment",
  namespace: "shop",
  name: "web",
  tracks: ["tag"],
  digests: null,
  reverted: null,
  pinned: null,
  running: "1.1.0",
  current: "1.1.0",
  available: "1.1.0",
  rollbacks: 0,
  maxRollbacks: 3,
  circuit: "closed",
  failedVersions: [],
  lastCheck: null,
  lastUpdate: null,
  polled: true,
  enabled: true,
  paused: false,
  inFlight: null,
  schedule: null,
  lastFailure: null,
  held: null,
  problems: [],
  request: null,
  lastRequest: null,
};

const inFlight = (phase: NonNullable<WorkloadStatus["inFlight"]>["phase"], measured: string | null = null) => ({
  phase,
  target: "shop/web:1.2.0",
  kind: "image" as const,
  version: "1.2.0",
  what: "update to shop/web:1.2.0",
  startedAt: null,
  execution: null,
  previous: null,
  measured,
});

test.for<{
  readonly when: string;
  readonly has: Partial<WorkloadStatus>;
  readonly state: string;
  readonly reason: string;
}>([
  { when: "nothing is newer", has: {}, state: "UpToDate", reason: "" },
  { when: "nothing was ever available", has: { available: null }, state: "UpToDate", reason: "" },
  {
    when: "the newest version failed",
    has: { lastFailure: { version: "1.2.0", status: "RolledBack", reason: "not ready after 90 s" } },
    state: "UpToDate",
    reason: "1.2.0 was rolled back: not ready after 90 s",
  },
  {
    when: "the version that failed was applied later",
    has: { lastFailure: { version: "1.1.0", status: "Withdrawn", reason: null } },
    state: "UpToDate",
    reason: "",
  },
  {
    when: "its schedule was never due",
    has: { current: null, available: null, schedule: "@daily" },
    state: "UpToDate",
    reason: 'not evaluated before its schedule "@daily" is due',
  },
  {
    when: "a tag that runs by its digest is recorded without it",
    has: { running: "prod@sha256:ab", current: "prod", available: "prod@sha256:ab" },
    state: "UpToDate",
    reason: "",
  },
  { when: "no poll was made", has: { polled: false }, state: "UpToDate", reason: "no poll has evaluated it yet" },
  {
    when: "a version is newer",
    has: { available: "1.2.0" },
    state: "UpdateAvailable",
    reason: "1.2.0 is not applied yet; the next poll decides",
  },
  {
    when: "a newer version follows one that failed",
    has: { available: "1.3.0", rollbacks: 1, failedVersions: ["1.2.0"] },
    state: "UpdateAvailable",
    reason: "1 rollback, the last of 1.2.0",
  },
  { when: "it is held", has: { available: "1.2.0", held: "not due" }, state: "Held", reason: "not due" },
  { when: "it is not enabled", has: { enabled: false }, state: "Disabled", reason: "auto-update is disabled" },
  {
    when: "it is paused",
    has: { paused: true, held: "paused by a person" },
    state: "Paused",
    reason: "paused by a person",
  },
  {
    when: "a request waits",
    has: { request: "push 1.0.0", paused: true },
    state: "Requested",
    reason: "requested, and not handled yet: push 1.0.0",
  },
  {
    when: "the circuit is open without a hold",
    has: { circuit: "open", rollbacks: 3, failedVersions: [] },
    state: "CircuitOpen",
    reason: "3 rollbacks in a row",
  },
  { when: "the circuit is open", has: { circuit: "open", held: "reset it" }, state: "CircuitOpen", reason: "reset it" },
  {
    when: "it is updated",
    has: { inFlight: inFlight("HealthCheck") },
    state: "Updating",
    reason: "update to shop/web:1.2.0",
  },
  {
    when: "it is restarted",
    has: { inFlight: inFlight("Restart") },
    state: "Updating",
    reason: "update to shop/web:1.2.0",
  },
  {
    when: "a release is restored",
    has: { inFlight: inFlight("Release") },
    state: "Updating",
    reason: "update to shop/web:1.2.0",
  },
  {
    when: "a canary is measured",
    has: { inFlight: inFlight("Canary", "errors = 0: pass") },
    state: "Canary",
    reason: "errors = 0: pass",
  },
  { when: "it bakes", has: { inFlight: inFlight("Baking") }, state: "Baking", reason: "update to shop/web:1.2.0" },
  {
    when: "it is rolled back while the circuit is open",
    has: { circuit: "open", inFlight: inFlight("RollingBack") },
    state: "RollingBack",
    reason: "update to shop/web:1.2.0",
  },
  {
    when: "a setting is invalid",
    has: { problems: ["a", "b"], inFlight: inFlight("Canary") },
    state: "Problem",
    reason: "a; b",
  },
])("$when: $state", ({ has, state, reason }) => {
  expect(stateOf({ ...upToDate, ...has })).toEqual({ state, reason });
});
