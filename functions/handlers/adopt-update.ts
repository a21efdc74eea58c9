import { clearTheWay } from "../clearing-the-way.ts";
import { adopt } from "../domain/claim.ts";
import { lambda, type Task } from "../task.ts";

/** Takes over the claim of an execution that is gone, or of a person who set the marks by hand. */
export const adoptUpdate: Task<"AdoptUpdate"> = async ({ cluster }, { workload: ref, image, execution, strategy }) => {
  const workload = await cluster.read(ref);
  const adoption = adopt(workload, execution, image);
  if (workload === null || adoption.kind === "lost") {
    return {
      kind: "superseded",
      waitSeconds: 0,
      reason: adoption.kind === "lost" ? adoption.reason : "the workload is gone",
    };
  }
  // Written down, because the rollback may be another execution's by the time it can be done.
  const said = strategy === "abort" ? ({ verdict: "abort" } as const) : {};
  if (adoption.change !== null) await cluster.change(workload, { ...adoption.change, ...said });
  if (strategy === "abort") return { kind: "abort", waitSeconds: 0, reason: "its execution was stopped" };
  if (adoption.phase !== "canary") await clearTheWay({ cluster }, workload);
  const kind = adoption.phase === "canary" ? "canary" : "adopted";
  return { kind, waitSeconds: 0, reason: `took over the update to ${image}` };
};

export const handler = lambda(adoptUpdate);
