/** The images on a bootc host's disk, each pinned by digest. */
export interface BootcImages {
  readonly booted: string;
  readonly staged: string | null;
  readonly rollback: string | null;
}

/** The part of a BootcNode's spec that the daemon follows. */
export interface BootcRequest {
  /** Pinned by digest. */
  readonly desiredImage: string;
  readonly desiredImageState: "Staged" | "Booted";
}

/** What the daemon does; also the reasons of the condition `Idle`. */
export type BootcActivity = "Idle" | "Staging" | "Staged" | "Rebooting";

/** Returns the next activity of bootc-operator's daemon on a host with these images. */
export function bootcAgent(images: Pick<BootcImages, "booted" | "staged">, request: BootcRequest): BootcActivity {
  if (hasSameDigest(images.booted, request.desiredImage)) return "Idle";
  if (images.staged === null || !hasSameDigest(images.staged, request.desiredImage)) return "Staging";
  return request.desiredImageState === "Booted" ? "Rebooting" : "Staged";
}

/** Returns the images after a reboot into the staged image. If that boot fails, the host starts its previous image again. */
export function afterReboot(
  { booted, staged }: Pick<BootcImages, "booted" | "staged">,
  bootFails = false,
): BootcImages {
  const next = staged ?? booted;
  return bootFails ? { booted, staged: null, rollback: next } : { booted: next, staged: null, rollback: booted };
}

interface BootcCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

interface BootcEntry {
  readonly image: string;
  readonly imageDigest: string;
}

/** The status of a BootcNode. In a merge patch, null deletes an entry. */
export interface BootcStatus {
  readonly booted?: BootcEntry | null;
  readonly staged?: BootcEntry | null;
  readonly rollback?: BootcEntry | null;
  readonly conditions?: readonly BootcCondition[];
}

const messages: Readonly<Record<BootcActivity, string>> = {
  Idle: "no active update cycle",
  Staging: "staging the image",
  Staged: "Image staged, awaiting desiredImageState: Booted",
  Rebooting: "rebooting",
};

/**
 * Returns the status that bootc-operator's daemon writes. It contains no observedGeneration. `error` is the message of the
 * condition `Degraded`; null if there is no error. `before` is the previous status: a condition whose status does not change
 * keeps its lastTransitionTime.
 */
export function bootcStatus(
  images: BootcImages,
  activity: BootcActivity,
  error: string | null,
  { before = {}, now }: { readonly before?: BootcStatus | undefined; readonly now: string },
): BootcStatus {
  const idle = { type: "Idle", status: activity === "Idle" ? "True" : "False", reason: activity } as const;
  const healthy = { type: "Degraded", status: "False", reason: "Healthy", message: "no errors" } as const;
  const degraded = { type: "Degraded", status: "True", reason: "Error", message: error ?? "" } as const;
  const conditions = [{ ...idle, message: messages[activity] }, error === null ? healthy : degraded];
  return {
    booted: toEntry(images.booted),
    staged: images.staged === null ? null : toEntry(images.staged),
    rollback: images.rollback === null ? null : toEntry(images.rollback),
    conditions: conditions.map((condition) => withTransitionTime(condition, before, now)),
  };
}

function withTransitionTime(condition: BootcCondition, { conditions = [] }: BootcStatus, now: string): BootcCondition {
  const previous = conditions.find(({ type, status }) => type === condition.type && status === condition.status);
  return { ...condition, lastTransitionTime: previous?.lastTransitionTime ?? now };
}

function toEntry(image: string): BootcEntry {
  const fixed = { architecture: "amd64", softRebootCapable: false, incompatible: false };
  return { image, imageDigest: digestOf(image), ...fixed };
}

/** Reports whether two pinned images or bare digests have the same digest. */
export function hasSameDigest(a: string, b: string): boolean {
  return digestOf(a) === digestOf(b);
}

/** Returns the digest of a pinned image; a bare digest is returned unchanged. */
function digestOf(image: string): string {
  return image.slice(image.indexOf("@") + 1);
}
