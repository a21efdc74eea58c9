import { describe, expect, test } from "vitest";
import { poolEventTypes } from "../../../../functions/domain/node-pool/event/event.ts";
import { emptyPoolsReport } from "../../../../functions/workflows/poll/report.ts";
import { skippedReport } from "../../../../functions/workflows/poll/report.ts";
import { createTextReporter } from "../../../../infra/local/console/reporter.ts";
import { summarizeFailures } from "../../../../infra/local/console/summary.ts";
import { workload } from "../../../support/workloads.ts";
import type { BusEvent } from "../../../../infra/local/event-bridge/bus-event.ts";
import type { StateChange } from "../../../../infra/local/step-functions/execution.ts";
import { updateEventTypes } from "../../../../functions/domain/workload/event/update-event.ts";

function setup({ verbose = false } = {}) {
  const lines: string[] = [];
  const now = () => new Date("2026-11-20T12:00:00Z");
  return {
    lines,
    reporter: createTextReporter({ write: (line) => void lines.push(line), now, colour: false, verbose }),
  };
}

function event(type: string, detail: object): BusEvent {
  return { "detail-type": type, detail } as unknown as BusEvent;
}

function step(state: string, output: object): StateChange {
  return { execution: "e", state, type: "TaskStateExited", output: JSON.stringify(output) } as unknown as StateChange;
}

const nodePool = { name: "workers", uid: "u" };
const report = { ...skippedReport("another"), skipped: null, evaluated: 8 };

describe("an event", () => {
  test.for([
    {
      of: "a pool",
      detail: { nodePool, node: null, reason: `Rolled out os@sha256:${"ab".repeat(32)}` },
      line: "12:00:00  ✔ pool/workers        Rolled out os@sha256:abababababab",
    },
    {
      of: "a node of a pool",
      detail: { nodePool, node: "worker-1", reason: "Draining since noon" },
      line: "12:00:00  ✔ pool/workers        worker-1: Draining since noon",
    },
    {
      of: "a workload",
      detail: { workload: { namespace: "shop", name: "web" }, reason: null },
      line: "12:00:00  ✔ shop/web            Node Pool Rollout Completed",
    },
  ])("of $of is one line", ({ detail, line }) => {
    const { lines, reporter } = setup();
    reporter.event(event("Node Pool Rollout Completed", detail));
    expect(lines).toEqual([line]);
  });

  test.for([...updateEventTypes, ...poolEventTypes])("%s has a symbol", (type) => {
    const { lines, reporter } = setup();
    reporter.event(event(type, { nodePool, node: null, reason: "so it is" }));
    expect(lines[0]).toMatch(/^12:00:00 {2}\S pool\/workers {8}so it is$/u);
  });
});

describe("the progress of a rollout", () => {
  const round = { kind: "working", reason: "worker-1: its agent is staging" };
  const outcome = { kind: "drained", reason: "worker-1: 2 evicted" };

  test("is printed if it has changed", () => {
    const { lines, reporter } = setup();
    for (const change of [
      step("ReconcileNodes", { pool: nodePool, round }),
      step("DrainNodes", { pool: nodePool, round, outcome }),
      step("ReconcileNodes", { pool: nodePool, round }),
      step("DrainNodes", { pool: nodePool, round, outcome: { ...outcome, reason: "worker-1: approve" } }),
    ]) {
      reporter.stateChange(change);
    }
    expect(lines.map((line) => line.slice(32))).toEqual([round.reason, outcome.reason, "worker-1: approve"]);
  });

  test("is printed of a workload that is rolled out, and that bakes", () => {
    const shown = { namespace: "shop", name: "web" };
    const { lines, reporter } = setup();
    reporter.stateChange(
      step("CheckReadiness", { workload: shown, rollout: { kind: "progressing", reason: "2 of 3 ready" } }),
    );
    reporter.stateChange(step("CheckReadiness", { workload: shown, rollout: { kind: "bake", reason: "all ready" } }));
    reporter.stateChange(
      step("AnalyzeRollout", { workload: shown, rollout: { kind: "running", reason: "errors = 0: pass" } }),
    );
    reporter.stateChange(step("AnalyzeRollout", { workload: shown, rollout: { kind: "pass", reason: "5 passed" } }));
    expect(lines.map((line) => line.slice(32))).toEqual(["2 of 3 ready", "errors = 0: pass"]);
  });

  test.for([
    step("ReconcileNodes", { pool: nodePool, round: { kind: "completed", reason: "all is done" } }),
    step("DrainNodes", { pool: nodePool, round, outcome: { kind: "superseded", reason: "the claim is lost" } }),
    step("ClaimPool", { pool: nodePool, round }),
    { ...step("ReconcileNodes", { pool: nodePool, round }), type: "TaskStateEntered" } as StateChange,
  ])("is not printed if the rollout is not in progress: $state", (change) => {
    const { lines, reporter } = setup();
    reporter.stateChange(change);
    expect(lines).toEqual([]);
  });
});

test.for([
  { pools: emptyPoolsReport, line: "evaluated 8 workloads" },
  {
    pools: { ...emptyPoolsReport, evaluated: 1, inFlight: 1 },
    line: "evaluated 8 workloads; 1 node pool: 1 in flight",
  },
  { pools: { ...emptyPoolsReport, evaluated: 3, held: 2 }, line: "evaluated 8 workloads; 3 node pools: 2 held" },
])("a poll: $line", ({ pools, line }) => {
  const { lines, reporter } = setup();
  reporter.poll({ ...report, pools });
  expect(lines.map((printed) => printed.slice(32))).toEqual([line]);
});

test("a poll of one workload", () => {
  const { lines, reporter } = setup();
  reporter.poll({ ...report, evaluated: 1 });
  expect(lines[0]?.slice(32)).toMatch(/^evaluated 1 workload\b/);
});

test.for([
  { pool: null, subject: "node pools" },
  { pool: nodePool, subject: "pool/workers" },
])("a failed evaluation of $subject is printed", ({ pool, subject }) => {
  const { lines, reporter } = setup();
  reporter.poll({
    ...report,
    pools: { ...emptyPoolsReport, failed: [{ pool, error: "Unreachable", message: "no answer" }] },
  });
  expect(lines[0]).toBe(`12:00:00  ✖ ${subject.padEnd(18)}  evaluation failed: Unreachable: no answer`);
});

describe("a poll that finds nothing to do", () => {
  const busy = { ...report, started: 1 };

  test("is printed once, so that one sees that it works", () => {
    const { lines, reporter } = setup();
    for (const one of [report, report, busy, report]) reporter.poll(one);
    expect(lines.map((line) => line.slice(10))).toEqual([
      "○ poll                evaluated 8 workloads",
      "○ poll                evaluated 8 workloads: 1 started",
    ]);
  });

  test("is printed each time with --verbose", () => {
    const { lines, reporter } = setup({ verbose: true });
    for (const one of [report, report]) reporter.poll(one);
    expect(lines).toHaveLength(2);
  });
});

test("failures at one registry are one line, however many workloads there are", () => {
  const failedAt = (name: string, message: string) => ({
    workload: { ...workload().ref, name },
    error: "Unreachable",
    message,
  });
  const refused = (name: string) => failedAt(name, `registry.example:5000/shop/${name}: ECONNREFUSED`);
  const failed = [refused("web"), failedAt("db", "the cluster did not respond"), refused("cart"), refused("news")];
  expect(summarizeFailures(failed)).toEqual([
    {
      subject: "registry.example:5000",
      text: "evaluation failed for 3 workloads, such as shop/web: Unreachable: registry.example:5000/shop/web: ECONNREFUSED",
    },
    { subject: "shop/db", text: "evaluation failed: Unreachable: the cluster did not respond" },
  ]);
});
