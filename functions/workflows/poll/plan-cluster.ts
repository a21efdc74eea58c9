import pLimit from "p-limit";
import type { OnSkipped } from "../../ports/cluster.ts";
import { createEvaluator, type EvaluatorPorts } from "./evaluate/create-evaluator.ts";
import type { WorkloadResult } from "./process-workload.ts";

const maxConcurrentEvaluations = 32;

/** Evaluates every workload like a poll, without acting on it, and returns each result. */
export async function planCluster(ports: EvaluatorPorts, onSkipped?: OnSkipped): Promise<readonly WorkloadResult[]> {
  const evaluate = createEvaluator(ports);
  const limit = pLimit(maxConcurrentEvaluations);
  const planned: Promise<WorkloadResult>[] = [];
  for await (const workload of ports.cluster.list(onSkipped)) {
    const plan = async (): Promise<WorkloadResult> => ({
      workload,
      decision: await evaluate(workload),
      action: "none",
    });
    planned.push(limit(() => plan().catch((error: Error) => ({ workload, error }))));
  }
  return Promise.all(planned);
}
