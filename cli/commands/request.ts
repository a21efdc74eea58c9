import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { parseDuration } from "../../functions/domain/text/duration.ts";
import { describeRequest, type PersonRequest } from "../../functions/domain/workload/request/person-request.ts";
import { requestedVerdict } from "../../functions/domain/workload/request/request.ts";
import type { WorkloadState } from "../../functions/domain/state/state.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { type OpenCluster, connectCluster } from "../connect/cluster.ts";
import { InvalidInput } from "../exit-codes.ts";
import { describeNextPoll } from "../local/next-poll.ts";
import { parsePoolName } from "../node-pools/name.ts";
import { sendPoolRequest } from "../node-pools/send-request.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { printStderr } from "../output/print.ts";
import { printSent } from "../output/sent-request.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { awaitOutcome, type Outcome, type Sent } from "../workloads/await-outcome.ts";
import { awaitVerdict, describeState } from "../workloads/await-verdict.ts";
import { findFailed } from "../workloads/find-failed.ts";
import { type OverrideOptions, parseOverride } from "../workloads/parse-override.ts";
import type { RequestedOverride } from "../../functions/ports/cluster.ts";
import { readOrThrow } from "../workloads/read.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import type { PollNow } from "../workloads/poll-now.ts";
import { writeRequest } from "../workloads/write-request.ts";

export interface RequestOptions extends ClusterOptions, OverrideOptions {
  /** Of a request that starts an update, true waits for its verdict, and absent until it is handled. false waits for nothing. */
  readonly wait?: boolean;
  readonly timeout: string;
  readonly json?: true;
}

/** Adds what every command has that asks something of Pawl. `hasVerdict`: it starts an update, which is healthy in the end, or not. */
export function withRequestOptions(command: Command, hasVerdict: boolean): Command {
  const added = withClusterOptions(command.argument("<workload>", workloadArgument));
  const waiting = hasVerdict
    ? added.option("--wait", "wait until what it starts is healthy, or not (default: until it is handled)")
    : added.option("--wait", "wait until it is handled (default)", true);
  return waiting
    .option("--no-wait", "only write the request")
    .option("--timeout <duration>", "how long to wait", "10m")
    .option("--reason <text>", "why, for the audit and everybody who reads the status")
    .option("--json", "print one JSON document");
}

/** What has to happen before a request is written. "ended": it is not written. */
export type Prepared =
  | {
      readonly kind: "ready";
      readonly workload: Workload;
      readonly request: PersonRequest;
      /** Asks for a poll as soon as the request is written. Never throws. */
      readonly pollNow?: PollNow;
    }
  | { readonly kind: "ended"; readonly outcome: Outcome };

/** `deadline` is in milliseconds of `Date.now`. Throws the errors of finding and writing. */
type Prepare = (opened: OpenCluster, found: Workload, request: PersonRequest, deadline: number) => Promise<Prepared>;

interface Sending {
  readonly hasVerdict: boolean;
  readonly isForAll?: boolean;
  readonly prepare?: Prepare;
}

/**
 * Writes a request and waits for its answer, or for the verdict on what it starts. The exit code is 1 if it is refused, not answered in
 * time, or unhealthy, and 124 if there is no verdict in time. Throws the errors of finding and writing.
 */
export async function sendRequest(
  name: string,
  requested: Pick<PersonRequest, "verb" | "argument">,
  options: RequestOptions,
  { hasVerdict, isForAll = false, prepare }: Sending,
): Promise<void> {
  const timeout = parseDuration(options.timeout);
  if (timeout.kind === "invalid") throw new InvalidInput(`--timeout: ${timeout.reason}`);
  const pool = parsePoolName(name);
  if (pool !== null)
    return printSent([await sendPoolRequest(pool, requested, options, timeout.seconds)], options, ([only]) => only);
  const opened = await connectCluster(options);
  const found = await findWorkload(opened, name);
  const { asked, override } = parseOverride(requested, found, options);
  const waits = options.wait !== false;
  const sendTo = async (workload: Workload): Promise<Sent> => {
    const asRequested: PersonRequest = { ...asked, token: randomUUID() };
    const sent = { workload: formatWorkloadName(workload.ref), request: asRequested };
    const deadline = Date.now() + timeout.seconds * 1000;
    const secondsLeft = () => Math.max(0, (deadline - Date.now()) / 1000);
    const prepared = (await prepare?.(opened, workload, asRequested, deadline)) ?? {
      kind: "ready",
      workload,
      request: asRequested,
    };
    if (prepared.kind === "ended") return { ...sent, outcome: prepared.outcome };
    const answered = await writeAndWait(opened, prepared, waits ? secondsLeft() : null, override);
    const isAwaited = hasVerdict && options.wait === true && answered.status === "handled";
    const outcome = isAwaited ? await waitForVerdict(opened, prepared.workload, answered, secondsLeft()) : answered;
    return { ...sent, request: prepared.request, outcome };
  };
  if (!isForAll) return printSent([await sendTo(found)], options, ([only]) => only);
  const failed = await findFailed(opened, found, asked.argument, options);
  return printSent(await Promise.all(failed.map(sendTo)), options, (documents) => documents);
}

async function writeAndWait(
  { cluster, server }: OpenCluster,
  { workload: found, request, pollNow }: Extract<Prepared, { kind: "ready" }>,
  timeoutSeconds: number | null,
  override?: RequestedOverride,
): Promise<Outcome> {
  const written = await writeRequest(cluster, found, request, override);
  if (written.kind === "refused") return { status: "refused", result: written.reason };
  if (written.replaced !== null)
    printStderr(`it replaces a request that was not handled: ${describeRequest(written.replaced)}`);
  const isPolled = (await pollNow?.()) ?? false;
  const when = await describeHandling(written.workload, request, isPolled ? null : server);
  if (timeoutSeconds === null) return { status: "requested", result: when };
  printStderr(`${formatWorkloadName(found.ref)}: ${when}`);
  return awaitOutcome(() => readOrThrow(cluster, found), request, timeoutSeconds, when);
}

/** Prints each state of the workload to stderr while it waits. */
async function waitForVerdict(
  { cluster }: OpenCluster,
  found: Workload,
  { result }: Outcome,
  timeoutSeconds: number,
): Promise<Outcome> {
  const name = formatWorkloadName(found.ref);
  const print = (line: string) => printStderr(`${name}: ${toSingleLine(line)}`);
  print(result);
  const onState = (state: WorkloadState) => print(describeState(state));
  const verdict = await awaitVerdict(cluster, found, { timeoutSeconds, onState });
  if (verdict.kind !== "timeout") return { status: verdict.kind, result: verdict.reason };
  return { status: "no-verdict", result: `no verdict in time; it continues: ${verdict.reason}` };
}

/** The execution of an update handles its own requests. `server` is null if a poll was asked for. */
async function describeHandling(
  { inFlight }: Workload,
  request: PersonRequest,
  server: string | null,
): Promise<string> {
  if (requestedVerdict(request, inFlight) !== null) return "the next check of the update handles it";
  return server === null ? "a poll that was asked for handles it" : describeNextPoll(server);
}
