import type { PoolCheckRecorder, RecordPoolInput } from "../../../ports/pool-check-recorder.ts";
import { type RecorderFunction, createRecorder } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Creates a recorder that invokes the function `record-pool` and waits for it. `record` may also throw `RecordCheckFailed`. */
export function createLambdaPoolCheckRecorder({ cluster, ...options }: Options): PoolCheckRecorder {
  const record = createRecorder(options);
  return {
    record: ({ name, uid }, resolution) =>
      record({ cluster, pool: { name, uid }, resolution } satisfies RecordPoolInput),
  };
}
