import { QueryDefinition, QueryString, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { NameScope } from "../resource-names.ts";

export interface SavedQueriesProps {
  readonly cluster: NameScope;
  /** The logs of all functions of the cluster. */
  readonly logGroups: readonly ILogGroup[];
  /** Of the functions that evaluate workloads. */
  readonly pollLogs: readonly ILogGroup[];
}

/**
 * Queries of Logs Insights, saved in the folder `<prefix>/<cluster>`. Every line of a step has the fields `workload`, `execution` and `task`;
 * a poll writes one for each workload that it cannot evaluate.
 */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { cluster, logGroups, pollLogs }: SavedQueriesProps) {
    super(scope, id);
    const save = (name: string, title: string, groups: readonly ILogGroup[], queryString: QueryString) =>
      new QueryDefinition(this, name, {
        queryDefinitionName: `${cluster.prefix}/${cluster.name}/${title}`,
        queryString,
        logGroups: [...groups],
      });
    save(
      "Workload",
      "Log of a workload",
      logGroups,
      new QueryString({
        fields: [
          "@timestamp",
          "task",
          "level",
          "message",
          "outcome.kind",
          "failure",
          "reason",
          "error.message",
          "execution",
        ],
        filterStatements: ['workload.namespace = "NAMESPACE"', 'workload.name = "NAME"'],
        sort: "@timestamp",
        limit: 1000,
      }),
    );
    save(
      "Failures",
      "Failed evaluations by cause",
      pollLogs,
      new QueryString({
        filterStatements: ['message in ["workload evaluation failed", "node pool evaluation failed", "skipped"]'],
        statsStatements: ["count(*) as evaluations, count_distinct(workload.name) as workloads by failure, reason"],
        sort: "evaluations desc",
      }),
    );
    save(
      "Errors",
      "Errors by task",
      logGroups,
      new QueryString({
        filterStatements: ['level = "ERROR"'],
        statsStatements: ["count(*) as errors, latest(execution) as lastExecution by task, error.name, error.message"],
        sort: "errors desc",
      }),
    );
  }
}
