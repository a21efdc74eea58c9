import { describe, expect, test } from "vitest";
import { poolEventTypes } from "../../../../functions/domain/node-pool/news.ts";
import { updateEventTypes } from "../../../../functions/domain/news.ts";
import { noPools } from "../../../../functions/polling/pools/report.ts";
import { sumOf } from "../../../../functions/polling/report.ts";
import { plainNarrator } from "../../../../infra/local/console/narrator.ts";
import type { BusEvent } from "../../../../infra/local/event-bridge/bus-event.ts";
import type { StateChange } from "../../../../infra/local/step-functions/execution.ts";

function narrated() {
  const lines: string[] = [];
  const now = () => new Date("2026-11-20T12:00:00Z");
  return { lines, narrator: plainNarrator({ write: (line) => void lines.push(line), now, colour: false }) };
}

function event(type: string, detail: object): BusEvent {
  return { "detail-type": type, detail } as unknown as BusEvent;
}

function step(state: string, output: object): StateChange {
  return { execution: "e", state, type: "TaskStateExited", output: JSON.stringify(output) } as unknown as StateChange;
}

const nodePool = { name: "workers", uid: "u" };
const quiet = { ...sumOf([]), looked: 8 };

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
    const { lines, narrator } = narrated();
    narrator.event(event("Node Pool Rollout Completed", detail));
    expect(lines).toEqual([line]);
  });

  test.for([...updateEventTypes, ...poolEventTypes])("%s has a mark", (type) => {
    const { lines, narrator } = narrated();
    narrator.event(event(type, { nodePool, node: null, reason: "so it is" }));
    expect(lines[0]).toMatch(/^12:00:00 {2}\S pool\/workers {8}so it is$/u);
  });
});

describe("a step of a rollout", () => {
  const tick = { kind: "working", reason: "worker-1: its agent is staging" };
  const outcome = { kind: "drained", reason: "worker-1: 2 evicted" };

  test("is told where it brings something new", () => {
    const { lines, narrator } = narrated();
    for (const change of [
      step("StepNodes", { pool: nodePool, tick }),
      step("DrainNodes", { pool: nodePool, tick, outcome }),
      step("StepNodes", { pool: nodePool, tick }),
      step("DrainNodes", { pool: nodePool, tick, outcome: { ...outcome, reason: "worker-1: approve" } }),
    ]) {
      narrator.stateChange(change);
    }
    expect(lines.map((line) => line.slice(32))).toEqual([tick.reason, outcome.reason, "worker-1: approve"]);
  });

  test.for([
    step("StepNodes", { pool: nodePool, tick: { kind: "settled", reason: "all is done" } }),
    step("DrainNodes", { pool: nodePool, tick, outcome: { kind: "superseded", reason: "the claim is lost" } }),
    step("ClaimPool", { pool: nodePool, tick }),
    { ...step("StepNodes", { pool: nodePool, tick }), type: "TaskStateEntered" } as StateChange,
  ])("is not told where nothing moves: $state", (change) => {
    const { lines, narrator } = narrated();
    narrator.stateChange(change);
    expect(lines).toEqual([]);
  });
});

test.for([
  { pools: noPools, says: "looked at 8 workloads" },
  { pools: { ...noPools, looked: 1, inFlight: 1 }, says: "looked at 8 workloads; at 1 node pool: 1 in flight" },
  { pools: { ...noPools, looked: 3, held: 2 }, says: "looked at 8 workloads; at 3 node pools: 2 held" },
])("a poll: $says", ({ pools, says }) => {
  const { lines, narrator } = narrated();
  narrator.poll({ ...quiet, pools });
  expect(lines.map((line) => line.slice(32))).toEqual([says]);
});

test.for([
  { pool: null, subject: "node pools" },
  { pool: nodePool, subject: "pool/workers" },
])("what could not be decided is told of $subject", ({ pool, subject }) => {
  const { lines, narrator } = narrated();
  narrator.poll({ ...quiet, pools: { ...noPools, failed: [{ pool, error: "Unreachable", message: "no answer" }] } });
  expect(lines[0]).toBe(`12:00:00  ✖ ${subject.padEnd(18)}  not decided: Unreachable: no answer`);
});
