import { type MaintenanceWindow, isAnyWindowOpen } from "../../../functions/domain/schedule/maintenance-windows.ts";
import { maxSlots } from "../../../functions/domain/node-pool/step/slots.ts";
import { nextRunAfter } from "../../../functions/domain/schedule/schedule.ts";
import { formatRfc3339, secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import type { NodePools } from "../../../functions/ports/node-pools.ts";
import { nodeStatuses } from "../../node-pools/nodes.ts";
import { type ObservedPool, observePools } from "../../node-pools/observe.ts";
import { planPool } from "../../node-pools/plan.ts";
import { readPodsOfDrainedNodes } from "../../node-pools/pods.ts";
import { type PoolStatus, poolStatus } from "../../node-pools/status.ts";
import type { PoolDetail, WindowRow } from "../model.ts";

interface Sources {
  readonly nodePools: NodePools;
  readonly now: () => Date;
}

/** Of a maintenance window, on the time axis. */
const shownHours = 48;
const maxOpenings = 200;

/** Reads the state of every node pool as it is now. Tags are not resolved. Throws the errors of the cluster. */
export async function readPoolRows(sources: Sources): Promise<readonly PoolStatus[]> {
  return (await observe(sources)).map(poolStatus);
}

/** Reads all that the page of one node pool shows; null if it does not exist. */
export async function readPoolDetail({ nodePools, now }: Sources, name: string): Promise<PoolDetail | null> {
  const view = (await observe({ nodePools, now })).find(({ pool }) => pool.name === name);
  if (view === undefined) return null;
  const { pool, poolState } = view;
  const pods = await readPodsOfDrainedNodes(nodePools, poolState);
  const drains = new Map(planPool(view, pods).nodes.map(({ node, drain }) => [node, drain]));
  const { windows } = pool.spec;
  const slots = maxSlots(pool.spec, poolState.membership.members.length);
  const row = poolStatus(view);
  return {
    row,
    slots,
    rounds: slots === 0 ? null : Math.ceil((row.nodeCount - row.updatedCount) / slots),
    isWindowOpen: isAnyWindowOpen(windows, now()),
    windows: windows.flatMap((window) => openingsOf(window, now())),
    nodes: nodeStatuses(poolState, pods).map(({ node, next, ...rest }) => ({
      ...rest,
      node,
      next: next?.what ?? null,
      drain: drains.get(node) ?? [],
    })),
  };
}

function observe({ nodePools, now }: Sources): Promise<readonly ObservedPool[]> {
  return observePools({ nodePools, now, resolve: async () => null });
}

/** Returns when a window is open in the next hours, also one that is open now. */
function openingsOf({ schedule, durationSeconds }: MaintenanceWindow, now: Date): readonly WindowRow[] {
  const end = now.getTime() + shownHours * 3_600_000;
  const openings: WindowRow[] = [];
  let start = nextRunAfter(schedule, secondsAfter(now, -durationSeconds));
  while (start !== null && start.getTime() < end && openings.length < maxOpenings) {
    const until = secondsAfter(start, durationSeconds);
    openings.push({ from: formatRfc3339(start), until: formatRfc3339(until) });
    start = nextRunAfter(schedule, start);
  }
  return openings;
}
