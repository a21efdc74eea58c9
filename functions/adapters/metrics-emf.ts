import { Metrics as PowertoolsMetrics } from "@aws-lambda-powertools/metrics";
import type { MetricName, Metrics } from "../ports/metrics.ts";

interface Options {
  /** The cluster's name, a dimension of every metric. */
  readonly cluster: string;
  /** CloudWatch's. */
  readonly namespace: string;
}

type Labels = Readonly<Record<string, string>>;

interface Recorded {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Labels;
}

/** Summed up over all values of their labels as well; each combination of values is a metric of its own to CloudWatch. */
const alsoAsAWhole: ReadonlySet<MetricName> = new Set(["claw_autoupdate_checks_total"]);

/**
 * Metrics as lines of CloudWatch's embedded metric format on stdout: the function's log is all that it writes to, and no
 * call is made.
 */
export function emfMetrics({ cluster, namespace }: Options): Metrics {
  let recorded: Recorded[] = [];
  return {
    record: (name, value, labels) => void recorded.push({ name, value, labels }),
    flush() {
      const lines = Map.groupBy(recorded, ({ name, labels }) => JSON.stringify([alsoAsAWhole.has(name), labels]));
      recorded = [];
      for (const entries of lines.values()) writeLine(entries, cluster, namespace);
    },
  };
}

/** One line holds what has the same dimensions. */
function writeLine(entries: readonly Recorded[], cluster: string, namespace: string): void {
  const metrics = new PowertoolsMetrics({ namespace });
  // Powertools' own `service` would be a dimension of every metric, and alarms would have to know it.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ cluster });
  for (const { name, value } of entries) metrics.addMetric(name, unitOf(name), value);
  for (const { name, labels } of entries.slice(0, 1)) {
    if (alsoAsAWhole.has(name)) metrics.addDimensions({});
    metrics.addDimensions(labels);
  }
  metrics.publishStoredMetrics();
}

function unitOf(name: MetricName): "Seconds" | "Count" {
  return name.endsWith("_seconds") ? "Seconds" : "Count";
}
