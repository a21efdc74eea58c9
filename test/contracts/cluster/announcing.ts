import { expect, test } from "vitest";
import {
  circuitOpened,
  updateAvailable,
  updateHeld,
  updateRolledBack,
  updateStarted,
  updateSucceeded,
} from "../../../functions/domain/news.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload.ts";
import type { Announcement } from "../../../functions/ports/cluster.ts";
import { target, type Kind } from "../cluster-fixtures.ts";
import { make, read, type At, type Bench } from "./bench.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const news: readonly {
  readonly told: (workload: Workload) => Announcement;
  readonly type: string;
  readonly reason: string;
}[] = [
  { told: (workload) => updateAvailable(workload, "1.1.0", target), type: "Normal", reason: "AutoUpdateAvailable" },
  { told: () => updateStarted(target, "e-1"), type: "Normal", reason: "AutoUpdateStarting" },
  { told: () => updateSucceeded(target, "e-1"), type: "Normal", reason: "AutoUpdateComplete" },
  { told: () => updateRolledBack(target, "e-1", "late", null), type: "Warning", reason: "AutoUpdateRollback" },
  { told: (workload) => circuitOpened(workload, target, "e-1"), type: "Warning", reason: "AutoUpdateCircuitOpen" },
  { told: () => updateHeld("AutoUpdateHeld", "by hand", null), type: "Warning", reason: "AutoUpdateHeld" },
];

export function announcing(at: At, kind: Kind): void {
  test.for(news)("told twice, $reason is one Event on the workload", async ({ told, type, reason }) => {
    const ref = await make(at(), kind);
    const { cluster } = at();
    const announcement = told(await read(at(), ref));
    await cluster.announce(await read(at(), ref), announcement);
    at().now = new Date("2026-11-20T13:00:00Z");
    await cluster.announce(await read(at(), ref), announcement);
    expect(await eventsOn(at(), ref)).toMatchObject([
      {
        type,
        reason,
        message: announcement.message,
        involvedObject: ref,
        source: { component: "pawl" },
        firstTimestamp: noon,
        lastTimestamp: noon,
        count: 1,
      },
    ]);
  });

  test("another key, another reason and another workload are Events of their own", async () => {
    const one = await read(at(), await make(at(), kind, { name: "one" }));
    const two = await read(at(), await make(at(), kind, { name: "two" }));
    const say = (workload: Workload, execution: string) =>
      at().cluster.announce(workload, updateStarted(target, execution));
    await say(one, "e-1");
    await say(one, "e-2");
    await at().cluster.announce(one, updateSucceeded(target, "e-1"));
    await say(two, "e-1");
    expect(await eventsOn(at(), one.ref)).toHaveLength(3);
    expect(await eventsOn(at(), two.ref)).toHaveLength(1);
  });

  test("of a long message the beginning is told", async () => {
    const ref = await make(at(), kind);
    await at().cluster.announce(await read(at(), ref), updateHeld("AutoUpdateHeld", "x".repeat(5000), null));
    expect(await eventsOn(at(), ref)).toMatchObject([{ message: "x".repeat(1024) }]);
  });
}

async function eventsOn({ request, namespace }: Bench, { uid }: WorkloadRef): Promise<readonly object[]> {
  const selector = `fieldSelector=involvedObject.uid%3D${uid}`;
  const { items = [] } = (await request("GET", `/api/v1/namespaces/${namespace}/events?${selector}`)).body;
  return (items as readonly Event[])
    .filter(({ reason }) => reason.startsWith("AutoUpdate"))
    .map((event) => ({
      ...event,
      firstTimestamp: new Date(event.firstTimestamp),
      lastTimestamp: new Date(event.lastTimestamp),
    }));
}

interface Event {
  readonly reason: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}
