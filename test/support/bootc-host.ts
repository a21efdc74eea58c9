import type { NodeCommand } from "../../functions/domain/node-pool/agent/outcome.ts";
import { statusOutput } from "../domain/node-pool/agent/hosts.ts";

/** "deaf": its SSM agent takes nothing up. "stays-up": it says that it reboots and does not. */
export type HostFault = "stage-fails" | "old-image" | "stays-up" | "deaf" | null;

/** A machine with bootc, as far as the document infra/ssm/bootc-node.yaml sees it. Images are by digest. */
export interface BootcHost {
  booted: string;
  staged: string | null;
  isUp: boolean;
  isGoingDown: boolean;
  reboots: number;
  fault: HostFault;
}

export interface Ended {
  readonly output: string;
  readonly problem: string | null;
}

export function bootcHost(booted: string): BootcHost {
  return { booted, staged: null, isUp: true, isGoingDown: false, reboots: 0, fault: null };
}

/** Runs a command of the document to its end; null where a reboot cuts it off, after which SSM runs it once more. */
export function run(host: BootcHost, { action, image }: NodeCommand): Ended | null {
  if (action === "status") return end(host, null);
  if (action === "stage") {
    if (host.fault === "stage-fails") return end(host, "error: Switching: no such manifest");
    if (host.staged !== image) host.staged = image;
    return end(host, null);
  }
  if (host.staged === null) return end(host, "error: No staged deployment found");
  if (host.staged !== image) return end(host, `error: ${image} is not staged`);
  host.isGoingDown = host.fault !== "stays-up";
  return null;
}

/** One turn of a machine that was told to reboot: down, and up again on what it has staged. */
export function turnHost(host: BootcHost): void {
  if (!host.isUp) {
    if (host.fault !== "old-image") host.booted = host.staged ?? host.booted;
    Object.assign(host, { isUp: true, staged: null, reboots: host.reboots + 1 });
  } else if (host.isGoingDown) {
    Object.assign(host, { isUp: false, isGoingDown: false });
  }
}

function end({ booted, staged }: BootcHost, problem: string | null): Ended {
  return { output: statusOutput(booted, staged), problem };
}
