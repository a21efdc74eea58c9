const ofClusters = {
  "circuit-opened":
    "A workload has been rolled back too often: nothing newer is applied to it until its circuit is reset.",
  "executions-failed": "An update ended in an error that is not a rollback.",
  "executions-timed-out": "An update ran into the time limit of its machine.",
  "executions-aborted": "Somebody stopped an update; the next poll takes it over.",
  "executions-throttled": "Step Functions slows the updates down.",
  "poll-errors": "A poll failed, as a whole or for some workloads.",
  "poll-heartbeat-missing": "No poll has come to its end for longer than the schedule allows.",
  "dead-letters": "Deliveries could not be made and lie in a dead-letter queue.",
  "claim-overdue": "An update has been in flight for longer than its workload's health timeout.",
} as const;

const ofNodePools = {
  "rollouts-failed": "The rollout of a node pool was broken off by an error, its time limit or a person.",
  "node-pool-degraded": "A node pool has been degraded for a quarter of an hour.",
  "rollout-halted": "So many nodes of a pool are unhealthy on its new image that no further one is taken down.",
  "drain-slow": "A node has held its slot for more than five minutes and is not drained yet.",
} as const;

/** What each alarm means, in a sentence. The runbook (`docs/runbook.md`) has a paragraph of the same name for each. */
export const alarmMeanings = { ...ofClusters, ...ofNodePools };

export type AlarmName = keyof typeof alarmMeanings;

export const alarmNames = Object.keys(alarmMeanings) as readonly AlarmName[];

/** Those that only a cluster with node pools has. */
export const nodePoolAlarmNames = Object.keys(ofNodePools) as readonly (keyof typeof ofNodePools)[];
