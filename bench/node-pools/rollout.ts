import { secondsBetween } from "../../functions/domain/time.ts";
import type { Lab } from "./lab.ts";
import { osImage } from "./objects.ts";
import type { Size } from "./scenario.ts";
import { type Total, totalOf } from "./tally.ts";
import { noTraffic, type Traffic } from "./traffic.ts";

export interface Rollout {
  readonly size: Size;
  /** Of all executions together. */
  readonly cost: Total;
  /** Of the executions, and of the poll that started the first of them. */
  readonly traffic: Traffic;
  /** Of a poll while it is under way, and of one that finds everything settled. */
  readonly pollInFlight: Traffic;
  readonly quietPoll: Traffic;
  /** Simulated. */
  readonly seconds: number;
}

/** By then the first nodes are away for their reboot. */
const midwaySeconds = 300;

/** Rolls a pool of which Pawl knows already to its next image, and counts. Throws where not all of its nodes run that in the end. */
export async function measureRollout(lab: Lab, size: Size): Promise<Rollout> {
  await lab.poll();
  await lab.settled();
  await assertUpdated(lab, size, 0);
  await lab.poll();
  await lab.patchPool({ spec: { image: { ref: osImage(1) } } });
  lab.take();
  let pollInFlight = noTraffic;
  lab.interrupt(midwaySeconds, async () => {
    pollInFlight = await lab.aside(() => lab.poll());
  });
  const began = lab.now();
  await lab.poll();
  await lab.settled();
  const { traffic, tally } = lab.take();
  const seconds = secondsBetween(began, lab.now());
  await assertUpdated(lab, size, 1);
  const quietPoll = await lab.aside(() => lab.poll());
  return { size, cost: totalOf(tally), traffic, pollInFlight, quietPoll, seconds };
}

async function assertUpdated(lab: Lab, { nodes }: Size, release: number): Promise<void> {
  const { status } = await lab.pool();
  const { updatedCount, deployedDigest, conditions } = status;
  if (updatedCount === nodes && osImage(release).endsWith(`@${deployedDigest}`)) return;
  throw new Error(
    `${updatedCount} of ${nodes} nodes run ${deployedDigest}: ${conditions.map(({ message }) => message).join("; ")}`,
  );
}
