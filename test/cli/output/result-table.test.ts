import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { resultDocument, resultTable } from "../../../cli/output/result-table.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { type HoldReason, hold } from "../../../functions/domain/workload/decision/decision.ts";
import type { WorkloadResult } from "../../../functions/workflows/poll/process-workload.ts";
import { inFlight, noon, target, updatingWorkload, workload, updateTarget } from "../../support/workloads.ts";
import { problemsOf } from "../../support/problems.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

function polled(
  reason: HoldReason,
  version: string | null,
  status: "Healthy" | "RolledBack" = "Healthy",
  kind: Target["kind"] = "image",
): WorkloadResult {
  const versionHistory = version === null ? [] : [{ version, kind, status, appliedAt: noon }];
  return {
    workload: workload({ updateRecord: { versionHistory } }),
    decision: hold(reason, "the detail"),
    action: "none",
  };
}

test.for<{ initial: WorkloadResult; result: string; ok: boolean }>([
  { initial: polled("no-newer-version", "1.0.0"), result: "updated to 1.0.0", ok: true },
  {
    initial: polled("same-digest", `prod@${digest}`, "Healthy", "digest"),
    result: `restarted for prod@${digest}`,
    ok: true,
  },
  { initial: polled("no-newer-version", "1.0.0", "Healthy", "restart"), result: "restarted 1.0.0", ok: true },
  { initial: polled("no-newer-version", "1.0.0", "Healthy", "release"), result: "rolled back to 1.0.0", ok: true },
  { initial: polled("no-newer-version", "1.1.0", "RolledBack"), result: "the detail", ok: true },
  { initial: polled("same-digest", null), result: "the detail", ok: true },
  { initial: polled("not-due", "1.0.0"), result: "the detail", ok: true },
  { initial: polled("circuit-open", "1.0.0"), result: "the detail", ok: false },
  {
    initial: { workload: workload(), decision: { kind: "update", target: updateTarget }, action: "none" },
    result: `next: update to ${target}`,
    ok: true,
  },
  {
    initial: { workload: updatingWorkload(), decision: { kind: "adopt", inFlight }, action: "none" },
    result: `in progress: update to ${target}`,
    ok: true,
  },
  {
    initial: { workload: workload(), decision: { kind: "problem", problems: problemsOf("a", "b") }, action: "none" },
    result: "a; b",
    ok: false,
  },
  { initial: { workload: workload(), error: new Unreachable("no answer") }, result: "no answer", ok: false },
])("$result", ({ initial, result, ok }) => {
  expect(resultDocument([initial])).toMatchObject([{ workload: "shop/app", kind: "Deployment", result, ok }]);
});

test("the table abbreviates digests, the JSON document does not", () => {
  const one = polled("same-digest", `prod@${digest}`, "Healthy", "digest");
  expect(resultTable([one], new PassThrough())).toMatch(/restarted for prod@sha256:0123456789ab$/m);
  expect(JSON.stringify(resultDocument([one]))).toContain(digest);
});
