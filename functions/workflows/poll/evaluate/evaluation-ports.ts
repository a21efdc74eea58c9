import type { PollBudget } from "../../../domain/budget/poll-budget.ts";
import type { Cluster } from "../../../ports/cluster.ts";
import type { Registry } from "../../../ports/registry.ts";
import type { AnalysisPorts } from "../../read-analysis.ts";
import type { ConfigPorts } from "./check-config.ts";

/** What an evaluation needs. `registry` asks for each thing once per poll. */
export interface EvaluationPorts {
  readonly cluster: Pick<
    Cluster,
    "pullSecrets" | "runningDigests" | "jobProblem" | "readAnalysis" | "readFreeze" | "approvalProblem" | "readNamed"
  > &
    ConfigPorts["cluster"];
  readonly registry: Registry;
  readonly metricProvider: AnalysisPorts["metricProvider"];
  readonly budget: Pick<PollBudget, "decide">;
}
