import type { PollBudget } from "../../../domain/budget/poll-budget.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import type { Cluster } from "../../../ports/cluster.ts";
import type { Verifier } from "../../../ports/verifier.ts";
import type { Registry } from "../../../ports/registry.ts";
import type { AnalysisPorts } from "../../read-analysis.ts";
import type { ConfigPorts } from "./check-config.ts";

/** What an evaluation needs. `registry` asks for each thing once per poll. */
export interface EvaluationPorts {
  readonly cluster: Pick<
    Cluster,
    | "name"
    | "haltPeers"
    | "pullSecrets"
    | "runningDigests"
    | "jobProblem"
    | "readAnalysis"
    | "readFreeze"
    | "identityProblem"
    | "readNamed"
  > &
    ConfigPorts["cluster"];
  readonly registry: Registry;
  /** Asks about each digest once per poll. */
  readonly verifier: Verifier;
  readonly metricProvider: AnalysisPorts["metricProvider"];
  readonly budget: Pick<PollBudget, "decide">;
}

/** The same for one workload. */
export interface WorkloadPorts extends EvaluationPorts {
  /** Returns the gates whose facts the poll reads, and which may be evaluated twice: those of limits count what they let pass. */
  readonly factGates: () => Promise<readonly Gate[]>;
}
