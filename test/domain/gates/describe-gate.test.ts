import { expect, test } from "vitest";
import type { ClosedGate } from "../../../functions/domain/gates/closed-gate.ts";
import { describeGate, summarizeGates } from "../../../functions/domain/gates/describe-gate.ts";
import { createApprovalGate } from "../../../functions/domain/gates/approval-gate.ts";
import { limitsHold } from "../../../functions/domain/gates/limits/limits-gate.ts";
import { closedGates } from "../../../functions/domain/gates/gates.ts";
import { createMinimumAgeGate } from "../../../functions/domain/gates/minimum-age.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { Approval } from "../../../functions/domain/gates/approval.ts";
import { after, noon, policy, updateTarget, workload } from "../../support/workloads.ts";

const windows = [{ schedule: "0 6 * * 1", durationSeconds: 3600, zone: "Europe/Berlin" }];
const gate = (name: string, parts: Partial<ClosedGate> = {}): ClosedGate => ({
  name,
  reason: "R",
  message: "m",
  ...parts,
});

test("all gates are a few words, by what the gates themselves say", () => {
  const digest = "sha256:a";
  const candidates = [{ version: "1.1.0", digest, since: formatRfc3339(after(-180)) }];
  const by = ["user:anna", "user:bob"];
  const given = { ...policy, windows, minimumReleaseAgeSeconds: 3 * 86_400, approval: { required: 2, by } };
  const at = formatRfc3339(noon);
  const anna: Approval = {
    user: "anna",
    groups: [],
    verdict: "approve",
    version: "1.1.0",
    digest,
    skipsAge: false,
    at,
    message: "",
  };
  const web = { ...workload(), policy: given, approvals: [anna] };
  const target = { ...updateTarget, digest };
  const judged = [createMinimumAgeGate(candidates, null), createApprovalGate(candidates, null)];
  const limits = limitsHold(
    { kind: "update", target },
    { kind: "full", position: 7, by: "total" },
    { waiting: 41, max: 10 },
    noon,
  );
  const place = gate("limits", { message: limits.detail });
  const gates = [
    ...judged.map(({ name, evaluate }) => ({ ...gate(name), ...evaluate(web, target, noon) })),
    ...closedGates(web, target, noon).filter(({ name }) => name === "windows"),
    place,
  ];
  expect(summarizeGates(gates, given, noon)).toBe(
    "waiting: 3h of 3d age; approval 1 of 2; window opens Mon 06:00 Europe/Berlin; 7th of 41",
  );
});

test.for<[ClosedGate, string]>([
  [gate("minimumAge"), "R"],
  [gate("minimumAge", { until: after(60) }), "0s of 0s age"],
  [gate("approval", { reason: "Rejected" }), "Rejected"],
  [
    gate("approval", { reason: "ApprovalRequired", message: "1.1.0 needs 1 approval and has none: x" }),
    "approval 0 of 1",
  ],
  [gate("approval", { reason: "ApprovalRequired" }), "m"],
  [gate("windows"), "no window opens"],
  [gate("windows", { until: after(60 * 24 * 10) }), "window opens Mon 2026-11-30 12:00 UTC"],
  [gate("schedule"), "the schedule is not due"],
  [gate("schedule", { until: after(60) }), "due Fri 13:00 UTC"],
  [gate("limits"), "m"],
  [gate("freeze"), "m"],
  [gate("freeze", { until: after(60) }), "frozen until Fri 13:00 UTC"],
  [gate("circuit"), "m"],
])("%j: %s", ([one, text]) => {
  expect(summarizeGates([one], policy, noon)).toBe(`waiting: ${text}`);
});

test("a window without a zone is in UTC", () => {
  const { zone: _zone, ...utc } = windows[0] ?? { schedule: "", durationSeconds: 0, zone: "" };
  const opens = gate("windows", { until: after(60) });
  expect(summarizeGates([opens], { ...policy, windows: [utc] }, noon)).toBe("waiting: window opens Fri 13:00 UTC");
});

test("no gate is no word", () => {
  expect(summarizeGates([], policy, noon)).toBe("");
});

test.for<[Partial<ClosedGate>, string]>([
  [{}, "freeze: m"],
  [{ until: noon }, "freeze: m, until 2026-11-20T12:00:00Z"],
  [{ liftedBy: "pawl unfreeze" }, 'freeze: m; run "pawl unfreeze"'],
  [{ liftedBy: "the operator of Pawl" }, "freeze: m; lifted by the operator of Pawl"],
])("%j: %s", ([parts, text]) => {
  expect(describeGate(gate("freeze", parts))).toBe(text);
});
