const clusterAlarmMeanings = {
  "circuit-opened": "A workload was rolled back too often: no newer version is applied until its circuit is reset.",
  "executions-failed": "An update ended in an error that is neither a rollback nor a refusal by the cluster.",
  "executions-timed-out": "An update exceeded the timeout of its state machine.",
  "executions-aborted": "An update was stopped manually; the next poll adopts it.",
  "executions-throttled": "Step Functions throttles the updates.",
  "code-errors": "A poll crashed, or a function failed with an error that a mistake in its code causes.",
  "poll-errors": "A poll failed, as a whole or for some workloads.",
  "poll-heartbeat-missing": "No poll has completed for longer than the schedule allows.",
  "events-lost": "Events could not be published on the bus or written to the cluster; the updates went on.",
  "dead-letters": "Deliveries failed and are in a dead-letter queue.",
  "claim-overdue": "An update has been in flight for longer than its workload's health timeout.",
} as const;

const signatureAlarmMeanings = {
  "trusted-root-old": "A trusted root of the rules of signatures was downloaded more than 90 days ago.",
} as const;

const nodePoolAlarmMeanings = {
  "rollouts-failed": "The rollout of a node pool was ended by an error, its timeout or a person.",
  "node-pool-degraded": "A node pool has been degraded for 15 minutes.",
  "rollout-halted": "Too many nodes of a pool are unhealthy on its new image; no further node is updated.",
  "drain-slow": "A node has held its slot for more than five minutes and is not drained yet.",
} as const;

/** What each alarm means, which begins its description. The runbook (`docs/how-to/runbook.md`) has a section of the same name for each. */
export const alarmMeanings = { ...clusterAlarmMeanings, ...signatureAlarmMeanings, ...nodePoolAlarmMeanings };

export type AlarmName = keyof typeof alarmMeanings;

/** What to do first, so that a mail is of use without the runbook. `{deployment}` is the prefix and the cluster in names of AWS. */
export const firstActions: Readonly<Record<AlarmName, string>> = {
  "circuit-opened":
    "Nothing is down because of Pawl. `npx --no-install pawl status` names the workload, and `npx --no-install pawl history` the failed versions. When the cause is fixed: `npx --no-install pawl reset NAMESPACE/NAME`.",
  "executions-failed":
    "Nothing was rolled back. Error and cause: failed executions of the state machine {deployment}-workload-update. The next poll continues; fix what the cause names.",
  "executions-timed-out":
    "The next poll adopts the update. Check the health timeout of the workload, and if the cluster answered: timed-out executions of {deployment}-workload-update.",
  "executions-aborted":
    "Nothing to do if the update may continue. CloudTrail shows who called StopExecution. To end it, set the image that you want, or the annotation pawl.dev/auto-update=false.",
  "executions-throttled":
    "No update is lost. Find the state machine that uses the quota of state transitions (metric ExecutionThrottled), or request a higher one.",
  "code-errors":
    "Errors: log group /aws/lambda/{deployment}-poll. If Pawl was deployed today, deploy the version before it, and report the error.",
  "poll-errors":
    "Errors with their workloads: `aws logs tail /aws/lambda/{deployment}-poll --since 1h`, and the executions of {deployment}-poll-fanout that are not SUCCEEDED. All other workloads were processed, and the next poll tries again.",
  "poll-heartbeat-missing":
    "No update starts. `npx --no-install pawl doctor` finds why: the schedule is disabled, deliveries fail, the function fails (log group /aws/lambda/{deployment}-poll), or another installation holds the Lease pawl-poll.",
  "events-lost":
    "Lost events are in the logs of the functions: message `event lost`, with the error. Check the policy of the event bus and RBAC of Events.",
  "dead-letters":
    "The messages of the queue {deployment}-dead-letters name the error. Fix it. Lost polls need no replay: the next one evaluates all workloads.",
  "claim-overdue":
    "`npx --no-install pawl status` names the update. If its execution in {deployment}-workload-update is running, its history has the last error; otherwise the next poll adopts the update.",
  "trusted-root-old":
    "Updates go on until Sigstore begins a new log; then signatures in it are refused. Download the root again (cosign trusted-root create, or gh attestation trusted-root), set its date, and deploy.",
  "rollouts-failed":
    "Nodes remain as they are, perhaps cordoned. Error and cause: executions of {deployment}-node-pool-rollout. The next poll adopts the rollout; if it fails again, pause the pool.",
  "node-pool-degraded":
    "`npx --no-install pawl pools` names the pool, the reason and the node. The condition clears after the fix.",
  "rollout-halted":
    "`npx --no-install pawl pools` names the unhealthy nodes. If the image is bad, set the one before; if the nodes are bad, repair them or remove them from the pool.",
  "drain-slow":
    "`npx --no-install pawl pools` names the node. `kubectl get poddisruptionbudgets -A`: if one allows 0 disruptions, add a replica or repair its pods.",
};

export const alarmNames = Object.keys(alarmMeanings) as readonly AlarmName[];

/** The alarms that only a cluster has whose rules of signatures have a trusted root. */
export const signatureAlarmNames = Object.keys(signatureAlarmMeanings) as readonly AlarmName[];

/** The alarms that only a cluster with node pools has. */
export const nodePoolAlarmNames = Object.keys(nodePoolAlarmMeanings) as readonly (keyof typeof nodePoolAlarmMeanings)[];
