import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { parseDuration } from "../../functions/domain/text/duration.ts";
import {
  describeAnswer,
  describeRequest,
  isRefused,
  type PersonRequest,
} from "../../functions/domain/workload/request/person-request.ts";
import { requestedVerdict } from "../../functions/domain/workload/request/request.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { type OpenCluster, connectCluster } from "../connect/cluster.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { describeNextPoll } from "../local/next-poll.ts";
import { parsePoolName } from "../node-pools/name.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { awaitAnswer } from "../workloads/await-answer.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { writeRequest } from "../workloads/write-request.ts";

export interface RequestOptions extends ClusterOptions {
  readonly wait: boolean;
  readonly timeout: string;
  readonly json?: true;
}

/** Adds what every command has that asks something of Pawl. */
export function withRequestOptions(command: Command): Command {
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--wait", "wait until it is handled (default)", true)
    .option("--no-wait", "only write the request")
    .option("--timeout <duration>", "how long to wait", "10m")
    .option("--json", "print one JSON document");
}

/**
 * Writes a request and waits for its answer. The exit code is 1 if it is refused, or not answered in time. Throws the errors of
 * finding and writing.
 */
export async function sendRequest(
  name: string,
  asked: Pick<PersonRequest, "verb" | "argument">,
  options: RequestOptions,
): Promise<void> {
  const timeout = parseDuration(options.timeout);
  if (timeout.kind === "invalid") throw new InvalidInput(`--timeout: ${timeout.reason}`);
  if (parsePoolName(name) !== null) {
    throw new InvalidInput(`${name}: a node pool has no requests; use pawl pause and pawl resume, or edit its spec`);
  }
  const opened = await connectCluster(options);
  const found = await findWorkload(opened, name);
  const request: PersonRequest = { ...asked, token: randomUUID() };
  const outcome = await writeAndWait(opened, found, request, options.wait ? timeout.seconds : null);
  printOutcome(formatWorkloadName(found.ref), request, outcome, options.json === true);
}

interface Outcome {
  /** "requested": it is written, and not waited for. */
  readonly status: "handled" | "refused" | "requested" | "replaced" | "timeout";
  /** A sentence for people. */
  readonly result: string;
}

async function writeAndWait(
  { cluster, server }: OpenCluster,
  found: Workload,
  request: PersonRequest,
  timeoutSeconds: number | null,
): Promise<Outcome> {
  const written = await writeRequest(cluster, found, request);
  if (written.kind === "refused") return { status: "refused", result: written.reason };
  if (written.replaced !== null)
    printStderr(`it replaces a request that was not handled: ${describeRequest(written.replaced)}`);
  const when = await describeHandling(written.workload, request, server);
  if (timeoutSeconds === null) return { status: "requested", result: when };
  printStderr(`${formatWorkloadName(found.ref)}: ${when}`);
  const awaited = await awaitAnswer(cluster, found, request, { timeoutSeconds });
  if (awaited.kind === "answered") {
    return { status: isRefused(awaited.answer) ? "refused" : "handled", result: describeAnswer(awaited.answer) };
  }
  if (awaited.kind === "replaced") {
    return { status: "replaced", result: "another request took its place before it was handled" };
  }
  return { status: "timeout", result: `not handled in ${timeoutSeconds} s; the request stays: ${when}` };
}

/** The execution of a canary handles its own requests. */
async function describeHandling({ inFlight }: Workload, request: PersonRequest, server: string): Promise<string> {
  const isForCanary = requestedVerdict(request, inFlight) !== null;
  return isForCanary ? "the next check of the canary handles it" : describeNextPoll(server);
}

function printOutcome(workload: string, request: PersonRequest, { status, result }: Outcome, isJson: boolean): void {
  const line = `${workload}: ${toSingleLine(result)}`;
  const isDone = status === "handled" || status === "requested";
  if (isJson) printJson({ workload, request: describeRequest(request), token: request.token, status, result });
  else if (isDone) printStdout(`${line}\n`);
  if (isDone) return;
  printStderr(line);
  process.exitCode = exitCodes.noMatch;
}
