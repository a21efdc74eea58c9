/** Label of every Node that a pool manages: the node selector of the agent's DaemonSet. */
export const managedLabel = "bootc.dev/managed";

/** Finalizer of a BootcNodePool: keeps a deleted pool until every node has left it. */
export const poolFinalizer = "bootc.dev/pool-cleanup";

/** Annotations of a BootcNode. The first two belong to bootc-operator; its agent reads none of them. */
export const bootcNodeAnnotations = {
  /** Its presence means that the node holds a slot. */
  inRebootSlot: "bootc.dev/in-reboot-slot",
  /** "true" or "false": whether the node was cordoned before it acquired its slot. */
  wasCordoned: "bootc.dev/was-cordoned",
  acquiredAt: "pawl.dev/slot-acquired-at",
  nodeUid: "pawl.dev/slot-node-uid",
  bootId: "pawl.dev/slot-boot-id",
  drainStartedAt: "pawl.dev/drain-started-at",
  /** Which pods block the drain of the node, and why. Stays until the node is drained. */
  drainBlockedBy: "pawl.dev/drain-blocked-by",
  /** How often the node has released its slot because its drain took too long, and when it last did. */
  drainGivenBack: "pawl.dev/drain-given-back",
  approvedAt: "pawl.dev/reboot-approved-at",
  /** The DaemonSets that had a Ready pod on the node before its reboot, separated by spaces. */
  readyDaemonSets: "pawl.dev/ready-daemon-sets",
  bootedAt: "pawl.dev/image-booted-at",
  /** What was measured of the node in its soak. */
  analysis: "pawl.dev/node-analysis",
  /** On every BootcNode: when its image was requested. */
  requestedAt: "pawl.dev/image-requested-at",
  /** The keys of the Events that were emitted for the node. */
  emittedEvents: "pawl.dev/emitted-events",
  /** The current command of a node without a daemon, in the format of agent/command-annotation.ts. */
  command: "pawl.dev/agent-command",
} as const;

/** Annotation of a BootcNodePool: the execution that holds the claim on it. */
export const claimAnnotation = "pawl.dev/execution";

/** Annotation of a Node: the name of the pool. The patch that cordons or uncordons the node adds or removes it. */
export const cordonAnnotation = "pawl.dev/cordoned-by-pool";

/** Annotation of a Node: the pool, and the annotations against scale-down that Pawl added with it. */
export const protectionMark = "pawl.dev/protected-by-pool";
