/** Every metric with its labels. The cluster's name is a label of each of them. */
export interface MetricLabels {
  /** Workloads that a poll evaluated. */
  readonly claw_autoupdate_checks_total: { readonly namespace: string };
  /** Updates that ended. */
  readonly claw_autoupdate_updates_total: { readonly result: "success" | "rollback" };
  /** Workloads whose circuit is open. */
  readonly claw_autoupdate_circuit_open: NoLabels;
  /** Completed polls, and rounds of a poll in batches: the heartbeat. */
  readonly pawl_polls_total: NoLabels;
  readonly pawl_poll_duration_seconds: NoLabels;
  /** Errors that several workloads have in common, kinds that may not be listed, and polls that were interrupted. */
  readonly pawl_poll_errors_total: NoLabels;
  /** Workloads that could not be evaluated for a cause that few others have: their own image, registry or credentials. */
  readonly pawl_workload_errors_total: NoLabels;
  /** Workloads that a poll did not reach before its deadline; they wait for the next one. */
  readonly pawl_poll_unreached_total: NoLabels;
  /** Workloads that a poll left out, because their evaluation ended a function. */
  readonly pawl_poll_quarantined_total: NoLabels;
  /** Workloads that were not evaluated, because they or their namespace cost more than a poll allows. */
  readonly pawl_budget_exceeded_total: { readonly namespace: string };
  /** CPU time of the decisions about the workloads that took most, at most ten of 50 ms or more; a log line names them. */
  readonly pawl_expensive_workloads_cpu_seconds: NoLabels;
  /** Workloads with an update in flight. */
  readonly pawl_in_flight: NoLabels;
  /** By how much the most overdue claim exceeds its health timeout; 0 if none does. */
  readonly pawl_oldest_claim_overdue_seconds: NoLabels;
  /** How long ago the oldest trusted root of the rules of signatures was downloaded. */
  readonly pawl_trusted_root_age_days: NoLabels;
  /** Node pools whose condition Degraded is True. */
  readonly pawl_node_pools_degraded: NoLabels;
  /** Node pools whose rollout is halted by unhealthy slot holders. */
  readonly pawl_node_pools_halted: NoLabels;
  /** Node pools with an execution. */
  readonly pawl_node_pools_rolling: NoLabels;
  /** Nodes that have held their slot for five minutes and are not drained. */
  readonly pawl_drains_slow: NoLabels;
  /** Events that could not be published on the bus, or written to the cluster. */
  readonly pawl_events_lost_total: { readonly sink: "bus" | "kubernetes" };
  /** Failures of any function, by the error's name. */
  readonly pawl_errors_total: { readonly error: string };
}

export type NoLabels = Readonly<Record<string, never>>;
export type MetricName = keyof MetricLabels;

/** Records metrics about one cluster. Names of workloads are never labels: CloudWatch charges for each label value. */
export interface Metrics {
  record<Name extends MetricName>(name: Name, value: number, labels: MetricLabels[Name]): void;

  /** Writes what was recorded since the last flush. */
  flush(): void;
}
