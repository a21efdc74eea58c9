import { claimAnnotation } from "../../functions/domain/node-pool/pool/annotations.ts";
import type { PoolTaskInput, PoolTaskOutput } from "../../functions/contract/node-pool-rollout.ts";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { runAsLambda } from "../poll-memory/lambda.ts";
import type { Harness } from "./harness.ts";
import { osImage } from "./objects.ts";

export interface Invocation {
  readonly peakBytes: number;
  readonly memoryMegabytes: number;
}

const execution = "bench";

/** Measures `ReconcileNodes` of the bundle in `folder` as it requests a new image from every node, in a process with the heap of its Lambda function. */
export async function measureReconcileNodes(harness: Harness, folder: string): Promise<Invocation> {
  const metadata = { annotations: { [claimAnnotation]: execution } };
  await harness.patchPool({ metadata, spec: { image: { ref: osImage(2) } } });
  const { name, uid } = await harness.readPool();
  const input: PoolTaskInput<"ReconcileNodes"> = {
    cluster: "bench",
    pool: { name, uid },
    previousExecution: "",
    adopting: false,
    execution,
    executionStartedAt: harness.now().toISOString(),
    rounds: 0,
  };
  const environment = {
    PAWL_KUBECONFIG: harness.kubeconfigPath,
    PAWL_EVENT_BUS_NAME: "pawl",
    AWS_ENDPOINT_URL_EVENTBRIDGE: harness.busUrl,
    AWS_REGION: "local",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const size = functionSpecs["reconcile-nodes"];
  const { output, peakBytes } = await runAsLambda<PoolTaskOutput<"ReconcileNodes">>("reconcile-nodes", input, {
    environment,
    size,
    folder,
  });
  if (output.kind !== "working") throw new Error(`ReconcileNodes: unexpected result ${output.kind}: ${output.reason}`);
  return { peakBytes, memoryMegabytes: size.memoryMegabytes };
}
