import { Metrics as PowertoolsMetrics } from "@aws-lambda-powertools/metrics";
import type { MetricName, Metrics } from "../../ports/metrics.ts";

interface Options {
  /** The cluster's name, a dimension of every metric. */
  readonly cluster: string;
  /** The CloudWatch namespace. */
  readonly namespace: string;
  /** Whether Kubernetes namespaces are a dimension. CloudWatch charges for each of their values. */
  readonly byKubernetesNamespace: boolean;
}

type Labels = Readonly<Record<string, string>>;

interface Recorded {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Labels;
}

/** Also published without their labels; for CloudWatch, each combination of values is a separate metric. */
const publishedInTotal: ReadonlySet<MetricName> = new Set(["claw_autoupdate_checks_total", "pawl_events_lost_total"]);

/** Creates metrics that are written to stdout in CloudWatch's embedded metric format, without an API call. */
export function createEmfMetrics({ cluster, namespace, byKubernetesNamespace }: Options): Metrics {
  let recorded: Recorded[] = [];
  return {
    record(name, value, labels) {
      if (byKubernetesNamespace || !("namespace" in labels)) {
        recorded.push({ name, value, labels });
        return;
      }
      const total = recorded.find((one) => one.name === name);
      recorded = recorded.filter((one) => one !== total);
      recorded.push({ name, value: value + (total?.value ?? 0), labels: {} });
    },
    flush() {
      const lines = Map.groupBy(recorded, ({ name, labels }) => JSON.stringify([isInTotal(name, labels), labels]));
      recorded = [];
      for (const entries of lines.values()) writeLine(entries, cluster, namespace);
    },
  };
}

/** Writes one line; its metrics have the same dimensions. */
function writeLine(entries: readonly Recorded[], cluster: string, namespace: string): void {
  const metrics = new PowertoolsMetrics({ namespace });
  // Removes Powertools' `service`, which would be a dimension of every metric and alarm.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ cluster });
  for (const { name, value } of entries) metrics.addMetric(name, metricUnit(name), value);
  for (const { name, labels } of entries.slice(0, 1)) {
    if (isInTotal(name, labels)) metrics.addDimensions({});
    metrics.addDimensions(labels);
  }
  metrics.publishStoredMetrics();
}

function isInTotal(name: MetricName, labels: Labels): boolean {
  return publishedInTotal.has(name) && Object.keys(labels).length > 0;
}

function metricUnit(name: MetricName): "Seconds" | "Count" {
  return name.endsWith("_seconds") ? "Seconds" : "Count";
}
