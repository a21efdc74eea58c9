import { type BootcNodeStatus, type Condition, digestOf, type Entry } from "./objects.ts";

/** What a machine does wrong until it is healed. Those that come back do so at its next reboot. */
export type Fault =
  | "stage-fails"
  | "never-stages"
  | "never-reboots"
  | "comes-back-not-ready"
  | "comes-back-on-old-image"
  | "comes-back-degraded"
  | "silent";

/** A machine that runs bootc: what its disk holds, each image by digest. */
export interface Machine {
  readonly name: string;
  booted: string;
  staged: string | null;
  rollback: string | null;
  fault: Fault | null;
  /** What the image that it runs does to its daemon; null where it does nothing. */
  bootedFault: string | null;
  /** The last image that could not be staged. It is tried again after a while that doubles. */
  failure: { readonly image: string; readonly attempts: number; readonly retryAt: number } | null;
}

export type Activity = "Idle" | "Staging" | "Staged" | "Rebooting";

export function machineOf(name: string, booted: string): Machine {
  return { name, booted, staged: null, rollback: null, fault: null, bootedFault: null, failure: null };
}

/** Into the image that is staged, and the one before is what a rollback would bring back. */
export function boot(machine: Machine): void {
  const next = machine.staged ?? machine.booted;
  const fallsBack = machine.fault === "comes-back-on-old-image";
  machine.rollback = fallsBack ? next : machine.booted;
  machine.booted = fallsBack ? machine.booted : next;
  machine.staged = null;
  machine.bootedFault = machine.fault === "comes-back-degraded" ? "bootc status failed" : null;
}

/** What its daemon says of it. `error` is what it encountered, null where nothing. */
export function statusOf(machine: Machine, activity: Activity, error: string | null): BootcNodeStatus {
  const { booted, staged, rollback } = machine;
  return {
    booted: entry(booted),
    staged: staged === null ? null : entry(staged),
    rollback: rollback === null ? null : entry(rollback),
    conditions: [idle(activity), degraded(error)],
  };
}

function entry(image: string): Entry {
  return { image, imageDigest: digestOf(image) };
}

const messages = {
  Idle: "no active update cycle",
  Staging: "staging the image",
  Staged: "Image staged, awaiting desiredImageState: Booted",
  Rebooting: "rebooting",
} satisfies Record<Activity, string>;

function idle(activity: Activity): Condition {
  const status = activity === "Idle" ? "True" : "False";
  return { type: "Idle", status, reason: activity, message: messages[activity] };
}

function degraded(error: string | null): Condition {
  return error === null
    ? { type: "Degraded", status: "False", reason: "Healthy", message: "no errors" }
    : { type: "Degraded", status: "True", reason: "Error", message: error };
}
