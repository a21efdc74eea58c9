import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { outcomeDocument, outcomeTable } from "../../cli/output/outcome.ts";
import { Unreachable } from "../../functions/adapters/errors.ts";
import { type HoldReason, hold } from "../../functions/domain/decision.ts";
import type { Polled } from "../../functions/polling/polled.ts";
import { inFlight, noon, target, updating, workload } from "../support/workloads.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

function polled(reason: HoldReason, version: string | null, status: "Healthy" | "RolledBack" = "Healthy"): Polled {
  const versionHistory = version === null ? [] : [{ version, status, appliedAt: noon }];
  return { workload: workload({ bookkeeping: { versionHistory } }), decision: hold(reason, "so it is"), act: "none" };
}

test.for<{ of: Polled; outcome: string; good: boolean }>([
  { of: polled("no-newer-version", "1.0.0"), outcome: "updated to 1.0.0", good: true },
  { of: polled("same-digest", `prod@${digest}`), outcome: `restarted for prod@${digest}`, good: true },
  { of: polled("no-newer-version", "1.1.0", "RolledBack"), outcome: "so it is", good: true },
  { of: polled("same-digest", null), outcome: "so it is", good: true },
  { of: polled("not-due", "1.0.0"), outcome: "so it is", good: true },
  { of: polled("circuit-open", "1.0.0"), outcome: "so it is", good: false },
  {
    of: { workload: workload(), decision: { kind: "update", version: "1.1.0", image: target }, act: "none" },
    outcome: "1.1.0 comes next",
    good: true,
  },
  {
    of: { workload: updating(), decision: { kind: "adopt", inFlight }, act: "none" },
    outcome: `being updated to ${target}`,
    good: true,
  },
  {
    of: { workload: workload(), decision: { kind: "problem", problems: ["a", "b"] }, act: "none" },
    outcome: "a; b",
    good: false,
  },
  { of: { workload: workload(), error: new Unreachable("no answer") }, outcome: "no answer", good: false },
])("$outcome", ({ of, outcome, good }) => {
  expect(outcomeDocument([of])).toMatchObject([{ workload: "shop/app", kind: "Deployment", outcome, good }]);
});

test("in a table digests are short, for machines they are not", () => {
  const one = polled("same-digest", `prod@${digest}`);
  expect(outcomeTable([one], new PassThrough())).toMatch(/restarted for prod@sha256:0123456789ab$/m);
  expect(JSON.stringify(outcomeDocument([one]))).toContain(digest);
});
