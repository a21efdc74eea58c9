import { afterReboot } from "../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";

/** The fault of a machine until it is healed. `comes-back-*` faults take effect at its next reboot. */
export type Fault =
  | "stage-fails"
  | "never-stages"
  | "never-reboots"
  | "comes-back-not-ready"
  /** Its daemon reports the image once, and then the machine does nothing. */
  | "comes-back-dead"
  | "comes-back-on-old-image"
  | "comes-back-degraded"
  | `comes-back-degraded on ${string}`
  | "silent";

/** A bootc host and the images on its disk, each pinned by digest. */
export interface Machine {
  readonly name: string;
  booted: string;
  staged: string | null;
  rollback: string | null;
  fault: Fault | null;
  /** The error that the booted image causes in the daemon; null if there is none. */
  bootedFault: string | null;
  /** The last image that could not be staged. It is retried with exponential back-off. */
  failure: { readonly image: string; readonly attempts: number; readonly retryAt: number } | null;
}

export function createMachine(name: string, booted: string): Machine {
  return { name, booted, staged: null, rollback: null, fault: null, bootedFault: null, failure: null };
}

/** Reboots a machine into its staged image, with the consequences of its fault. */
export function boot(machine: Machine): void {
  Object.assign(machine, afterReboot(machine, machine.fault === "comes-back-on-old-image"));
  const { fault, booted } = machine;
  const isBroken = fault === "comes-back-degraded" || fault === `comes-back-degraded on ${booted}`;
  machine.bootedFault = isBroken ? "bootc status failed" : null;
}
