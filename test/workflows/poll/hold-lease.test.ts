import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { functionSpecs } from "../../../infra/constructs/functions/function-specs.ts";
import { poll } from "../../../functions/handlers/poll.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import type { LeaseState, PollLease } from "../../../functions/ports/poll-lease.ts";
import { holdLease, maxReleaseMs } from "../../../functions/workflows/poll/hold-lease.ts";
import { deadlineMs } from "../../../functions/runtime/lambda.ts";
import { drainTimeoutMs } from "../../../functions/workflows/poll/process-workload.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { createManyPorts, createWorkloads } from "./many-workloads.ts";

interface LeaseCalls extends PollLease {
  readonly calls: string[];
}

/** Returns a lease that records its calls, and answers as `acquire` says. */
function recordingLease(
  acquire: () => Promise<LeaseState> = async () => ({ kind: "held", takenOverFrom: null }),
): LeaseCalls {
  const calls: string[] = [];
  return {
    calls,
    acquire(one) {
      calls.push(`acquire ${one}`);
      return acquire();
    },
    release: async (one) => void calls.push(`release ${one}`),
  };
}

function portsWith(pollLease: PollLease, count = 4) {
  return { ...createManyPorts(createWorkloads(count)), pollLease };
}

// oxlint-disable-next-line require-yield -- its first page fails
async function* failingList(): AsyncGenerator<never> {
  throw new Unreachable("down");
}

const verbs = ({ calls }: LeaseCalls) => calls.map((call) => call.split(" ")[0]);

describe("a poll", () => {
  test("takes the lease, and releases it at its end", async () => {
    const pollLease = recordingLease();
    expect(await pollCluster(portsWith(pollLease))).toMatchObject({ started: 4, skipped: null });
    expect(verbs(pollLease)).toEqual(["acquire", "release"]);
    expect(new Set(pollLease.calls.map((call) => call.split(" ")[1])).size).toBe(1);
  });

  test("releases it too if it fails", async () => {
    const pollLease = recordingLease();
    const ports = portsWith(pollLease);
    const cluster = { ...ports.cluster, list: failingList };
    await expect(pollCluster({ ...ports, cluster })).rejects.toThrow("down");
    expect(verbs(pollLease)).toEqual(["acquire", "release"]);
  });

  test("beside another one does nothing but say so, which is neither an error nor a heartbeat", async () => {
    const pollLease = recordingLease(async () => ({ kind: "taken", by: "local:laptop:7 abc" }));
    const ports = portsWith(pollLease);
    const report = await pollCluster(ports);
    expect(report).toMatchObject({
      skipped: "another poll is in progress: local:laptop:7 abc",
      evaluated: 0,
      failures: 0,
    });
    expect(ports.started()).toEqual([]);
    expect(ports.metrics.pending).toEqual([]);
    expect(verbs(pollLease)).toEqual(["acquire"]);
  });

  test.for([new Unreachable("no answer"), new Forbidden("apply RBAC"), "not even an error"])(
    "runs without a lease if that fails, and counts it: %s",
    async (error) => {
      const pollLease = recordingLease(async () => {
        throw error;
      });
      const ports = portsWith(pollLease);
      const warnings: string[] = [];
      expect(await pollCluster(ports, { warn: (message) => warnings.push(message) })).toMatchObject({ started: 4 });
      expect(warnings).toEqual(["poll lease failed"]);
      const name = error instanceof Error ? error.name : "Error";
      expect(ports.metrics.pending).toContainEqual({ name: "pawl_errors_total", value: 1, labels: { error: name } });
    },
  );

  test("runs if its release fails", async () => {
    const pollLease = { ...recordingLease(), release: () => Promise.reject(new Unreachable("no answer")) };
    expect(await pollCluster(portsWith(pollLease))).toMatchObject({ started: 4 });
  });

  test("runs in a cluster without a Lease, and says what to apply", async () => {
    const pollLease = recordingLease(async () => ({ kind: "absent" }));
    const warnings: string[] = [];
    await pollCluster(portsWith(pollLease), { warn: (message) => warnings.push(message) });
    expect(warnings).toEqual(["the Lease of polls is missing; apply infra/cluster again"]);
    expect(verbs(pollLease)).toEqual(["acquire"]);
  });

  test("of selected workloads takes none: the one in progress may have passed them", async () => {
    const pollLease = recordingLease(async () => ({ kind: "taken", by: "another" }));
    const ports = portsWith(pollLease);
    expect(await poll(ports, { cluster: "production", pushes: [{ repository: "shop/r-0" }] })).toMatchObject({
      skipped: null,
    });
    expect(pollLease.calls).toEqual([]);
  });

  test("of several batches has one lease, which they keep and their last round releases", async () => {
    const pollLease = recordingLease();
    expect(await pollToCompletion(portsWith(pollLease, 40), { maxWorkloads: 16 })).toMatchObject({ evaluated: 40 });
    expect(verbs(pollLease).filter((verb) => verb === "release")).toHaveLength(1);
    expect(verbs(pollLease).at(-1)).toBe("release");
    expect(verbs(pollLease).length).toBeGreaterThan(3);
    expect(new Set(pollLease.calls.map((call) => call.split(" ")[1])).size).toBe(1);
  });

  test("of more selected workloads than fit into memory neither takes the lease nor is a heartbeat", async () => {
    const pollLease = recordingLease(async () => ({ kind: "taken", by: "another" }));
    const ports = portsWith(pollLease, 40);
    const options = { maxWorkloads: 16, selected: {} };
    expect(await pollToCompletion(ports, options)).toMatchObject({ evaluated: 40, unreached: 0 });
    expect(pollLease.calls).toEqual([]);
    const recorded = ports.metrics.pending.map(({ name }) => name);
    expect(recorded).not.toContain("pawl_polls_total");
    expect(recorded).not.toContain("pawl_poll_duration_seconds");
  });

  test("whose lease was taken over leaves the rest to the other one, and says so", async () => {
    const states: LeaseState[] = [
      { kind: "held", takenOverFrom: null },
      { kind: "held", takenOverFrom: null },
    ];
    const pollLease = recordingLease(async () => states.shift() ?? { kind: "taken", by: "another" });
    const ports = portsWith(pollLease, 40);
    const report = await pollToCompletion(ports, { maxWorkloads: 16 });
    expect(report.evaluated).toBeGreaterThan(0);
    expect(report.unreached).toBe(40 - report.evaluated);
    expect(report.unreached).toBeGreaterThan(0);
  });
});

describe("a poll that takes long", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const hold = (pollLease: PollLease) =>
    holdLease(
      { ...portsWith(pollLease), now: () => new Date() },
      { id: "poll", startedAt: new Date() },
      () => undefined,
    );

  test("renews its lease three times a minute, until it ends", async () => {
    const pollLease = recordingLease();
    const lease = await hold(pollLease);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(verbs(pollLease)).toEqual(["acquire", "acquire", "acquire", "acquire"]);
    if (lease.kind === "held") await lease.release({ isOver: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(verbs(pollLease).slice(4)).toEqual(["release"]);
  });

  test("stops to renew it after a quarter of an hour, so that it does not hold up all others", async () => {
    const pollLease = recordingLease();
    await hold(pollLease);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(verbs(pollLease)).toHaveLength(46);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(verbs(pollLease)).toHaveLength(46);
  });

  test("does not release before its last renewal has ended, which would take it again", async () => {
    const renewal = Promise.withResolvers<LeaseState>();
    let calls = 0;
    const pollLease = recordingLease(() =>
      calls++ === 0 ? Promise.resolve({ kind: "held", takenOverFrom: null }) : renewal.promise,
    );
    const lease = await hold(pollLease);
    await vi.advanceTimersByTimeAsync(20_000);
    const released = lease.kind === "held" ? lease.release({ isOver: true }) : null;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(verbs(pollLease)).toEqual(["acquire", "acquire"]);
    renewal.resolve({ kind: "held", takenOverFrom: null });
    await released;
    expect(verbs(pollLease)).toEqual(["acquire", "acquire", "release"]);
  });

  test.for([
    { stalls: "the renewal", acquire: 1, release: false, waitMs: maxReleaseMs },
    { stalls: "the release", acquire: Number.POSITIVE_INFINITY, release: true, waitMs: maxReleaseMs },
    { stalls: "nothing", acquire: Number.POSITIVE_INFINITY, release: false, waitMs: 0 },
  ])("waits 10 s for its end if $stalls stalls", async ({ acquire, release, waitMs }) => {
    const never = new Promise<never>(() => undefined);
    let calls = 0;
    const held = { kind: "held", takenOverFrom: null } as const;
    const recording = recordingLease(() => (calls++ < acquire ? Promise.resolve(held) : never));
    const lease = await hold({ ...recording, ...(release ? { release: () => never } : {}) });
    await vi.advanceTimersByTimeAsync(20_000);
    const start = Date.now();
    const released = lease.kind === "held" ? lease.release({ isOver: true }).then(() => Date.now() - start) : null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await released).toBe(waitMs);
  });

  test("waits 20 s for its lease, and then runs without", async () => {
    const pollLease = recordingLease(() => new Promise(() => undefined));
    const ports = portsWith(pollLease);
    const polled = pollCluster(ports);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(ports.started()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(ports.started()).toHaveLength(4), { timeout: 20_000 });
    void polled;
  });
});

test.for(["poll", "poll-batch"] as const)("%s ends in its own time if everything stalls at its deadline", (name) => {
  const limitMs = functionSpecs[name].timeoutSeconds * 1000;
  const marginMs = 5000;
  expect(deadlineMs(limitMs) + drainTimeoutMs + maxReleaseMs).toBeLessThanOrEqual(limitMs - marginMs);
});
