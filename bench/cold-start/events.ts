import type { CollectBatchesInput, PollBatchInput } from "../../functions/contract/poll-fanout.ts";
import { emptyReport } from "../../functions/domain/execution/poll-totals.ts";
import type { HandlerName } from "../../infra/constructs/functions/function-specs.ts";

const step = {
  cluster: "bench",
  execution: "bench",
  executionStartedAt: "2026-01-01T00:00:00Z",
  elapsedSeconds: 0,
  adopting: false,
  workload: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "web" },
  target: { kind: "image", image: "registry.example/web:1.1.0" },
  strategy: "rolling",
  digests: "",
  pool: { name: "workers", uid: "workers" },
  previousExecution: "",
  rounds: 0,
} as const;

const startedAt = step.executionStartedAt;
const poll = { cluster: "bench", poll: "bench", listedAt: startedAt, isComplete: true, round: 1 };
const detail = { cluster: "bench", workload: step.workload };
const event = { id: "1", time: startedAt, "detail-type": "RolloutSucceeded", detail };

const pollBatch: PollBatchInput = {
  ...poll,
  starts: null,
  batch: { bucket: 0, from: 0, to: 1, attempt: 1, seconds: 60 },
};
const collectBatches: CollectBatchesInput = {
  ...poll,
  startedAt,
  outcome: "again",
  batches: [],
  waiting: [],
  totals: { ...emptyReport, quarantined: 0, failedBatches: 0 },
  lines: [],
  starts: null,
  results: [],
};

const others: Readonly<Partial<Record<HandlerName, object>>> = {
  poll: { cluster: "bench" },
  "poll-batch": pollBatch,
  "collect-batches": collectBatches,
  "record-check": { cluster: "bench", lease: { verb: "acquire", poll: "bench" } },
  "record-pool": { cluster: "bench", pool: step.pool, resolution: null },
  notify: { Records: [{ messageId: "1", body: JSON.stringify({ cluster: "bench", target: "bench", event }) }] },
};

/** Returns an event with which a function makes a request: to the cluster, if it has access to it. A step has the fields of all of them. */
export function eventFor(handler: HandlerName): object {
  return others[handler] ?? step;
}
