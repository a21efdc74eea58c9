import { clearTheWay } from "./clearing-the-way.ts";
import { recordStart, type Target } from "./domain/bookkeeping.ts";
import { recordPromotion } from "./domain/canary-record.ts";
import type { HeldClaim } from "./domain/claim.ts";
import { canaryPromoted, restartStarted, updateStarted } from "./domain/news.ts";
import type { Workload } from "./domain/workload.ts";
import type { Ports } from "./task.ts";
import { tell } from "./telling.ts";

type Outside = Pick<Ports, "cluster" | "events" | "now">;

/** Claims the workload and sets the image or restarts it, in one patch on the resourceVersion that was read. */
export async function begin(ports: Outside, workload: Workload, target: Target, execution: string): Promise<string> {
  await ports.cluster.change(workload, recordStart(workload, target, execution, ports.now()));
  await clearTheWay(ports, workload);
  const { image, isRestart = false } = target;
  await tell(ports, workload, isRestart ? restartStarted(image, execution) : updateStarted(image, execution));
  return isRestart ? `restarted for ${image}` : `set ${image}`;
}

/** Lets all replicas follow the canary that was found good. */
export async function promote(ports: Outside, { workload, inFlight }: HeldClaim, execution: string): Promise<string> {
  await ports.cluster.change(workload, recordPromotion(workload, inFlight, ports.now()));
  await tell(ports, workload, canaryPromoted(inFlight.targetImage, execution));
  return `set ${inFlight.targetImage}`;
}
