import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimAnnotation } from "../../functions/domain/node-pool/names.ts";
import type { PoolTaskInput, PoolTaskOutput } from "../../functions/pool-contract.ts";
import { bundle } from "../../infra/constructs/bundling.ts";
import { functionSpecs } from "../../infra/constructs/functions.ts";
import { runAsLambda } from "../poll-memory/lambda.ts";
import type { Lab } from "./lab.ts";
import { osImage } from "./objects.ts";

export interface Invocation {
  readonly peakBytes: number;
  readonly memoryMegabytes: number;
}

const execution = "bench";

/** `StepNodes` as it is deployed, in a process of its own with the heap of its Lambda: the step that asks every node for a new image. */
export async function measureStepNodes(lab: Lab): Promise<Invocation> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-step-nodes-"));
  const metadata = { annotations: { [claimAnnotation]: execution } };
  await lab.patchPool({ metadata, spec: { image: { ref: osImage(2) } } });
  const { name, uid } = await lab.pool();
  const input: PoolTaskInput<"StepNodes"> = {
    cluster: "bench",
    pool: { name, uid },
    after: "",
    recovering: false,
    execution,
    executionStartedAt: lab.now().toISOString(),
    ticks: 0,
  };
  const environment = {
    PAWL_KUBECONFIG: lab.kubeconfigPath,
    PAWL_EVENT_BUS_NAME: "pawl",
    AWS_ENDPOINT_URL_EVENTBRIDGE: lab.busUrl,
    AWS_REGION: "local",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const size = functionSpecs["step-nodes"];
  try {
    bundle("step-nodes", folder);
    const { answer, peakBytes } = await runAsLambda<PoolTaskOutput<"StepNodes">>(folder, input, environment, size);
    if (answer.kind !== "working") throw new Error(`StepNodes is ${answer.kind}: ${answer.reason}`);
    return { peakBytes, memoryMegabytes: size.memoryMegabytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
