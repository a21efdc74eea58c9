import pLimit from "p-limit";
import type { Decision } from "../domain/poll-decision.ts";
import type { Workload, WorkloadRef } from "../domain/workload.ts";
import type { Ports } from "../task.ts";
import { act, type Act } from "./act.ts";
import { look } from "./look.ts";
import { measurePoll } from "./measure.ts";
import { tagsOnce } from "./tags-once.ts";

/** What came of one workload: a decision and what was done about it, or the error that kept it from being decided. */
export type Polled =
  | { readonly workload: Workload; readonly decision: Decision; readonly act: Act }
  | { readonly workload: Workload; readonly error: Error };

/** Counts of one poll, and every workload that could not be decided, with why. */
export interface PollReport {
  readonly looked: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  readonly held: number;
  /** Of those held or with a problem: how many were written to or spoken of, because something about them is new. */
  readonly recorded: number;
  readonly problems: number;
  readonly failed: readonly { readonly workload: WorkloadRef; readonly error: string; readonly message: string }[];
}

const workloadsAtOnce = 32;

/**
 * Looks at every workload once, or at those that are `wanted`, and starts an execution for each that has something newer.
 * One that cannot be decided is reported and keeps no other from its turn; it is looked at again by the next poll.
 */
export async function pollCluster(ports: Ports, wanted?: (workload: Workload) => boolean): Promise<PollReport> {
  const startedAt = ports.now();
  const polled = await lookAndActOnAll(ports, wanted ?? everyWorkload).catch((error: unknown) => {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  });
  measurePoll(ports.metrics, { polled, startedAt, now: ports.now(), isWhole: wanted === undefined });
  return reportOf(polled);
}

async function lookAndActOnAll(ports: Ports, wanted: (workload: Workload) => boolean): Promise<readonly Polled[]> {
  const listTags = tagsOnce(ports.registry);
  const lookAndAct = async (workload: Workload) => {
    const decision = await look(workload, listTags, ports.now());
    return { workload, decision, act: await act(ports, workload, decision) };
  };
  return lookAtAll(ports, wanted, (workload) => againOnConflict(ports, workload, lookAndAct));
}

const mostLooks = 4;

/** A controller writes to its workloads all the time: what has changed since it was listed is read and decided anew. */
async function againOnConflict(
  { cluster }: Ports,
  listed: Workload,
  lookAndAct: (workload: Workload) => Promise<Polled>,
): Promise<Polled> {
  let workload = listed;
  for (let looks = 1; ; looks += 1) {
    try {
      return await lookAndAct(workload);
    } catch (error) {
      const current = isConflict(error) && looks < mostLooks ? await cluster.read(listed.ref) : null;
      if (current === null) throw error;
      workload = current;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === "Conflict";
}

/** The same look, with nothing done about it. */
export async function planCluster(ports: Pick<Ports, "cluster" | "registry" | "now">): Promise<readonly Polled[]> {
  const listTags = tagsOnce(ports.registry);
  return lookAtAll(ports, everyWorkload, async (workload) => {
    return { workload, decision: await look(workload, listTags, ports.now()), act: "none" };
  });
}

function everyWorkload(): boolean {
  return true;
}

async function lookAtAll(
  { cluster }: Pick<Ports, "cluster">,
  wanted: (workload: Workload) => boolean,
  each: (workload: Workload) => Promise<Polled>,
): Promise<readonly Polled[]> {
  const limit = pLimit(workloadsAtOnce);
  const polled: Promise<Polled>[] = [];
  for await (const workload of cluster.list()) {
    if (!wanted(workload)) continue;
    polled.push(limit(() => each(workload).catch((error: Error) => ({ workload, error }))));
  }
  return Promise.all(polled);
}

function reportOf(polled: readonly Polled[]): PollReport {
  const count = (wanted: Act) => polled.filter((one) => "act" in one && one.act === wanted).length;
  return {
    looked: polled.length,
    started: count("started"),
    adopted: count("adopted"),
    inFlight: count("in-flight"),
    held: polled.filter((one) => "decision" in one && one.decision.kind === "hold").length,
    recorded: count("recorded"),
    problems: polled.filter((one) => "decision" in one && one.decision.kind === "problem").length,
    failed: polled.flatMap((one) =>
      "error" in one ? [{ workload: one.workload.ref, error: one.error.name, message: one.error.message }] : [],
    ),
  };
}
