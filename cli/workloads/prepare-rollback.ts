import { randomUUID } from "node:crypto";
import { setTimeout as sleepMs } from "node:timers/promises";
import { chooseRelease, isRunningRelease } from "../../functions/domain/workload/release/choose-release.ts";
import type { Release } from "../../functions/domain/workload/release/release.ts";
import {
  describeAnswer,
  isRefused,
  type PersonRequest,
} from "../../functions/domain/workload/request/person-request.ts";
import { requestedVerdict } from "../../functions/domain/workload/request/request.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Prepared } from "../commands/request.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { connectRegistry } from "../connect/registry.ts";
import type { RegistryOptions } from "../options/registry.ts";
import { printStderr } from "../output/print.ts";
import { awaitAnswer } from "./await-answer.ts";
import type { Outcome } from "./await-outcome.ts";
import { formatWorkloadName } from "./name.ts";
import { openPollNow, type PollNow, type PollNowOptions } from "./poll-now.ts";
import { preflight } from "./preflight.ts";
import { readOrThrow } from "./read.ts";
import { writeRequest } from "./write-request.ts";

export interface RollbackOptions extends RegistryOptions, PollNowOptions {
  readonly abortCanary?: true;
  readonly now?: true;
  readonly preflight: boolean;
}

/**
 * Looks up what a rollback needs and, on request, aborts the update in flight. Nothing is written before everything is found. Throws the
 * errors of finding and writing, and `InvalidInput`.
 */
export async function prepareRollback(
  options: RollbackOptions,
  opened: OpenCluster,
  found: Workload,
  request: PersonRequest,
  deadline: number,
): Promise<Prepared> {
  const workload = await readOrThrow(opened.cluster, found);
  const poll = options.now ? { pollNow: await openPollNow(opened.server, workload.ref, options) } : {};
  const ready = { kind: "ready", workload, request, ...poll } as const;
  const abort = { verb: "abort", argument: null, token: randomUUID() };
  const { inFlight } = workload;
  // It is the abort of the update in flight.
  if (requestedVerdict(request, inFlight) !== null) return ready;
  const isAborted = options.abortCanary === true && requestedVerdict(abort, inFlight) !== null;
  const chosen = chooseRelease(isAborted ? { ...workload, inFlight: null } : workload, request.argument);
  // It is refused for this reason when it is written.
  if (chosen.kind === "refused" && !isAborted) return ready;
  if (chosen.kind === "refused")
    return isRunningRelease(workload, request.argument) ? { ...ready, request: abort } : refused(chosen.reason);
  const missing = options.preflight ? await lookUp(options, opened, workload, chosen.release) : [];
  if (missing.length > 0)
    return refused(`release ${chosen.release.number} cannot be restored: ${missing.join("; ")}; or use --no-preflight`);
  if (!isAborted) return ready;
  const outcome = await abortFirst(opened, workload, abort, { ...poll, deadline });
  if (outcome !== null) return { kind: "ended", outcome };
  const idle = await readOrThrow(opened.cluster, found);
  if (!isRunningRelease(idle, request.argument)) return { ...ready, workload: idle };
  return { kind: "ended", outcome: { status: "handled", result: `release ${request.argument} runs again` } };
}

function refused(result: string): Prepared {
  return { kind: "ended", outcome: { status: "refused", result } };
}

/** Returns what is missing, and prints what was not checked. */
async function lookUp(
  options: RollbackOptions,
  { cluster, checkReferences }: OpenCluster,
  workload: Workload,
  release: Release,
): Promise<readonly string[]> {
  const registry = await connectRegistry(options);
  const rules = await readRules(options);
  const { missing, unchecked } = await preflight({ cluster, checkReferences, registry, rules }, workload, release);
  for (const one of unchecked) printStderr(`${formatWorkloadName(workload.ref)}: not checked: ${one}`);
  return missing;
}

async function readRules({ config }: RollbackOptions) {
  if (config === undefined) return null;
  const { readConfigFile } = await import("../options/deployment.ts");
  const { compileRules } = await import("../../infra/config/compile-verify.ts");
  return compileRules(readConfigFile(config).verify);
}

interface Aborting {
  readonly deadline: number;
  readonly pollNow?: PollNow;
}

/** Aborts the update in flight and waits until nothing is. Returns why that did not happen. */
async function abortFirst(
  { cluster }: OpenCluster,
  found: Workload,
  abort: PersonRequest,
  { deadline, pollNow }: Aborting,
): Promise<Outcome | null> {
  const written = await writeRequest(cluster, found, abort);
  if (written.kind === "refused") return { status: "refused", result: written.reason };
  printStderr(`${formatWorkloadName(found.ref)}: aborts the update in flight first`);
  await pollNow?.();
  const secondsLeft = () => (deadline - Date.now()) / 1000;
  const awaited = await awaitAnswer(() => readOrThrow(cluster, found), abort, { timeoutSeconds: secondsLeft() });
  if (awaited.kind === "replaced") return { status: "replaced", result: "another request took the place of its abort" };
  if (awaited.kind === "answered" && isRefused(awaited.answer))
    return { status: "refused", result: describeAnswer(awaited.answer) };
  while (awaited.kind === "answered" && secondsLeft() > 0) {
    if ((await readOrThrow(cluster, found)).inFlight === null) return null;
    await sleepMs(Math.min(1000, Math.max(1, secondsLeft() * 1000)));
  }
  return { status: "timeout", result: "its update was not aborted in time; the request to abort it stays" };
}
