import type { NodeCommand } from "../../../functions/domain/node-pool/agent/outcome.ts";
import { afterReboot } from "../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";
import { statusOutput } from "../../domain/node-pool/agent/hosts.ts";

/** "offline": its SSM agent receives no commands. */
export type HostFault = "stage-fails" | "old-image" | "offline" | null;

/** A bootc host as the document infra/ssm/bootc-node.yaml sees it. Images are pinned by digest. */
export interface BootcHost {
  booted: string;
  staged: string | null;
  isUp: boolean;
  isGoingDown: boolean;
  reboots: number;
  fault: HostFault;
}

export interface CommandResult {
  readonly output: string;
  readonly problem: string | null;
}

export function createBootcHost(booted: string): BootcHost {
  return { booted, staged: null, isUp: true, isGoingDown: false, reboots: 0, fault: null };
}

/** Runs a command of the document; null if a reboot interrupts it, after which SSM runs it again. */
export function runCommand(host: BootcHost, { action, image }: NodeCommand): CommandResult | null {
  if (action === "status") return end(host, null);
  if (action === "stage") {
    if (host.fault === "stage-fails") return end(host, "error: Switching: no such manifest");
    if (host.staged !== image) host.staged = image;
    return end(host, null);
  }
  if (host.staged === null) return end(host, "error: No staged deployment found");
  if (host.staged !== image) return end(host, `error: ${image} is not staged`);
  host.isGoingDown = true;
  return null;
}

/** Advances a reboot by one step: down, then up again on the staged image. */
export function stepHost(host: BootcHost): void {
  if (!host.isUp) {
    const { booted, staged } = afterReboot(host, host.fault === "old-image");
    Object.assign(host, { booted, staged, isUp: true, reboots: host.reboots + 1 });
  } else if (host.isGoingDown) {
    Object.assign(host, { isUp: false, isGoingDown: false });
  }
}

function end({ booted, staged }: BootcHost, problem: string | null): CommandResult {
  return { output: statusOutput(booted, staged), problem };
}
