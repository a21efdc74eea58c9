import { isConflict } from "../conflict.ts";
import type { Workload } from "../domain/workload.ts";
import type { Ports } from "../task.ts";
import { act } from "./act.ts";
import type { Acts } from "./acts.ts";
import { decider } from "./decider.ts";
import { failed, type Polled } from "./polled.ts";
import { assertTime } from "./time-is-up.ts";
import type { Turns } from "./turns.ts";

const mostLooks = 4;

/**
 * Looks at one workload and does what was decided. A controller writes to its workloads all the time: what has changed
 * since it was listed is read and decided anew. Whatever comes when time is up comes too late.
 */
export function turnOf(ports: Ports, acts: Acts, outOfTime: AbortSignal): Turns["turn"] {
  const decide = decider(ports, outOfTime);

  async function lookAndAct(workload: Workload): Promise<Polled> {
    const decision = await decide(workload);
    return { workload, decision, act: await acts.run(() => act(ports, workload, decision)) };
  }

  async function againOnConflict(listed: Workload): Promise<Polled> {
    let workload = listed;
    for (let looks = 1; ; looks += 1) {
      try {
        return await lookAndAct(workload);
      } catch (error) {
        assertTime(outOfTime);
        const isToRepeat = isConflict(error) && looks < mostLooks;
        const current = isToRepeat ? await acts.run(() => ports.cluster.read(listed.ref)) : null;
        if (current === null) throw error;
        workload = current;
      }
    }
  }

  return (workload) =>
    againOnConflict(workload).catch((error: Error) => (outOfTime.aborted ? null : failed(workload)(error)));
}
