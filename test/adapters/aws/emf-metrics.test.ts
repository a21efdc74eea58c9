import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createEmfMetrics } from "../../../functions/adapters/aws/emf-metrics.ts";
import type { Metrics } from "../../../functions/ports/metrics.ts";

interface Line extends Record<string, unknown> {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}

/** Returns the lines on stdout. */
function captureLines(work: (metrics: Metrics) => void, byKubernetesNamespace = true): readonly Line[] {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  work(createEmfMetrics({ cluster: "production", namespace: "Pawl", byKubernetesNamespace }));
  return write.mock.calls.map(([line]) => JSON.parse(String(line)) as Line);
}

test("Kubernetes namespaces are a dimension only if they are asked for; otherwise there is their sum", () => {
  const lines = captureLines((metrics) => {
    metrics.record("claw_autoupdate_checks_total", 7, { namespace: "shop" });
    metrics.record("pawl_in_flight", 1, {});
    metrics.record("claw_autoupdate_checks_total", 2, { namespace: "agents" });
    metrics.flush();
  }, false);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ _aws: { CloudWatchMetrics: [{ Dimensions: [["cluster"]] }] } });
  expect(lines[0]).toMatchObject({ claw_autoupdate_checks_total: 9, pawl_in_flight: 1 });
  expect(lines[0]).not.toHaveProperty("namespace");
});

describe("a metric", () => {
  test.for<{ record: (metrics: Metrics) => void; name: string; unit: string; sets: string[][]; labels: object }>([
    {
      record: (metrics) => metrics.record("claw_autoupdate_checks_total", 7, { namespace: "shop" }),
      name: "claw_autoupdate_checks_total",
      unit: "Count",
      sets: [["cluster"], ["cluster", "namespace"]],
      labels: { namespace: "shop" },
    },
    {
      record: (metrics) => metrics.record("claw_autoupdate_updates_total", 7, { result: "rollback" }),
      name: "claw_autoupdate_updates_total",
      unit: "Count",
      sets: [["cluster", "result"]],
      labels: { result: "rollback" },
    },
    {
      record: (metrics) => metrics.record("pawl_errors_total", 7, { error: "Unreachable" }),
      name: "pawl_errors_total",
      unit: "Count",
      sets: [["cluster", "error"]],
      labels: { error: "Unreachable" },
    },
    ...(["claw_autoupdate_circuit_open", "pawl_in_flight", "pawl_polls_total", "pawl_poll_errors_total"] as const).map(
      (name) => ({
        record: (metrics: Metrics) => metrics.record(name, 7, {}),
        name,
        unit: "Count",
        sets: [["cluster"]],
        labels: {},
      }),
    ),
    ...(["pawl_poll_duration_seconds", "pawl_oldest_claim_overdue_seconds"] as const).map((name) => ({
      record: (metrics: Metrics) => metrics.record(name, 7, {}),
      name,
      unit: "Seconds",
      sets: [["cluster"]],
      labels: {},
    })),
  ])("$name is a line in $unit by $sets", ({ record, name, unit, sets, labels }) => {
    const lines = captureLines((metrics) => {
      record(metrics);
      metrics.flush();
    });
    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [{ Namespace: "Pawl", Dimensions: sets, Metrics: [{ Name: name, Unit: unit }] }],
        },
        cluster: "production",
        ...labels,
        [name]: 7,
      },
    ]);
  });
});

test("metrics with the same labels share a line", () => {
  const lines = captureLines((metrics) => {
    metrics.record("pawl_polls_total", 1, {});
    metrics.record("pawl_errors_total", 2, { error: "Throttled" });
    metrics.record("pawl_in_flight", 3, {});
    metrics.record("pawl_errors_total", 4, { error: "Conflict" });
    metrics.record("pawl_errors_total", 5, { error: "Throttled" });
    metrics.flush();
  });
  expect(lines.map(({ _aws, ...fields }) => fields)).toEqual([
    { cluster: "production", pawl_polls_total: 1, pawl_in_flight: 3 },
    { cluster: "production", error: "Throttled", pawl_errors_total: [2, 5] },
    { cluster: "production", error: "Conflict", pawl_errors_total: 4 },
  ]);
});

test("a flush writes each metric once, and nothing without metrics", () => {
  const lines = captureLines((metrics) => {
    metrics.flush();
    metrics.record("pawl_polls_total", 1, {});
    metrics.flush();
    metrics.flush();
  });
  expect(lines).toHaveLength(1);
});
