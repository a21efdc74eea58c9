import { digestOf } from "../../../../functions/domain/node-pool/classify.ts";
import type { Api } from "../rules/api.ts";
import { askedOf, report } from "./bootc-node.ts";
import type { Images } from "./bootc-status.ts";
import { setReady } from "./node.ts";

export interface BootcAgentOptions {
  /** What a node runs before anybody asks it for something else, by digest. */
  bootedAtFirst(node: string): string;
  /** Simulated seconds in which a node pulls an image. */
  readonly secondsToStage: number;
  /** Simulated seconds in which a node that goes down is Ready again. */
  readonly secondsToReboot: number;
}

/** Plays bootc-operator's daemon on every node that has its label: stages what is asked for, and reboots when it may. */
export interface BootcAgent {
  look(node: string): void;
}

type Sleep = (seconds: number) => Promise<void>;

interface Machine {
  images: Images;
  /** What is being pulled; null where nothing is. */
  staging: string | null;
  isDown: boolean;
}

export function createBootcAgent(api: Api, options: BootcAgentOptions, sleep: Sleep): BootcAgent {
  const machines = new Map<string, Machine>();
  // A sleep that is broken off is that of a cluster that was closed.
  const later = (seconds: number, act: () => void): void => void sleep(seconds).then(act, () => undefined);

  function look(name: string): void {
    const machine = machines.get(name) ?? fresh(options.bootedAtFirst(name));
    machines.set(name, machine);
    const asked = machine.isDown ? null : askedOf(api, name);
    if (asked === null) return;
    const { booted, staged } = machine.images;
    if (machine.staging !== null && !isSame(machine.staging, asked.image)) machine.staging = null;
    if (isSame(booted, asked.image)) return report(api, name, machine.images, "Idle");
    if (!isSame(staged, asked.image)) return stage(name, machine, asked.image);
    if (!asked.mayReboot) return report(api, name, machine.images, "Staged");
    report(api, name, machine.images, "Rebooting");
    reboot(name, machine);
  }

  function stage(name: string, machine: Machine, image: string): void {
    report(api, name, machine.images, "Staging");
    if (machine.staging !== null) return;
    machine.staging = image;
    later(options.secondsToStage, () => {
      if (machine.staging !== image) return; // called off
      machine.staging = null;
      machine.images = { ...machine.images, staged: image };
      look(name);
    });
  }

  function reboot(name: string, machine: Machine): void {
    machine.isDown = true;
    setReady(api, name, false);
    later(options.secondsToReboot, () => {
      const { booted, staged } = machine.images;
      machine.images = { booted: staged ?? booted, staged: null, rollback: booted };
      machine.isDown = false;
      setReady(api, name, true);
      look(name);
    });
  }

  return { look };
}

function fresh(booted: string): Machine {
  return { images: { booted, staged: null, rollback: null }, staging: null, isDown: false };
}

function isSame(image: string | null, asked: string): boolean {
  return image !== null && digestOf(image) === digestOf(asked);
}
