import { hostname } from "node:os";
import { Command, Option } from "commander";
import { parseAddress } from "../../functions/domain/analysis/address.ts";
import { parseDuration } from "../../functions/domain/duration.ts";
import { parseRfc3339 } from "../../functions/domain/time.ts";
import type { Environment } from "../../functions/settings.ts";
import type { Ports } from "../../functions/task.ts";
import { jsonNarrator, plainNarrator } from "../../infra/local/console/narrator.ts";
import { startDemo } from "../../infra/local/demo/demo.ts";
import { type Clock, clockOf } from "../../infra/local/runtime/clock.ts";
import type { LocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { type Run, runLocal } from "../../infra/local/runtime/run-local.ts";
import { exitCodes, WrongInput } from "../exit.ts";
import { addItems } from "../input/items.ts";
import { valid } from "../input/valid.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { type FollowOptions, withFollowOptions } from "../reach/follow-options.ts";
import {
  poolEnvironment,
  type PoolRolloutOptions,
  wantsNodePools,
  withPoolRolloutOptions,
} from "../reach/node-pool-options.ts";
import { type RegistryOptions, withRegistryOptions } from "../reach/registry-options.ts";
import { openRegistry } from "../reach/registry.ts";
import { lookAtPools } from "../pools/look.ts";
import { poolStatus, type PoolStatus } from "../pools/status.ts";
import { poolTable } from "../pools/tables.ts";
import { outcomeDocument, outcomeTable } from "../output/outcome.ts";

type Flags = ClusterOptions &
  RegistryOptions &
  FollowOptions &
  PoolRolloutOptions & {
    readonly demo?: true;
    readonly prometheus?: readonly string[];
    readonly clusterName: string;
    readonly every?: string;
    readonly speed?: string;
    readonly since?: string;
    readonly exitWhenIdle?: true;
    readonly json?: true;
  };

export function localCommand(): Command {
  const command = new Command("local").description(
    "Runs Pawl on this machine without AWS: the same functions and the same state machine, behind the Step Functions " +
      "and EventBridge API on loopback. Stop it at any moment; started again it goes on where the cluster is. Node pools " +
      "are cluster-wide: with --namespace they are left alone unless --node-pools is given.",
  );
  return withPoolRolloutOptions(withFollowOptions(withRegistryOptions(withClusterOptions(command))))
    .option("--demo", "bring a cluster and a registry in memory, with workloads to watch")
    .addOption(
      new Option("--prometheus <address>", "a Prometheus that canaries may be judged by; may be repeated")
        .env("PAWL_PROMETHEUS")
        .argParser(addItems),
    )
    .option("--cluster-name <name>", "the cluster's name in events and executions", "local")
    .option("--every <duration>", "how often to poll (default: 5m, in the demo 3m)")
    .option("--speed <factor>", "run the clock this many times faster (default: 1, in the demo 60)")
    .option("--since <time>", "RFC3339 time from which a faster clock counts; the same one goes on after a restart")
    .option("--exit-when-idle", "end, with a table of the outcome, once there is nothing left to do")
    .option("--json", "one JSON document a line")
    .addHelpText("after", "\nExamples:\n  pawl local --demo\n  pawl local --context staging --every 1m")
    .action(runCommand);
}

async function runCommand(flags: Flags): Promise<void> {
  const clock = clockOf({ speed: readSpeed(flags), since: readSince(flags) });
  const everySeconds = readEvery(flags);
  const demo = flags.demo === true ? await startDemo(clock) : null;
  const environment = demo?.environment ?? (await environmentOf(flags));
  const write = (line: string) => process.stdout.write(`${line}\n`);
  const narrate = flags.json === true ? jsonNarrator : plainNarrator;
  const narrator = narrate({ write, now: clock.now, colour: process.stdout.hasColors?.() ?? false });
  let pools: readonly PoolStatus[] = [];
  try {
    const run = await runLocal({
      cluster: flags.demo === true ? "demo" : flags.clusterName,
      environment,
      clock,
      everySeconds,
      exitWhenIdle: flags.exitWhenIdle === true,
      narrator,
      signal: untilInterrupted(),
      ...(demo === null ? {} : { onEvent: (event) => demo.onEvent(event) }),
      onIdle: async ({ ports }) => void (pools = await poolsOf(ports).catch(() => [])),
      onStarted: (pawl) => flags.json === true || introduce(pawl, flags, clock, write),
    });
    conclude(run, pools, flags, write);
  } finally {
    await demo?.close();
  }
}

function introduce(pawl: LocalPawl, flags: Flags, clock: Clock, write: (line: string) => void): void {
  if (flags.demo === true) {
    write(
      `Pawl updates eight workloads and a node pool of a cluster in memory; a minute passes every ${(60 * clock.waitScale).toFixed(1)} s. Ctrl-C ends it.`,
    );
  } else {
    write(
      `Pawl polls every ${flags.every ?? "5m"} on ${hostname()}. Ctrl-C ends it; the next start goes on where the cluster is.`,
    );
  }
  const list = `aws stepfunctions list-executions --endpoint-url ${pawl.url} --state-machine-arn`;
  const ofPools = flags.demo !== true && wantsNodePools(flags) ? `\nOf node pools: ${list} ${pawl.poolMachineArn}` : "";
  write(`Executions: ${list} ${pawl.stateMachineArn}${ofPools}\n`);
}

/** Where the node pools stand; none where they are left alone. */
async function poolsOf({ nodePools, looksAtNodePools, now }: Ports): Promise<readonly PoolStatus[]> {
  if (!looksAtNodePools) return [];
  return (await lookAtPools({ nodePools, now, resolve: async () => null })).map(poolStatus);
}

function conclude(run: Run, pools: readonly PoolStatus[], flags: Flags, write: (line: string) => void): void {
  const { ended, last, outcome } = run;
  if (ended === "idle" && flags.json === true) {
    write(JSON.stringify({ kind: "outcome", workloads: outcomeDocument(outcome), nodePools: pools }));
  } else if (ended === "idle") {
    write("");
    if (outcome.length > 0 || pools.length === 0) write(outcomeTable(outcome, process.stdout));
    if (pools.length > 0) write(poolTable(pools, process.stdout));
  }
  const isBlind = last instanceof Error || (last !== null && last.failed.length > 0);
  if (ended === "idle" && isBlind) process.exitCode = exitCodes.cannotReach;
}

/** What a deployed function would find in its environment. Throws `WrongInput` before anything is started. */
async function environmentOf(flags: Flags): Promise<Environment> {
  await openCluster(flags);
  await openRegistry(flags);
  for (const address of flags.prometheus ?? []) valid("--prometheus", parseAddress(address));
  const images = Object.entries(flags.runtimeImage ?? {}).map(([runtime, repository]) => `${runtime}=${repository}`);
  return {
    PAWL_KUBECONFIG: flags.kubeconfig,
    PAWL_CONTEXT: flags.context,
    PAWL_NAMESPACES: flags.namespace?.join(","),
    PAWL_INSECURE_REGISTRIES: flags.insecureRegistry?.join(","),
    PAWL_DOCKER_CONFIG: flags.dockerConfig,
    PAWL_PROMETHEUS: flags.prometheus?.join(","),
    PAWL_RUNTIME_IMAGES: images.join(","),
    PAWL_DIGEST_BASELINE: flags.digestBaseline,
    PAWL_DIGEST_PULL_POLICY: flags.digestPullPolicy,
    PAWL_PULL_SECRETS: flags.pullSecrets,
    ...poolEnvironment(flags),
  };
}

function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function readEvery({ every, demo }: Flags): number {
  const parsed = parseDuration(every ?? (demo === true ? "3m" : "5m"));
  if (parsed.kind === "invalid") throw new WrongInput(`--every: ${parsed.reason}`);
  if (parsed.seconds < 1) throw new WrongInput(`--every ${every}: must be 1s or more`);
  return parsed.seconds;
}

function readSpeed({ speed, demo }: Flags): number {
  const factor = Number(speed ?? (demo === true ? 60 : 1));
  if (!(factor > 0 && factor <= 1000)) throw new WrongInput(`--speed ${speed}: must be a number above 0, at most 1000`);
  return factor;
}

function readSince({ since }: Flags): Date {
  if (since === undefined) return new Date();
  const time = parseRfc3339(since);
  if (time === null) throw new WrongInput(`--since ${since}: must be an RFC3339 time such as 2026-01-02T03:04:05Z`);
  return time;
}
