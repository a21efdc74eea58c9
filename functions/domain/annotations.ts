/** Every annotation that Pawl reads or writes, in the one place where its name is spelled. */
export const annotations = {
  /** Policy of a built-in kind: its owner writes them. */
  autoUpdate: "pawl.dev/auto-update",
  versionConstraint: "pawl.dev/version-constraint",
  schedule: "pawl.dev/schedule",
  healthTimeout: "pawl.dev/health-timeout",
  maxRollbacks: "pawl.dev/max-rollbacks",
  container: "pawl.dev/container",
  tagPattern: "pawl.dev/tag-pattern",
  canary: "pawl.dev/canary",
  canaryAnalysis: "pawl.dev/canary-analysis",
  rollback: "pawl.dev/rollback",
  /** On any kind. */
  paused: "pawl.dev/paused",

  /** Bookkeeping of a built-in kind: Pawl writes them, a person may edit them. */
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
  /** On any kind: the image that was given up, while Pawl clears up after it. */
  rollingBack: "pawl.dev/rolling-back",

  /** A canary in flight: the object that runs it, what its analysis has come to, and what a person says about it. */
  canaryName: "pawl.dev/canary-name",
  analysis: "pawl.dev/analysis",
  canaryVerdict: "pawl.dev/canary-verdict",
  /** On the stable set of a StatefulCanary: the pod template that a promotion replaced, for the way back. */
  previousTemplate: "pawl.dev/previous-template",

  /** Of a workload that is followed by digest: what it ran before, what seems to come back, what a rollback has pinned. */
  formerDigests: "pawl.dev/former-digests",
  returningDigests: "pawl.dev/returning-digests",
  pinned: "pawl.dev/pinned",

  /** Standing announcements, on any kind: why nothing newer is applied, and what cannot be read. */
  held: "pawl.dev/held",
  problem: "pawl.dev/problem",
} as const;

/** Those of kubernetes-image-updater, under its own names, so that its users switch by stopping it. */
export const imageUpdaterAnnotations = {
  enabled: "image-updater.eznix86.github.io/enabled",
  lastDigest: "image-updater.eznix86.github.io/last-digest",
  trackContainers: "image-updater.eznix86.github.io/track-containers",
  ignoreContainers: "image-updater.eznix86.github.io/ignore-containers",
  trackInitContainers: "image-updater.eznix86.github.io/track-init-containers",
} as const;

/** What it puts on every workload that opted in; the workload cannot be deleted until somebody takes it away. */
export const imageUpdaterFinalizer = "image-updater.eznix86.github.io/finalizer";

/** On the pod template: what `kubectl rollout restart` sets. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** The three annotations by which k8s4claw's own operator is told what to run. */
export const clawAnnotations = {
  targetImage: "claw.prismer.ai/target-image",
  updatePhase: "claw.prismer.ai/update-phase",
  updateStarted: "claw.prismer.ai/update-started",
} as const;

/** The one value of an update-phase annotation that means "in flight"; any other value is idle. */
export const healthCheckPhase = "HealthCheck";

/** The value that says that all pods are being made anew. Kinds of others have no such phase. */
export const restartPhase = "Restart";

/** The value that says that a canary is being judged. Kinds of others have no such phase. */
export const canaryPhase = "Canary";
