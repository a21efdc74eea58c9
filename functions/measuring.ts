import type { TaskName, TaskOutput } from "./contract.ts";
import type { Metrics } from "./ports/metrics.ts";

/** The answers of steps by which an update comes to its end. */
const results = { recorded: "success", "rolled-back": "rollback", tripped: "rollback" } satisfies Partial<
  Record<TaskOutput<TaskName>["kind"], "success" | "rollback">
>;

/** Counts an update that a step has brought to its end. What is no step has no execution, and is not counted. */
export function measureStep(metrics: Metrics, input: object, outcome: unknown): void {
  const kind = typeof outcome === "object" && outcome !== null && "kind" in outcome ? String(outcome.kind) : "";
  if (!("execution" in input) || !Object.hasOwn(results, kind)) return;
  metrics.record("claw_autoupdate_updates_total", 1, { result: results[kind as keyof typeof results] });
}
