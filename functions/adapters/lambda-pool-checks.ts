import type { PoolChecks, RecordPoolInput } from "../ports/pool-checks.ts";
import { type Recorder, recorder } from "./lambda-invocation.ts";

interface Options extends Recorder {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Has the function `record-pool` write and tell, and waits for it. Besides what the port names, `record` may throw `RecordCheckFailed`. */
export function lambdaPoolChecks({ cluster, ...options }: Options): PoolChecks {
  const record = recorder(options);
  return {
    record: ({ name, uid }, resolution) =>
      record({ cluster, pool: { name, uid }, resolution } satisfies RecordPoolInput),
  };
}
