import {
  bootcAgent,
  type BootcActivity,
} from "../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";
import { boot, type Machine } from "./machine.ts";
import type { BootcNodeSpec } from "./objects.ts";

/** The machine of a daemon, the spec of its BootcNode, and the effects that the daemon can have. */
export interface Host {
  readonly machine: Machine;
  /** Returns the spec; null if there is no BootcNode, or the Node lacks the daemon's label. */
  desired(): BootcNodeSpec | null;
  /** Writes the status if it has changed. */
  writeStatus(activity: BootcActivity, error: string | null): Promise<void>;
  setReady(isReady: boolean): Promise<void>;
  /** Reports whether the registry has the image. */
  canPull(image: string): Promise<boolean>;
  /** Waits for the duration of staging or of a reboot. */
  delay(): Promise<void>;
  /** Reconciles the machine again after a delay. */
  requeueAfter(milliseconds: number): void;
  now(): number;
}

const firstRetryMilliseconds = 250;

/**
 * Makes one transition of bootc-operator's daemon; its status write triggers the next. Reconciliations of a machine run one
 * after another, so a change of the spec meanwhile is handled afterwards.
 */
export async function reconcile(host: Host): Promise<void> {
  const { machine } = host;
  const desired = host.desired();
  if (desired === null || machine.fault === "silent") return;
  const activity = bootcAgent(machine, desired);
  if (activity === "Staging") return stage(host, desired.desiredImage);
  if (activity === "Rebooting") return reboot(host);
  return host.writeStatus(activity, activity === "Idle" ? machine.bootedFault : null);
}

/** Runs `bootc switch --download-only`. A change of the desired image meanwhile cancels it. */
async function stage(host: Host, image: string): Promise<void> {
  const { machine } = host;
  const failed = machine.failure?.image === image ? machine.failure : null;
  if (failed !== null && host.now() < failed.retryAt) return;
  await host.writeStatus("Staging", null);
  if (machine.fault === "never-stages") return;
  await host.delay();
  if (host.desired()?.desiredImage !== image) return;
  if (machine.fault !== "stage-fails" && (await host.canPull(image))) {
    machine.staged = image;
    machine.failure = null;
    return host.requeueAfter(0);
  }
  const attempts = (failed?.attempts ?? 0) + 1;
  const wait = firstRetryMilliseconds * 2 ** Math.min(attempts - 1, 6);
  machine.failure = { image, attempts, retryAt: host.now() + wait };
  host.requeueAfter(wait);
  await host.writeStatus("Idle", `stage failed: ${image}`);
}

/** Runs `bootc switch --from-downloaded --apply` after it reported that. The daemon stops with its node. */
async function reboot(host: Host): Promise<void> {
  const { machine } = host;
  await host.writeStatus("Rebooting", null);
  if (machine.fault === "never-reboots") return;
  await host.setReady(false);
  await host.delay();
  boot(machine);
  if (machine.fault === "comes-back-dead") {
    await host.writeStatus("Idle", null);
    machine.fault = "silent";
    return;
  }
  if (machine.fault !== "comes-back-not-ready") await host.setReady(true);
  host.requeueAfter(0);
}
