import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { quarantineHold } from "../../../functions/domain/workload/update/quarantine.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { after, noon, policy, target, type WorkloadParts } from "../../support/workloads.ts";
import { portsOf, shared } from "./limited-ports.ts";

/** The limiter of a poll in one process, and that of a poll in batches. */
const limiters = [
  ["in one process", {}],
  ["in batches", { maxWorkloads: 0 }],
] as const;

const failures = {
  "fails at each poll": () => Promise.reject(new Unreachable("no answer")),
  "never ends": () => new Promise<never>(() => undefined),
};

const wave = (order: number) => ({ policy: { ...policy, wave: order } });

/** A workload whose own pull secrets fail, while those of others of its repository do not. */
const bad = (parts: WorkloadParts = {}) =>
  shared("bad", { pull: { secrets: ["own"], serviceAccount: "default" }, ...parts });

const waits = { gates: [{ name: "limits", reason: "LimitReached", message: "1st of 3", since: noon }] };

type Limited = ReturnType<typeof portsOf>;
type Read = Limited["ports"]["cluster"]["pullSecrets"];

/** Polls until the deadline, which comes once all others are decided. */
async function poll({ ports }: Limited, options: { readonly maxWorkloads?: number }, read: Read) {
  const deadline = new AbortController();
  const pullSecrets: Read = async (workload) => (workload.ref.name === "bad" ? read(workload) : []);
  const decided = new Set<string>();
  const record: typeof ports.checkRecorder.record = (workload, decision) => {
    if (workload.ref.name !== "bad") decided.add(workload.ref.name);
    return ports.checkRecorder.record(workload, decision);
  };
  const polled = { ...ports, checkRecorder: { record }, cluster: { ...ports.cluster, pullSecrets } };
  const isPolled = { value: false };
  const polling = pollToCompletion(polled, { ...options, signal: deadline.signal }).finally(
    () => (isPolled.value = true),
  );
  const others = ports.cluster.all().filter(({ ref }) => ref.name !== "bad").length;
  // Only what never ends needs the deadline.
  const isDecided = () => read === failures["never ends"] && decided.size >= others;
  for (let turns = 0; turns < 100 && !isPolled.value; turns += isDecided() ? 1 : 0) {
    await setImmediate();
    vi.advanceTimersByTime(10_000);
  }
  deadline.abort();
  await polling;
  ports.pass(300);
}

/** Ends all updates with success. */
async function complete({ ports }: Limited): Promise<void> {
  for (const { name, input } of ports.executions.running()) {
    ports.executions.finish(name);
    const found = (await ports.cluster.read(input.workload)) as Workload;
    ports.cluster.put({ ...found, image: target, source: target, gates: [] });
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

describe.for(limiters)("a poll %s", ([, options]) => {
  test.for(Object.entries(failures))("starts others if the evaluation of what waits longest %s", async ([, read]) => {
    const limited = portsOf([bad(waits), shared("a"), shared("b")], { maxConcurrent: 1 });
    for (let polls = 0; polls < 5; polls += 1) {
      await poll(limited, options, read);
      await complete(limited);
    }
    expect(limited.started()).toEqual(["a", "b"]);
    expect(await limited.gateOf("bad")).toMatchObject({ reason: "NotEvaluated", since: noon });
    await poll(limited, options, async () => []);
    await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["a", "b", "bad"]);
  });

  test.for(Object.entries(failures))(
    "keeps later waves for an hour from a member whose evaluation %s",
    async ([, read]) => {
      const limited = portsOf([bad(wave(0)), shared("late", wave(1)), shared("other", wave(0))]);
      for (let polls = 0; polls < 12; polls += 1) {
        await poll(limited, options, read);
        await complete(limited);
        expect(limited.started()).not.toContain("late");
      }
      const { message } = (await limited.gateOf("late")) ?? {};
      expect(message).toMatch(/^(an earlier wave has yet to run 1.1.0: deployment\/bad|it waits for a place)/);
      for (let polls = 0; polls < 3; polls += 1) await poll(limited, options, read);
      expect(limited.started()).toEqual(["other", "late"]);
    },
  );

  test("starts what could be evaluated again in its turn, and later waves after it", async () => {
    const limited = portsOf([bad(wave(0)), shared("late", wave(1))]);
    await poll(limited, options, failures["fails at each poll"]);
    for (let polls = 0; polls < 3; polls += 1) await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["bad"]);
    await complete(limited);
    for (let polls = 0; polls < 2; polls += 1) await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["bad", "late"]);
  });

  test.for([
    ["is suspended", { policy: { ...policy, paused: true } }],
    ["is held", { lastReported: { held: "a person changed it", problem: null } }],
  ] as const)("keeps no later wave from a member that %s", async ([, parts]) => {
    const limited = portsOf([bad(parts), shared("late", wave(1))]);
    for (let polls = 0; polls < 3; polls += 1) await poll(limited, options, failures["fails at each poll"]);
    expect(limited.started()).toEqual(["late"]);
  });

  test("keeps no place for what is quarantined", async () => {
    const limited = portsOf([bad(waits), shared("a")], { maxConcurrent: 1 });
    const found = (await limited.ports.cluster.read(bad().ref)) as Workload;
    await limited.ports.checkRecorder.record(found, quarantineHold(found, "Runtime.OutOfMemory"));
    for (let polls = 0; polls < 2; polls += 1) await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["a"]);
  });

  test("gives who waited before a gate closed its turn, before those that wait since", async () => {
    const limited = portsOf([shared("a"), shared("b", { queuedSince: after(-60) })], { maxConcurrent: 1 });
    for (let polls = 0; polls < 2; polls += 1) await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["b"]);
  });

  test("keeps the turn of who waited before a gate closed, if it cannot be evaluated then", async () => {
    const waited = bad({ ...wave(0), queuedSince: after(-60) });
    const limited = portsOf([waited, shared("late", wave(1))]);
    await poll(limited, options, failures["fails at each poll"]);
    expect(await limited.gateOf("bad")).toMatchObject({ reason: "NotEvaluated", since: after(-60) });
  });

  test.for([waits, { ...waits, queuedSince: noon }])("lets others pass what could not be started", async (parts) => {
    const limited = portsOf([shared("a", parts), shared("b")], { maxConcurrent: 1 }, killedAt("before start"));
    await poll(limited, options, async () => []);
    expect(limited.started()).toEqual([]);
    expect(await limited.gateOf("a")).toMatchObject({ reason: "NotEvaluated" });
    for (let polls = 0; polls < 2; polls += 1) await poll(limited, options, async () => []);
    expect(limited.started()).toEqual(["b"]);
  });
});
