import { Command, Option } from "commander";
import type { Environment } from "../../functions/runtime/settings.ts";
import { createJsonReporter, createTextReporter } from "../../infra/local/console/reporter.ts";
import { startDemo } from "../../infra/local/demo/demo.ts";
import { type Clock, createClock } from "../../infra/local/runtime/clock.ts";
import type { LocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { type LocalRun, runLocal } from "../../infra/local/runtime/run-local.ts";
import { exitCodes } from "../exit-codes.ts";
import { createInterruptSignal } from "../input/interrupt.ts";
import { addItems } from "../input/parse.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { readAutoUpdates } from "../connect/auto-updates.ts";
import { connectCluster } from "../connect/cluster.ts";
import { type ClockFlags, parseClockSpeed, parseClockStart, parseInterval } from "../local/clock-flags.ts";
import type { Notifier } from "../../infra/local/runtime/notifier.ts";
import { openNotifier } from "../local/open-notifier.ts";
import { confirmCluster } from "../local/confirm-cluster.ts";
import { describeStart } from "../local/banner.ts";
import { announceNextPoll, withdrawNextPoll } from "../local/next-poll.ts";
import { type RunOutcome, outcomeDocument, outcomeTables, poolStatuses } from "../local/outcome.ts";
import { type DigestOptions, withDigestOptions } from "../options/digest.ts";
import { gateEnvironment, type GateOptions, withGateOptions } from "../options/gates.ts";
import {
  metricProviderEnvironment,
  type MetricLoginOptions,
  withMetricProviderOptions,
} from "../options/metric-providers.ts";
import { poolEnvironment, type PoolRolloutOptions, withPoolRolloutOptions } from "../options/node-pool.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { connectRegistry } from "../connect/registry.ts";
import { printStderr, printStdout } from "../output/print.ts";

type Flags = ClusterOptions &
  RegistryOptions &
  MetricLoginOptions &
  DigestOptions &
  GateOptions &
  PoolRolloutOptions &
  ClockFlags & {
    readonly notifications?: string;
    readonly clusterName: string;
    readonly exitWhenIdle?: true;
    readonly releases?: boolean;
    readonly dashboard?: true;
    readonly yes?: true;
    readonly verbose?: true;
    readonly json?: true;
  };

export function createCommand(): Command {
  const command = new Command("local").description(
    "Runs Pawl on this machine without AWS: the same functions and state machines, behind the Step Functions and " +
      "EventBridge APIs on loopback. You may stop it at any time; after a restart it resumes from what the cluster says. " +
      "Node pools are cluster-wide: with --namespace they are excluded unless --node-pools is set.",
  );
  return withMetricProviderOptions(
    withPoolRolloutOptions(withGateOptions(withDigestOptions(withRegistryOptions(withClusterOptions(command))))),
  )
    .option("-y, --yes", "do not ask on a terminal whether the cluster is the right one")
    .option("--verbose", "print a line for each poll, also if it found nothing to do")
    .option("--dashboard", "serve the dashboard beside it, and print its address")
    .option("--demo", "use an in-memory cluster and registry with example workloads")
    .addOption(new Option("--releases", "record releases, and roll back to them").env("PAWL_RELEASES"))
    .option("--notifications <file>", "notify the targets in this file of events: messages to Slack and webhooks")
    .option("--cluster-name <name>", "the cluster's name in events and executions", "local")
    .option("--interval <duration>", "time between polls (default: 5m, in the demo 3m)")
    .option("--clock-speed <factor>", "speed of the clock (default: 1, in the demo 60)")
    .option("--clock-start <time>", "RFC3339 start of a faster clock; use the same one after a restart")
    .option("--exit-when-idle", "exit with a table of the results when there is nothing left to do")
    .option("--json", "print one JSON document per line")
    .addHelpText("after", "\nExamples:\n  pawl local --demo\n  pawl local --context staging --interval 1m")
    .action(runCommand);
}

async function runCommand(flags: Flags): Promise<void> {
  const clock = createClock({ speed: parseClockSpeed(flags), since: parseClockStart(flags) });
  const intervalSeconds = parseInterval(flags);
  const notifier = openNotifier(flags.notifications, printStderr);
  const demo = flags.demo === true ? await startDemo(clock) : null;
  const environment = { ...(demo?.environment ?? (await buildEnvironment(flags))), ...gateEnvironment(flags) };
  if (demo === null) await confirmCluster(flags, flags.yes === true);
  const write = (line: string) => printStdout(`${line}\n`);
  const createReporter = flags.json === true ? createJsonReporter : createTextReporter;
  const colour = process.stdout.hasColors?.() ?? false;
  const reporter = createReporter({ write, now: clock.now, colour, verbose: flags.verbose === true });
  const connection = demo === null ? flags : { kubeconfig: demo.environment.PAWL_KUBECONFIG ?? "" };
  const { server } = await connectCluster(connection);
  const registries =
    demo === null ? (flags.insecureRegistry ?? []) : addItems(environment.PAWL_INSECURE_REGISTRIES ?? "");
  const dashboard = flags.dashboard
    ? await (
        await import("../dashboard/open-dashboard.ts")
      ).openDashboard({
        ...flags,
        ...connection,
        allowActions: flags.demo === true,
        insecureRegistry: registries,
        port: 0,
        clock,
      })
    : null;
  const list = () => readAutoUpdates(connection, flags.namespace ?? null);
  let running: LocalPawl | null = null;
  let rest: Omit<RunOutcome, "workloads"> = { pools: [], autoUpdates: [] };
  try {
    if ((await list().catch(() => [])) === null)
      printStderr((await import("../../functions/adapters/kubernetes/auto-update/unrecordable.ts")).crdMissing);
    const run = await runLocal({
      cluster: flags.demo === true ? "demo" : flags.clusterName,
      environment: { ...environment, ...notifiedTargets(flags, notifier) },
      clock,
      intervalSeconds,
      exitWhenIdle: flags.exitWhenIdle === true,
      reporter: {
        ...reporter,
        poll(report) {
          reporter.poll(report);
          const next = new Date(Date.now() + intervalSeconds * 1000 * clock.waitScale);
          if (running !== null) void announceNextPoll(server, next, running);
        },
      },
      signal: createInterruptSignal(),
      onEvent(event) {
        demo?.onEvent(event);
        notifier.notify(event);
      },
      onIdle: async ({ ports }) => {
        const autoUpdates = (await list().catch(() => null)) ?? [];
        rest = { autoUpdates, pools: await poolStatuses(ports).catch(() => []) };
      },
      onStarted(pawl) {
        running = pawl;
        const started = { dashboard: dashboard?.url, demo: demo?.environment ?? null };
        if (flags.json !== true) write(describeStart(pawl, flags, clock, started));
      },
    });
    printOutcome(run, { ...rest, workloads: run.outcome }, flags, clock, write);
  } finally {
    await withdrawNextPoll(server);
    await notifier.finish();
    await dashboard?.close();
    await demo?.close();
  }
}

/** A workload that names another target has a problem. A comma alone is no target. */
function notifiedTargets({ notifications }: Flags, { targets, digests }: Notifier): Environment {
  return notifications === undefined
    ? {}
    : { PAWL_NOTIFICATION_TARGETS: targets.join(",") || ",", PAWL_DAILY_DIGESTS: JSON.stringify(digests) };
}

function printOutcome(
  { ended, last }: LocalRun,
  outcome: RunOutcome,
  flags: Flags,
  clock: Clock,
  write: (line: string) => void,
): void {
  if (ended === "idle" && flags.json === true) write(outcomeDocument(outcome));
  else if (ended === "idle") write(["", ...outcomeTables(outcome, process.stdout)].join("\n"));
  const hasErrors = last instanceof Error || (last !== null && last.failed.length > 0);
  if (ended === "idle" && hasErrors) process.exitCode = exitCodes.unreachable;
}

/** Returns the environment of a deployed function. Throws `InvalidInput` before anything is started. */
async function buildEnvironment(flags: Flags): Promise<Environment> {
  await connectCluster(flags);
  await connectRegistry(flags);
  const images = Object.entries(flags.runtimeImage ?? {}).map(([runtime, repository]) => `${runtime}=${repository}`);
  return {
    PAWL_KUBECONFIG: flags.kubeconfig,
    PAWL_CONTEXT: flags.context,
    PAWL_NAMESPACES: flags.namespace?.join(","),
    PAWL_INSECURE_REGISTRIES: flags.insecureRegistry?.join(","),
    PAWL_ALLOWED_REGISTRIES: flags.allowedRegistry?.join(","),
    PAWL_DENIED_REGISTRIES: flags.deniedRegistry?.join(","),
    PAWL_DOCKER_CONFIG: flags.dockerConfig,
    ...(await metricProviderEnvironment(flags)),
    PAWL_RUNTIME_IMAGES: images.join(","),
    PAWL_DIGEST_ON_FIRST_SEEN: flags.onFirstDigest,
    PAWL_DIGEST_IMAGE_PULL_POLICY: flags.digestPullPolicy,
    PAWL_USE_PULL_SECRETS: flags.pullSecrets,
    PAWL_RELEASES: flags.releases ? "true" : undefined,
    PAWL_CONFIG_SECRETS: flags.configSecrets,
    ...poolEnvironment(flags),
  };
}
