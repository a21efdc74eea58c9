import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import { Conflict } from "../../../functions/ports/errors.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { inFlight } from "../../support/workloads.ts";
import { idleWorkload, namedUpdatingWorkload, tags } from "./fixtures.ts";

/** Returns ports with updates in flight, whose executions run, and the questions to Step Functions, in order. */
async function createFixture(count: number, others = [idleWorkload("idle")]) {
  const calls: string[] = [];
  const updating = Array.from({ length: count }, (_, index) =>
    namedUpdatingWorkload(`w-${index}`, { inFlight: { ...inFlight, execution: `e-${index}` } }),
  );
  const ports = fakePorts({
    workloads: [...updating, ...others],
    tags: { "shop/web": tags },
    atMoment(moment) {
      const [when, call = ""] = moment.split(" ");
      if (when === "before" && ["listRunning", "state", "start"].includes(call)) calls.push(call);
    },
  });
  for (const { inFlight: claim } of updating) await ports.executions.start(claim?.execution ?? "", {} as never);
  calls.splice(0);
  return { ports, calls };
}

function adopted({ executions }: FakePorts): readonly string[] {
  return executions.started.filter(({ input }) => input.adopting).map(({ input }) => input.workload.name);
}

describe("a poll", () => {
  test("asks nothing about executions if no update is in flight", async () => {
    const { ports, calls } = await createFixture(0);
    expect(await pollCluster(ports)).toMatchObject({ evaluated: 1, inFlight: 0 });
    expect(calls).toEqual([]);
  });

  test("lists the running executions once, however many updates are in flight", async () => {
    const { ports, calls } = await createFixture(450);
    expect(await pollCluster(ports)).toMatchObject({ inFlight: 450, adopted: 0, failures: 0 });
    expect(calls).toEqual(["listRunning"]);
    await pollCluster(ports);
    expect(calls).toEqual(["listRunning", "listRunning"]);
  });

  test("lists them once in each batch", async () => {
    const { ports, calls } = await createFixture(60);
    expect(await pollToCompletion(ports, { maxWorkloads: 10 })).toMatchObject({ inFlight: 60, adopted: 0 });
    expect(new Set(calls)).toEqual(new Set(["listRunning"]));
    expect(calls.length).toBeLessThanOrEqual(32);
  });

  test("asks about one that is missing there, and adopts what was killed", async () => {
    const { ports, calls } = await createFixture(450);
    ports.executions.finish("e-7");
    expect(await pollCluster(ports)).toMatchObject({ inFlight: 449, adopted: 1 });
    expect(adopted(ports)).toEqual(["w-7"]);
    // Its state, and why it failed.
    expect(calls).toEqual(["listRunning", "state", "state", "start"]);
  });
});

describe("a list that is out of date", () => {
  test("leaves an execution that it still has to the next poll", async () => {
    const { ports } = await createFixture(3);
    const before = await ports.executions.listRunning();
    ports.executions.finish("e-1");
    const stale = { ...ports.executions, listRunning: async () => before };
    expect(await pollCluster({ ...ports, executions: stale })).toMatchObject({ inFlight: 3, adopted: 0 });
    expect(await pollCluster(ports)).toMatchObject({ inFlight: 2, adopted: 1 });
  });

  test("adopts none that it does not have yet", async () => {
    const { ports } = await createFixture(3);
    const stale = { ...ports.executions, listRunning: async () => new Map<string, Date>() };
    expect(await pollCluster({ ...ports, executions: stale })).toMatchObject({ inFlight: 3, adopted: 0 });
  });

  test("does not have what this poll itself has started", async () => {
    const { ports, calls } = await createFixture(1, [idleWorkload("web")]);
    const listed = Promise.withResolvers<void>();
    const executions: FakePorts["executions"] = {
      ...ports.executions,
      async listRunning() {
        const names = await ports.executions.listRunning();
        listed.resolve();
        return names;
      },
      async start(name, input) {
        await listed.promise;
        await ports.executions.start(name, input);
        ports.cluster.put(namedUpdatingWorkload("web", { inFlight: { ...inFlight, execution: name } }));
        throw new Conflict("the execution claims the workload at once");
      },
    };
    expect(await pollCluster({ ...ports, executions })).toMatchObject({ inFlight: 2, adopted: 0, failures: 0 });
    expect(calls).toEqual(["listRunning", "start", "state"]);
    expect(ports.executions.running()).toHaveLength(2);
  });
});
