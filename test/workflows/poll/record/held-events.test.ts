import { describe, expect, test } from "vitest";
import { hold, type Hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { workload } from "../../../support/workloads.ts";

const message = "1.1.0 needs 1 approval and has none: pawl approve deployment/shop/app 1.1.0@sha256:a";
const gate = { name: "approval", reason: "ApprovalRequired", message, liftedBy: "pawl approve" };
const target = { kind: "image", image: "registry.example/shop/app:1.1.0" } as const;
const awaiting: Hold = { ...hold("awaiting-approval", message), target, gates: [gate] };
const windowClosed: Hold = { ...hold("outside-windows", "none of its windows is open"), target };
const notDue = hold("not-due", "the schedule is not due");

function open(options: Parameters<typeof fakePorts>[0] = {}) {
  const record = { resourceVersion: "1", state: "observed", isManaged: true, claimedElsewhereUntil: null } as const;
  const ports = fakePorts({
    workloads: [{ ...workload({ updateRecord: { currentVersion: "1.0.0" } }), record }],
    ...options,
  });
  const poll = (decision: Hold) => ports.checkRecorder.record(ports.cluster.get(), decision);
  const events = () => ports.cluster.events().filter(({ reason }) => reason === "AutoUpdateHeld");
  const published = () => ports.published.filter(({ type }) => type === "Update Held");
  return { ports, poll, events, published };
}

describe("the Event that a version waits for an approval", () => {
  test("is emitted once, with the command, however many polls find it", async () => {
    const { poll, events, published } = open();
    for (let count = 0; count < 5; count += 1) await poll(awaiting);
    expect(events().map((event) => event.message)).toEqual([message]);
    expect(published().map(({ reason }) => reason)).toEqual([message]);
  });

  test("is one Event while a schedule opens and closes", async () => {
    const { poll, events, published } = open();
    for (let count = 0; count < 5; count += 1) {
      await poll(awaiting);
      await poll(notDue);
    }
    expect(events()).toHaveLength(1);
    expect(published()).toHaveLength(1);
  });

  test("is one Event if another gate is the first in turn", async () => {
    const { poll, events } = open();
    for (let count = 0; count < 5; count += 1) {
      await poll(awaiting);
      await poll(windowClosed);
    }
    expect(events()).toHaveLength(1);
  });

  test("is emitted once if two polls find it at once", async () => {
    const { ports, events, published } = open();
    const read = ports.cluster.get();
    const both = await Promise.allSettled([read, read].map((one) => ports.checkRecorder.record(one, awaiting)));
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(events()).toHaveLength(1);
    expect(published()).toHaveLength(1);
  });

  test.for(["before change", "after change", "before emitEvent", "after emitEvent", "before publish"])(
    "is one Event if the function is killed %s",
    async (moment) => {
      let isKilled = false;
      const { poll, events, published } = open({
        atMoment: (at) => {
          if (at !== moment || isKilled) return;
          isKilled = true;
          throw new Error("killed");
        },
      });
      await expect(poll(awaiting)).rejects.toThrow("killed");
      for (let count = 0; count < 3; count += 1) await poll(awaiting);
      expect(events()).toHaveLength(1);
      expect(published().length).toBeLessThanOrEqual(1);
    },
  );
});
