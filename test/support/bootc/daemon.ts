import { type Activity, boot, type Machine, statusOf } from "./machine.ts";
import { type BootcNodeSpec, type BootcNodeStatus, digestOf } from "./objects.ts";

/** A machine as its daemon has it: what is asked of it, and what the daemon can do. */
export interface Host {
  readonly machine: Machine;
  /** null where there is no BootcNode, or the Node does not bear the label by which the daemon runs there. */
  asked(): BootcNodeSpec | null;
  /** Writes the status where it is another than the last. */
  say(status: BootcNodeStatus): Promise<void>;
  setReady(isReady: boolean): Promise<void>;
  /** Whether the registry has the image. */
  pulls(image: string): Promise<boolean>;
  /** So long as staging, going down, or coming up takes. */
  moment(): Promise<void>;
  /** Has its turn come again after so many milliseconds. */
  wakeAfter(milliseconds: number): void;
  now(): number;
}

const firstRetryMilliseconds = 250;

/**
 * One turn of bootc-operator's daemon: one transition towards what is asked, and the next follows from the change that this one
 * makes. Turns of a machine come one after another, so what is asked meanwhile is heard after it.
 */
export async function turn(host: Host): Promise<void> {
  const { machine } = host;
  const asked = host.asked();
  if (asked === null || machine.fault === "silent") return;
  const { desiredImage, desiredImageState } = asked;
  const desired = digestOf(desiredImage);
  if (digestOf(machine.booted) === desired) return say(host, "Idle", machine.bootedFault);
  if (machine.staged === null || digestOf(machine.staged) !== desired) return stage(host, desiredImage);
  if (desiredImageState === "Booted") return reboot(host);
  return say(host, "Staged");
}

/** `bootc switch --download-only`. What is asked for another image meanwhile cancels it. */
async function stage(host: Host, image: string): Promise<void> {
  const { machine } = host;
  const failed = machine.failure?.image === image ? machine.failure : null;
  if (failed !== null && host.now() < failed.retryAt) return;
  await say(host, "Staging");
  if (machine.fault === "never-stages") return;
  await host.moment();
  if (host.asked()?.desiredImage !== image) return;
  if (machine.fault !== "stage-fails" && (await host.pulls(image))) {
    machine.staged = image;
    machine.failure = null;
    return host.wakeAfter(0);
  }
  const attempts = (failed?.attempts ?? 0) + 1;
  const wait = firstRetryMilliseconds * 2 ** Math.min(attempts - 1, 6);
  machine.failure = { image, attempts, retryAt: host.now() + wait };
  host.wakeAfter(wait);
  await say(host, "Idle", `stage failed: ${image}`);
}

/** `bootc switch --from-downloaded --apply`, once it is written that it will. The daemon goes down with its node. */
async function reboot(host: Host): Promise<void> {
  const { machine } = host;
  await say(host, "Rebooting");
  if (machine.fault === "never-reboots") return;
  await host.setReady(false);
  await host.moment();
  boot(machine);
  if (machine.fault !== "comes-back-not-ready") await host.setReady(true);
  host.wakeAfter(0);
}

async function say(host: Host, activity: Activity, error: string | null = null): Promise<void> {
  await host.say(statusOf(host.machine, activity, error));
}
