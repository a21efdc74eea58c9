import type { Task } from "../contract/task.ts";
import { adopt } from "../domain/workload/claim.ts";
import { isPreHookPending } from "../domain/workload/hook/run-hook.ts";
import { lambda } from "../runtime/lambda.ts";
import { deleteStuckPods } from "../workflows/workload-update/start-update.ts";

/** Adopts the claim of an execution that no longer runs, or of a person who set its annotations manually. */
export const adoptUpdate: Task<"AdoptUpdate"> = async ({ cluster, now }, input) => {
  const { workload: ref, image, execution, strategy } = input;
  const workload = await cluster.read(ref);
  const adoption = adopt(workload, execution, image, now(), strategy === "abort");
  if (workload === null || adoption.kind === "lost") {
    const reason = adoption.kind === "lost" ? adoption.reason : "workload not found (deleted or recreated)";
    return { kind: "superseded", waitSeconds: 0, reason };
  }
  if (adoption.kind === "withdrawn") {
    await cluster.change(workload, adoption.change);
    return { kind: "superseded", waitSeconds: 0, reason: adoption.reason };
  }
  if (adoption.kind === "withheld") {
    await cluster.change(workload, adoption.change);
    return { kind: "abort", waitSeconds: 0, reason: adoption.reason };
  }
  // Recorded, because another execution may have to finish the rollback.
  const verdict = strategy === "abort" ? ({ verdict: "abort" } as const) : {};
  if (adoption.change !== null) await cluster.change(workload, { ...adoption.change, ...verdict });
  if (strategy === "abort") return { kind: "abort", waitSeconds: 0, reason: "the execution of the canary was stopped" };
  if (workload.inFlight !== null && isPreHookPending(workload.inFlight))
    return { kind: "hook", waitSeconds: 0, reason: `adopted the update to ${image}, which waits for its hook` };
  if (adoption.phase !== "rollback") await deleteStuckPods({ cluster }, workload, workload);
  const kind = adoption.phase === "canary" ? "canary" : "adopted";
  return { kind, waitSeconds: 0, reason: `adopted the update to ${image}` };
};

export const handler = lambda(adoptUpdate);
