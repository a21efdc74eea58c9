import { awaitInterrupt } from "../input/interrupt.ts";
import { connectCluster } from "../connect/cluster.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { openFeedOf } from "../dashboard/open-feed.ts";
import type { StreamMessage, WorkloadRow } from "../dashboard/model.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { assertStream, isTable, type OutputFormat } from "../options/output.ts";
import { printJsonLine, printStderr, printStdout } from "../output/print.ts";
import { alignRow } from "../output/align-row.ts";
import { formatWorkloadName } from "./name.ts";
import { selectWorkloads } from "./select.ts";

const header = ["WORKLOAD", "STATE", "CURRENT", "AVAILABLE", "MESSAGE"];

/** Prints workloads now, and each again after it has changed, until the command is interrupted. */
export async function watchStatus(
  names: readonly string[],
  options: ClusterOptions,
  format: OutputFormat,
): Promise<void> {
  assertStream(format);
  const opened = await connectCluster(options);
  const named = names.length === 0 ? [] : await selectWorkloads(opened, names, options);
  const keys = new Set(named.map(({ ref }) => formatWorkloadName(ref)));
  const namespaces = new Set(named.map(({ ref }) => ref.namespace));
  const watched = namespaces.size === 0 ? options : { ...options, namespace: [...namespaces] };
  const { cluster } = await connectCluster(watched);
  const printed = new Map<string, string>();
  const isPrinted = ({ key }: WorkloadRow) => keys.size === 0 || keys.has(key);
  const print = (row: WorkloadRow) => {
    const cells = [row.key, row.state, row.current ?? "-", row.available ?? "-", row.message];
    const line = alignRow(cells);
    const shown = format === "json" ? JSON.stringify(row) : line;
    if (printed.get(row.key) === shown) return;
    printed.set(row.key, shown);
    if (format === "json") printJsonLine(row);
    else printStdout(format === "name" ? `${row.key}\n` : line);
  };
  const publish = (message: StreamMessage) => {
    if (message.kind === "connection" && message.problem !== null) printStderr(message.problem);
    if ("workloads" in message) message.workloads.filter(isPrinted).forEach(print);
  };
  if (isTable(format)) printStdout(alignRow(header));
  const clock = { now: () => new Date(), waitScale: 1 };
  const feed = openFeedOf({ cluster, kubeConfig: await loadKubeConfig(options), options: watched, clock, publish });
  await awaitInterrupt();
  feed.close();
}
