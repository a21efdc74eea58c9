/** Every annotation that Pawl reads or writes. */
export const annotations = {
  /** Policy of a built-in kind: its owner writes them. */
  autoUpdate: "pawl.dev/auto-update",
  versionConstraint: "pawl.dev/version-constraint",
  schedule: "pawl.dev/schedule",
  healthTimeout: "pawl.dev/health-timeout",
  maxRollbacks: "pawl.dev/max-rollbacks",
  containers: "pawl.dev/containers",
  tagPattern: "pawl.dev/tag-pattern",
  canary: "pawl.dev/canary",
  canaryAnalysis: "pawl.dev/canary-analysis",
  rollbackTo: "pawl.dev/rollback-to",
  /** On any kind. */
  paused: "pawl.dev/paused",

  /** The update record of a built-in kind: Pawl writes them, a person may edit them. */
  currentVersion: "pawl.dev/current-version",
  availableVersion: "pawl.dev/available-version",
  lastCheck: "pawl.dev/last-check",
  lastUpdate: "pawl.dev/last-update",
  rollbackCount: "pawl.dev/rollback-count",
  failedVersions: "pawl.dev/failed-versions",
  circuitOpen: "pawl.dev/circuit-open",
  versionHistory: "pawl.dev/version-history",

  /** An update in flight on a built-in kind; a Claw has the first three under its own prefix. */
  targetImage: "pawl.dev/target-image",
  updatePhase: "pawl.dev/update-phase",
  updateStarted: "pawl.dev/update-started",
  execution: "pawl.dev/execution",
  previousImage: "pawl.dev/previous-image",
  targetDigests: "pawl.dev/target-digests",
  /** On any kind: the image that failed, while Pawl cleans up after its rollback. */
  rollingBack: "pawl.dev/rolling-back",

  /** A canary in flight: the object that runs it, the state of its analysis, and a person's verdict. */
  canaryName: "pawl.dev/canary-name",
  analysis: "pawl.dev/analysis",
  canaryVerdict: "pawl.dev/canary-verdict",
  /** On the stable set of a StatefulCanary: the pod template that a promotion replaced, for a rollback. */
  previousTemplate: "pawl.dev/previous-template",

  /** For a workload tracked by digest: its previous digests, digests that a tag moved back to, and Pawl's pins. */
  previousDigests: "pawl.dev/former-digests",
  revertedDigests: "pawl.dev/returning-digests",
  pinned: "pawl.dev/pinned",

  /** On any kind: the hold and the problem that were last reported. */
  held: "pawl.dev/held",
  problem: "pawl.dev/problem",
} as const;

/** The annotations of kubernetes-image-updater, under its own names, so that its users can switch by stopping it. */
export const imageUpdaterAnnotations = {
  enabled: "image-updater.eznix86.github.io/enabled",
  lastDigest: "image-updater.eznix86.github.io/last-digest",
  trackContainers: "image-updater.eznix86.github.io/track-containers",
  ignoreContainers: "image-updater.eznix86.github.io/ignore-containers",
  trackInitContainers: "image-updater.eznix86.github.io/track-init-containers",
} as const;

/** The finalizer that it adds to every workload that opted in; it blocks deletion until it is removed. */
export const imageUpdaterFinalizer = "image-updater.eznix86.github.io/finalizer";

/** On the pod template: set by `kubectl rollout restart`. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** The three annotations that request an update from k8s4claw's operator. */
export const clawAnnotations = {
  targetImage: "claw.prismer.ai/target-image",
  updatePhase: "claw.prismer.ai/update-phase",
  updateStarted: "claw.prismer.ai/update-started",
} as const;

/** The one value of an update-phase annotation that means "in flight"; any other value is idle. */
export const healthCheckPhase = "HealthCheck";

/** The phase during a restart. Kinds of others have no such phase. */
export const restartPhase = "Restart";

/** The phase during a canary. Kinds of others have no such phase. */
export const canaryPhase = "Canary";
