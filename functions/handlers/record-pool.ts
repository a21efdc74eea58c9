import { isConflict } from "../conflict.ts";
import { poolCheckInput } from "../polling/pools/pool-check-input.ts";
import { recordOutput } from "../polling/record-output.ts";
import { recordHere } from "../rolling/record-here.ts";
import type { RecordOutput } from "../ports/checks.ts";
import type { RecordPoolInput } from "../ports/pool-checks.ts";
import { lambdaOf, type Ports } from "../task.ts";

/** Writes down and tells what a poll saw of a node pool, for a poll that itself may only read. Repeated, it writes nothing more. */
export async function recordPool(ports: Ports, { pool, resolution: found }: RecordPoolInput): Promise<RecordOutput> {
  try {
    return recordOutput(await recordHere(ports).record(pool, found), pool.name);
  } catch (error) {
    if (!isConflict(error)) throw error;
    return { kind: "changed", reason: error.message };
  }
}

export const handler = lambdaOf(poolCheckInput, recordPool);
