import { isConflict } from "../conflict.ts";
import { poolCheckInput } from "../polling/pools/pool-check-input.ts";
import { recordHere } from "../rolling/record-here.ts";
import type { RecordPoolInput, RecordPoolOutput } from "../ports/pool-checks.ts";
import { lambdaOf, type Ports } from "../task.ts";

/** Writes down and tells what a poll saw of a node pool, for a poll that itself may only read. Repeated, it writes nothing more. */
export async function recordPool(
  ports: Ports,
  { pool, resolution: found }: RecordPoolInput,
): Promise<RecordPoolOutput> {
  try {
    const recorded = await recordHere(ports).record(pool, found);
    return recorded === "recorded"
      ? { kind: "written", reason: `recorded on ${pool.name}` }
      : { kind: "nothing-new", reason: `nothing is new about ${pool.name}` };
  } catch (error) {
    if (!isConflict(error)) throw error;
    return { kind: "changed", reason: error.message };
  }
}

export const handler = lambdaOf(poolCheckInput, recordPool);
