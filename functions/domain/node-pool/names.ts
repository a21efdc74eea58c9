/** On every Node that a pool manages: the agent's DaemonSet runs where it stands. */
export const managedLabel = "bootc.dev/managed";

/** On a BootcNodePool: holds a pool that is being deleted until every node has left it. */
export const poolFinalizer = "bootc.dev/pool-cleanup";

/** On a BootcNode. The first two are bootc-operator's own; its agent reads none of them. */
export const slotAnnotations = {
  /** Its presence alone says that the node holds a slot. */
  inRebootSlot: "bootc.dev/in-reboot-slot",
  /** "true" or "false": whether the node was cordoned before it took its slot. */
  wasCordoned: "bootc.dev/was-cordoned",
  takenAt: "pawl.dev/slot-taken",
  nodeUid: "pawl.dev/slot-node",
  drainSince: "pawl.dev/drain-started",
  approvedAt: "pawl.dev/reboot-approved",
  /** On every BootcNode: when it was asked for its image. */
  askedAt: "pawl.dev/image-asked",
  /** The last of what was said of it in Events. */
  told: "pawl.dev/told",
  /** Of a node without a daemon: the command that it is at, in the form of agent/command-record.ts. */
  command: "pawl.dev/command",
} as const;

/** On a BootcNodePool: the execution that holds the claim on it. */
export const claimAnnotation = "pawl.dev/execution";

/** On a Node, with the name of the pool: written and taken away in the very patch that cordons and uncordons it. */
export const cordonAnnotation = "pawl.dev/cordoned-for";
