/** Every metric with the labels that tell its values apart, besides the cluster's name, which each of them carries. */
export interface MetricLabels {
  /** Workloads that a poll looked at. */
  readonly claw_autoupdate_checks_total: { readonly namespace: string };
  /** Updates that came to their end. */
  readonly claw_autoupdate_updates_total: { readonly result: "success" | "rollback" };
  /** Workloads whose circuit is open. */
  readonly claw_autoupdate_circuit_open: NoLabels;
  /** Polls that came to their end: the heartbeat. */
  readonly pawl_polls_total: NoLabels;
  readonly pawl_poll_duration_seconds: NoLabels;
  /** Workloads that a poll could not decide about, and polls that broke off. */
  readonly pawl_poll_errors_total: NoLabels;
  /** Workloads that a poll did not get to: they wait for the next one. */
  readonly pawl_poll_unreached_total: NoLabels;
  /** Workloads with an update in flight. */
  readonly pawl_in_flight: NoLabels;
  /** How far the claim that is longest past its health timeout is past it; 0 where none is. */
  readonly pawl_oldest_claim_overdue_seconds: NoLabels;
  /** Node pools whose condition Degraded is True. */
  readonly pawl_node_pools_degraded: NoLabels;
  /** Node pools in which so many nodes are unhealthy that no further one takes a slot. */
  readonly pawl_node_pools_halted: NoLabels;
  /** Node pools with an execution. */
  readonly pawl_node_pools_rolling: NoLabels;
  /** Nodes that have held their slot for five minutes and are not drained. */
  readonly pawl_drains_slow: NoLabels;
  /** Failures of any function, by the error's name. */
  readonly pawl_errors_total: { readonly error: string };
}

export type NoLabels = Readonly<Record<string, never>>;
export type MetricName = keyof MetricLabels;

/** Numbers about one cluster. Names of workloads never stand in them: each value of a label is a metric to be paid for. */
export interface Metrics {
  record<Name extends MetricName>(name: Name, value: number, labels: MetricLabels[Name]): void;

  /** Hands over what was recorded since the last time. */
  flush(): void;
}
