import { hostname } from "node:os";
import type { Clock } from "../../infra/local/runtime/clock.ts";
import type { LocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import type { Environment } from "../../functions/runtime/settings.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { includesNodePools, type NodePoolOptions } from "../options/node-pool.ts";

interface Flags extends NodePoolOptions, Pick<ClusterOptions, "namespace"> {
  readonly interval?: string;
}

interface Started {
  /** The URL of its dashboard. */
  readonly dashboard: string | undefined;
  /** With which the other commands read the in-memory cluster and registry; null without the demo. */
  readonly demo: Environment | null;
}

/** Returns what `pawl local` prints once it runs. */
export function describeStart(pawl: LocalPawl, flags: Flags, clock: Clock, { dashboard, demo }: Started): string {
  const isDemo = demo !== null;
  const what = isDemo
    ? `Pawl updates the workloads and a node pool of an in-memory cluster; one minute takes ${(60 * clock.waitScale).toFixed(1)} s. Press Ctrl-C to stop.`
    : `Pawl polls every ${flags.interval ?? "5m"} on ${hostname()}. Press Ctrl-C to stop; the next start resumes from the cluster.`;
  const login = `AWS_ACCESS_KEY_ID=${pawl.accessKeyId} AWS_SECRET_ACCESS_KEY=local AWS_REGION=local`;
  const list = `${login} aws stepfunctions list-executions --endpoint-url ${pawl.url} --state-machine-arn`;
  return [
    ...(dashboard === undefined ? [] : [`Dashboard: ${dashboard}`]),
    what,
    ...(demo === null
      ? []
      : [
          `Commands: export PAWL_KUBECONFIG=${demo.PAWL_KUBECONFIG} PAWL_INSECURE_REGISTRIES=${demo.PAWL_INSECURE_REGISTRIES}; npx --no-install pawl status`,
        ]),
    `Executions: ${list} ${pawl.stateMachineArn}`,
    ...(!isDemo && includesNodePools(flags) ? [`Node pools: ${list} ${pawl.poolMachineArn}`] : []),
    "",
  ].join("\n");
}
