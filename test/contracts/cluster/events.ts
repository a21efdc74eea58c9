import { expect, test } from "vitest";
import {
  updateAvailableEvent,
  updateHeldEvent,
  updateStartedEvent,
  updateSucceededEvent,
} from "../../../functions/domain/workload/event/events.ts";
import { eventActions } from "../../../functions/adapters/kubernetes/event.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { KubernetesEvent } from "../../../functions/ports/cluster.ts";
import { updateTarget, type Kind } from "../cluster-fixtures.ts";
import { createWorkload, read, type At, type Harness } from "./harness.ts";
import { circuitOpenedEvent, updateFailedEvent } from "../../../functions/domain/workload/event/revert-events.ts";

const cases: readonly {
  readonly createEvent: (workload: Workload) => KubernetesEvent;
  readonly type: string;
  readonly reason: string;
}[] = [
  {
    createEvent: (workload) => updateAvailableEvent(workload, updateTarget),
    type: "Normal",
    reason: "AutoUpdateAvailable",
  },
  { createEvent: () => updateStartedEvent(updateTarget, "e-1"), type: "Normal", reason: "AutoUpdateStarting" },
  { createEvent: () => updateSucceededEvent(updateTarget, "e-1"), type: "Normal", reason: "AutoUpdateComplete" },
  {
    createEvent: () => updateFailedEvent(updateTarget, "e-1", "late"),
    type: "Warning",
    reason: "AutoUpdateRollback",
  },
  {
    createEvent: (workload) => circuitOpenedEvent(workload, updateTarget, "e-1"),
    type: "Warning",
    reason: "AutoUpdateCircuitOpen",
  },
  { createEvent: () => updateHeldEvent("AutoUpdateHeld", "paused", null), type: "Warning", reason: "AutoUpdateHeld" },
];

export function testEvents(at: At, kind: Kind): void {
  test.for(cases)("$reason emitted twice is one Event on the workload", async ({ createEvent, type, reason }) => {
    const ref = await createWorkload(at(), kind);
    const { cluster } = at();
    const event = createEvent(await read(at(), ref));
    await cluster.emitEvent(await read(at(), ref), event);
    at().now = new Date("2026-11-20T13:00:00Z");
    await cluster.emitEvent(await read(at(), ref), event);
    expect(await eventsOn(at(), ref)).toMatchObject([
      {
        type,
        reason,
        message: event.message,
        involvedObject: ref,
        source: { component: "pawl" },
        reportingComponent: "pawl.dev/controller",
        reportingInstance: expect.stringMatching(/^pawl-./),
        action: eventActions[reason],
        eventTime: "2026-11-20T12:00:00.000000Z",
      },
    ]);
  });

  test("another key, reason or workload is another Event", async () => {
    const one = await read(at(), await createWorkload(at(), kind, { name: "one" }));
    const two = await read(at(), await createWorkload(at(), kind, { name: "two" }));
    const emitStarted = (workload: Workload, execution: string) =>
      at().cluster.emitEvent(workload, updateStartedEvent(updateTarget, execution));
    await emitStarted(one, "e-1");
    await emitStarted(one, "e-2");
    await at().cluster.emitEvent(one, updateSucceededEvent(updateTarget, "e-1"));
    await emitStarted(two, "e-1");
    expect(await eventsOn(at(), one.ref)).toHaveLength(3);
    expect(await eventsOn(at(), two.ref)).toHaveLength(1);
  });

  test("Events that are emitted in the same millisecond keep their order", async () => {
    const workload = await read(at(), await createWorkload(at(), kind));
    const executions = Array.from({ length: 12 }, (_, index) => `e-${index}`);
    for (const execution of executions)
      await at().cluster.emitEvent(workload, updateStartedEvent(updateTarget, execution));
    const messages = (await eventsOn(at(), workload.ref)).map(({ message }) => message);
    expect(messages).toEqual(executions.map((execution) => updateStartedEvent(updateTarget, execution).message));
  });

  test("a long message is truncated", async () => {
    const ref = await createWorkload(at(), kind);
    await at().cluster.emitEvent(await read(at(), ref), updateHeldEvent("AutoUpdateHeld", "x".repeat(5000), null));
    expect(await eventsOn(at(), ref)).toMatchObject([{ message: "x".repeat(1024) }]);
  });
}

/** Returns the Events of Pawl on a workload, in the order of their time. */
export async function eventsOn({ request, namespace }: Harness, { uid }: WorkloadRef): Promise<readonly Event[]> {
  const selector = `fieldSelector=involvedObject.uid%3D${uid}`;
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/events?${selector}`)).body;
  const ours = (items as readonly Event[]).filter(({ reason }) => reason.startsWith("AutoUpdate"));
  expect(ours.map(({ firstTimestamp, lastTimestamp }) => firstTimestamp ?? lastTimestamp ?? null)).toEqual(
    ours.map(() => null),
  );
  return ours.toSorted((a, b) => (a.eventTime < b.eventTime ? -1 : 1));
}

interface Event {
  readonly reason: string;
  readonly message: string;
  readonly eventTime: string;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
}
