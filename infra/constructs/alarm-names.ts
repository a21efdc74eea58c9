const clusterAlarmMeanings = {
  "circuit-opened": "A workload was rolled back too often: no newer version is applied until its circuit is reset.",
  "executions-failed": "An update ended in an error that is neither a rollback nor a refusal by the cluster.",
  "executions-timed-out": "An update exceeded the timeout of its state machine.",
  "executions-aborted": "An update was stopped manually; the next poll adopts it.",
  "executions-throttled": "Step Functions throttles the updates.",
  "poll-errors": "A poll failed, as a whole or for some workloads.",
  "poll-heartbeat-missing": "No poll has completed for longer than the schedule allows.",
  "events-lost": "Events could not be published on the bus or written to the cluster; the updates went on.",
  "dead-letters": "Deliveries failed and are in a dead-letter queue.",
  "claim-overdue": "An update has been in flight for longer than its workload's health timeout.",
} as const;

const nodePoolAlarmMeanings = {
  "rollouts-failed": "The rollout of a node pool was ended by an error, its timeout or a person.",
  "node-pool-degraded": "A node pool has been degraded for 15 minutes.",
  "rollout-halted": "Too many nodes of a pool are unhealthy on its new image; no further node is updated.",
  "drain-slow": "A node has held its slot for more than five minutes and is not drained yet.",
} as const;

/** The description of each alarm. The runbook (`docs/runbook.md`) has a section of the same name for each. */
export const alarmMeanings = { ...clusterAlarmMeanings, ...nodePoolAlarmMeanings };

export type AlarmName = keyof typeof alarmMeanings;

export const alarmNames = Object.keys(alarmMeanings) as readonly AlarmName[];

/** The alarms that only a cluster with node pools has. */
export const nodePoolAlarmNames = Object.keys(nodePoolAlarmMeanings) as readonly (keyof typeof nodePoolAlarmMeanings)[];
