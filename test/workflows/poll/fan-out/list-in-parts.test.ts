import { describe, expect, test } from "vitest";
import type { FanOutState } from "../../../../functions/contract/poll-fanout.ts";
import { type PollInput, pollInput } from "../../../../functions/contract/poll-input.ts";
import { assertInput } from "../../../../functions/contract/validate.ts";
import type { DigestReport } from "../../../../functions/domain/notification/daily-digest.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { poll } from "../../../../functions/handlers/poll.ts";
import { runInProcess } from "../../../../functions/workflows/poll/fan-out/run-in-process.ts";
import { continueList, pollCluster, type PollOptions } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { idleWorkload, namedUpdatingWorkload, selecting } from "../fixtures.ts";
import { createManyPorts, createWorkloads, type ManyPorts, namesOf } from "../many-workloads.ts";
import { chunks, hosts, metric } from "./in-process.ts";

/** A poll whose invocations come to their deadline after `size` workloads. `change` replaces some of its ports. */
function inParts(size: number, workloads: readonly Workload[], change: Partial<ManyPorts> = {}) {
  let [deadline, pages] = [new AbortController(), 0];
  const ports = createManyPorts(workloads, undefined, (moment) => {
    if (moment === "after list" && (pages += 1) % size === 0) deadline.abort();
  });
  const changed = { ...ports, ...change };
  const states: FanOutState[] = [];
  function invocation() {
    deadline = new AbortController();
    return { signal: deadline.signal };
  }
  async function listMore(state: FanOutState): Promise<FanOutState> {
    states.push(state);
    const input = JSON.parse(JSON.stringify({ cluster: state.cluster, listing: state })) as PollInput;
    assertInput(pollInput, input);
    return (await poll(changed, input, invocation())) as FanOutState;
  }
  return {
    ports: changed,
    states,
    listMore,
    /** Runs the whole poll. `list` replaces an invocation. */
    async run(options: PollOptions = {}, list = listMore) {
      await pollCluster(changed, { maxWorkloads: 10, ...options, ...invocation() });
      const [{ input } = expect.fail("nothing was started")] = ports.fanOutExecutions.started;
      return runInProcess(changed, input, { tasks: { continueList: list } });
    },
  };
}

describe("a poll whose list takes more than its time", () => {
  test.for([{ size: 7 }, { size: 40 }, { size: 95 }, { size: 200 }])(
    "evaluates each workload once if $size are listed at a time",
    async ({ size }) => {
      const workloads = [...createWorkloads(94, hosts), namedUpdatingWorkload("moving")];
      const { ports, states, run } = inParts(size, workloads);
      const end = await run();
      expect(states).toHaveLength(Math.max(0, Math.ceil(95 / size) - 1));
      expect(end).toMatchObject({ outcome: "complete", totals: { evaluated: 95, started: 94, unreached: 0 } });
      expect(ports.started().toSorted()).toEqual(namesOf(workloads));
      expect(metric(ports, "pawl_in_flight")).toMatchObject([{ value: 1 }]);
      // The heartbeat: one for each part that continues, and one at the end.
      expect(metric(ports, "pawl_polls_total")).toHaveLength(states.length + 1);
      expect(chunks(ports)).toEqual([]);
    },
  );

  test("continues where it stopped if a part is listed again, which was killed after it wrote", async () => {
    const workloads = createWorkloads(90, hosts);
    const { ports, states, listMore, run } = inParts(20, workloads);
    const end = await run({}, async (state) => {
      await listMore(state);
      return listMore(state);
    });
    expect(states.length).toBeGreaterThan(4);
    expect(end.totals).toMatchObject({ evaluated: 90, started: 90, unreached: 0 });
    expect(ports.started().toSorted()).toEqual(namesOf(workloads));
  });

  test("lists nothing twice if the list of a part begins again with a newer kubeconfig", async () => {
    const [open, ...others] = createWorkloads(59, hosts).map((one, index) =>
      index === 0 ? idleWorkload("a-open", undefined, { updateRecord: { circuitOpen: true } }) : one,
    );
    const { ports, run } = inParts(20, [open as Workload, ...others]);
    const { cluster } = ports;
    // The list has read what was kept when the cluster answers 401.
    async function* list(...[onSkipped, steps]: Parameters<typeof cluster.list>) {
      for await (const line of steps?.from?.() ?? []) expect(line).not.toBe("");
      yield* cluster.list(onSkipped, steps);
    }
    const restarted = { ...ports, cluster: { ...cluster, list } };
    const end = await run({}, async (state) => continueList(restarted, state, { signal: AbortSignal.abort() }));
    expect(end.totals).toMatchObject({ evaluated: 59, unreached: 0 });
    expect(ports.started()).toHaveLength(58);
    expect(metric(ports, "claw_autoupdate_circuit_open")).toMatchObject([{ value: 1 }]);
  });

  test("of selected workloads stays one of these", async () => {
    const { ports, run } = inParts(10, createWorkloads(60, hosts));
    expect((await run(selecting("w-3", "w-55"))).totals).toMatchObject({ evaluated: 2, started: 2 });
    expect(metric(ports, "pawl_polls_total")).toEqual([]);
  });

  test("counts all of it in gauges and limits, and keeps its lease until the end", async () => {
    const open = idleWorkload("a-open", undefined, { updateRecord: { circuitOpen: true } });
    const leased = new Set<string>();
    const pollLease: ManyPorts["pollLease"] = {
      acquire: async () => (leased.add("acquire"), { kind: "held", takenOverFrom: null }),
      release: async () => void leased.add("release"),
    };
    const { ports, run } = inParts(11, [open, ...createWorkloads(58, hosts), namedUpdatingWorkload("z-moving")], {
      pollLease,
      limits: { namespace: {}, overrides: {}, maxConcurrent: 3 },
    });
    const end = await run({}, async (state) => {
      expect([...leased]).toEqual(["acquire"]);
      return (await poll(ports, { cluster: "production", listing: state })) as FanOutState;
    });
    expect(end).toMatchObject({ outcome: "complete", totals: { evaluated: 60 }, starts: { max: 3 } });
    expect([...leased]).toEqual(["acquire", "release"]);
    expect(metric(ports, "claw_autoupdate_circuit_open")).toMatchObject([{ value: 1 }]);
    expect(metric(ports, "pawl_in_flight")).toMatchObject([{ value: 1 }]);
  });

  test.for([
    { failing: 0, sent: [30] },
    { failing: 1, sent: [] },
    { failing: 2, sent: [] },
    { failing: 3, sent: [] },
  ])("sends a whole digest, or none if call $failing of the lease fails", async ({ failing, sent }) => {
    const gates = [{ name: "freeze", reason: "Frozen", message: "frozen", liftedBy: "pawl unfreeze" }];
    const reports: DigestReport[] = [];
    const target = { name: "team", at: "00:00", timeZone: "UTC", namespaces: null, workloads: null, onlyNamed: false };
    let calls = 0;
    const { states, run } = inParts(
      10,
      createWorkloads(30).map((one) => ({ ...one, gates })),
      {
        digests: { targets: [target], send: async (some) => void reports.push(...some) },
        pollLease: {
          acquire: async () => {
            if ((calls += 1) === failing) throw new Error("no answer");
            return { kind: "held", takenOverFrom: null, digests: {} };
          },
          release: async () => undefined,
        },
      },
    );
    await run();
    expect(states).toHaveLength(2);
    expect(reports.map(({ held, more }) => held.length + more)).toEqual(sent);
  });

  test("ends, incomplete, if another poll has taken its lease", async () => {
    const { ports, run } = inParts(10, createWorkloads(30));
    const pollLease: ManyPorts["pollLease"] = { ...ports.pollLease, acquire: async () => ({ kind: "taken", by: "x" }) };
    const end = await run({}, (state) => continueList({ ...ports, pollLease }, state));
    expect(end).toMatchObject({ outcome: "incomplete", totals: { unreached: 11 } });
    expect(metric(ports, "pawl_poll_unreached_total")).toMatchObject([{ value: 11 }]);
    expect(ports.started()).toEqual([]);
    expect(chunks(ports)).toEqual([]);
  });

  test("counts a part that fails as an error", async () => {
    const { ports, run } = inParts(10, createWorkloads(30));
    const workList = { ...ports.workList, get: async () => Promise.reject(new Error("no answer")) };
    await expect(run({}, (state) => continueList({ ...ports, workList }, state))).rejects.toThrow("no answer");
    expect(metric(ports, "pawl_poll_errors_total")).toMatchObject([{ value: 1 }]);
  });
});
