import { setTimeout as sleepMs } from "node:timers/promises";
import type { Ports } from "../../contract/ports.ts";
import { isOfSelected } from "../../domain/execution/poll-lease.ts";
import { Unreachable } from "../../ports/errors.ts";
import { auditFreezes, type FreezePorts } from "./audit-freezes.ts";
import { type DigestPorts, sendDigests } from "./send-digests.ts";
import type { LeaseInput, LeaseOutput, PollLease } from "../../ports/poll-lease.ts";
import type { Warn } from "./report.ts";

type LeasePorts = Pick<Ports, "pollLease" | "metrics">;

/**
 * Takes or releases the lease for a poll that may not write it, or sends its digests. At its end, freezes that have changed are reported. Throws
 * what the lease throws, and `Events`.
 */
export async function answerLease(
  ports: DigestPorts & FreezePorts,
  lease: LeaseInput["lease"],
): Promise<LeaseOutput["lease"]> {
  const { ownPollLease } = ports;
  if (lease.verb === "acquire") return ownPollLease.acquire(lease.poll);
  if (lease.verb === "send") {
    await sendDigests(ports, lease.digests);
    return { kind: "sent" };
  }
  try {
    await auditFreezes(ports);
  } finally {
    await ownPollLease.release(lease.poll);
  }
  return { kind: "released" };
}

/** Creates the lease of a poll whose process may write it. */
export function createInProcessPollLease(ports: DigestPorts & FreezePorts): PollLease {
  return {
    acquire: (poll) => ports.ownPollLease.acquire(poll),
    release: async (poll) => void (await answerLease(ports, { verb: "release", poll })),
  };
}

/** Its id is the holder of the lease. */
interface Poll {
  readonly id: string;
  readonly startedAt: Date;
}

/** How often, and how long, a poll waits for one of selected workloads. */
const selectedAttempts = 10;
const selectedPauseMs = 1000;

/** The same as `holdLease`, but waits for polls of selected workloads: they have the lease for seconds. */
export async function holdLeaseOfPoll(
  ports: LeasePorts & Pick<Ports, "now">,
  poll: Poll,
  warn: Warn,
  attempts = selectedAttempts,
): Promise<HeldLease> {
  const lease = await holdLease(ports, poll, warn);
  if (lease.kind !== "taken" || !isOfSelected(lease.by) || attempts <= 1) return lease;
  await sleepMs(selectedPauseMs);
  return holdLeaseOfPoll(ports, poll, warn, attempts - 1);
}

/** A third of the duration of a lease. */
const renewMs = 20_000;

/** A poll that takes longer must not hold up all others. */
const maxHoldMs = 15 * 60_000;

/** A poll does not wait longer for its lease: without one it is as safe, but may do work twice. */
const maxWaitMs = 20_000;

/** For the last renewal and the release together: a function whose time is over still reports what it did. */
export const maxReleaseMs = 10_000;

/** "taken": another poll is in progress. Otherwise this one may run; `release` stops the renewal, and never throws. */
export type HeldLease =
  | { readonly kind: "taken"; readonly by: string }
  | {
      readonly kind: "held";
      /** The poll before, if it was killed or ended without releasing the lease; null otherwise. */
      readonly takenOverFrom: string | null;
      /** The day of the last daily digest of each target; null without a Lease, which remembers them. */
      readonly digests: Readonly<Record<string, string>> | null;
      release(options: { readonly isOver: boolean }): Promise<void>;
    };

/** Of a poll of selected workloads, and in a cluster without a Lease. */
export const noLease: HeldLease = { kind: "held", takenOverFrom: null, digests: null, release: async () => undefined };

/**
 * Takes the lease of a poll and renews it. If that fails, or there is no Lease, the poll runs without: a failure is logged and
 * counted. A lease that is lost meanwhile does not stop the poll, because its writes are conditional. It is not renewed for longer than
 * a quarter of an hour.
 */
export async function holdLease(
  ports: LeasePorts & Pick<Ports, "now">,
  { id: poll, startedAt }: Poll,
  warn: Warn,
): Promise<HeldLease> {
  const { pollLease, now } = ports;
  const onFailure = (error: unknown) => reportFailure(ports, error, warn);
  const state = await inTime(pollLease.acquire(poll)).catch(onFailure);
  if (state?.kind === "taken") return state;
  if (state?.kind === "absent") warn("the Lease of polls is missing; apply infra/cluster again", {});
  if (state?.kind === "absent") return noLease;

  let renewal: Promise<unknown> = Promise.resolve();
  const renew = () => {
    if (now().getTime() - startedAt.getTime() > maxHoldMs) return clearInterval(timer);
    renewal = pollLease.acquire(poll).catch(onFailure);
  };
  const timer = setInterval(renew, renewMs);
  timer.unref();
  return {
    kind: "held",
    takenOverFrom: state?.kind === "held" ? state.takenOverFrom : null,
    digests: state?.kind === "held" ? (state.digests ?? {}) : null,
    async release({ isOver }) {
      clearInterval(timer);
      // A late renewal must not take the lease again.
      const released = renewal.then(() => (isOver ? pollLease.release(poll) : undefined));
      await inTime(released, maxReleaseMs).catch(onFailure);
    },
  };
}

/** Releases the lease of a poll, and never throws. */
export async function releaseLease(ports: LeasePorts, poll: string, warn: Warn): Promise<void> {
  await inTime(ports.pollLease.release(poll), maxReleaseMs).catch((error: unknown) =>
    reportFailure(ports, error, warn),
  );
}

function reportFailure({ metrics }: LeasePorts, error: unknown, warn: Warn): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  warn("poll lease failed", { failure: name, reason: message });
  metrics.record("pawl_errors_total", 1, { error: name });
}

/** Throws `Unreachable` if there is no answer in time, and what `answer` throws. */
async function inTime<Answer>(answer: Promise<Answer>, maxMs = maxWaitMs): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Unreachable(`the lease of polls: no answer in ${maxMs / 1000} s`)), maxMs);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
