import type { PoolCheckRecorder, RecordPoolInput } from "../../../ports/pool-check-recorder.ts";
import { createInvoker, parseResult, type RecorderFunction } from "./invoke.ts";

interface Options extends RecorderFunction {
  /** The cluster's name. */
  readonly cluster: string;
}

/** Creates a recorder that invokes the function `record-pool` and waits for it. `record` may also throw `RecordCheckFailed`. */
export function createLambdaPoolCheckRecorder({ cluster, ...options }: Options): PoolCheckRecorder {
  const invoke = createInvoker(options);
  return {
    async record({ name, uid }, resolution, gates = []) {
      const input: RecordPoolInput = { cluster, pool: { name, uid }, resolution, gates };
      const result = parseResult(await invoke(input), options.functionName);
      if (result instanceof Error) throw result;
      return result;
    },
  };
}
