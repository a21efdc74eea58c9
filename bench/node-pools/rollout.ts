import { secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import type { Harness } from "./harness.ts";
import { osImage } from "./objects.ts";
import type { Size } from "./scenario.ts";
import { type TotalCost, sumCosts } from "./counters.ts";
import { noTraffic, type Traffic } from "./traffic.ts";

export interface Rollout {
  readonly size: Size;
  /** Sum over all executions. */
  readonly cost: TotalCost;
  /** Requests of the executions and of the poll that started the first one. */
  readonly traffic: Traffic;
  readonly pollDuringRollout: Traffic;
  readonly pollAfterRollout: Traffic;
  /** Simulated duration. */
  readonly seconds: number;
}

/** At this time, the first nodes are rebooting. */
const pollAfterSeconds = 300;

/** Rolls a known pool out to its next image. Throws if not every node runs it in the end. */
export async function measureRollout(harness: Harness, size: Size): Promise<Rollout> {
  await harness.poll();
  await harness.waitUntilIdle();
  await assertUpdated(harness, size, 0);
  await harness.poll();
  await harness.patchPool({ spec: { image: { ref: osImage(1) } } });
  harness.takeCounts();
  let pollDuringRollout = noTraffic;
  harness.interrupt(pollAfterSeconds, async () => {
    pollDuringRollout = await harness.countSeparately(() => harness.poll());
  });
  const startedAt = harness.now();
  await harness.poll();
  await harness.waitUntilIdle();
  const { traffic, costs } = harness.takeCounts();
  const seconds = secondsBetween(startedAt, harness.now());
  await assertUpdated(harness, size, 1);
  const pollAfterRollout = await harness.countSeparately(() => harness.poll());
  return { size, cost: sumCosts(costs), traffic, pollDuringRollout, pollAfterRollout, seconds };
}

async function assertUpdated(harness: Harness, { nodes }: Size, release: number): Promise<void> {
  const { status } = await harness.readPool();
  const { updatedCount, deployedDigest, conditions } = status;
  if (updatedCount === nodes && osImage(release).endsWith(`@${deployedDigest}`)) return;
  throw new Error(
    `${updatedCount} of ${nodes} nodes are updated to ${osImage(release)}: ${conditions.map(({ message }) => message).join("; ")}`,
  );
}
