import type { Api } from "../../verbs/context.ts";
import { afterReboot, bootcAgent, type BootcImages, hasSameDigest } from "./bootc-agent-machine.ts";
import { readRequest, writeBootcNodeStatus } from "./bootc-node.ts";
import { setReady } from "./node.ts";

export interface BootcAgentOptions {
  /** Returns the image that a node runs initially, pinned by digest. */
  initialImage(node: string): string;
  /** Simulated seconds to stage an image. */
  readonly secondsToStage: number;
  /** Simulated seconds from the start of a reboot until the node is Ready. */
  readonly secondsToReboot: number;
}

/** Simulates bootc-operator's daemon on every node with its label: stages the desired image, and reboots when allowed. */
export interface BootcAgent {
  reconcile(node: string): void;
}

type Sleep = (seconds: number) => Promise<void>;

interface BootcHost {
  images: BootcImages;
  /** The image that is being staged; null if there is none. */
  staging: string | null;
  isDown: boolean;
}

export function createBootcAgent(api: Api, options: BootcAgentOptions, sleep: Sleep): BootcAgent {
  const hosts = new Map<string, BootcHost>();
  // A sleep rejects if the cluster was closed.
  const after = (seconds: number, act: () => void): void => void sleep(seconds).then(act, () => undefined);

  function reconcile(name: string): void {
    const host = hosts.get(name) ?? createHost(options.initialImage(name));
    hosts.set(name, host);
    const request = host.isDown ? null : readRequest(api, name);
    if (request === null) return;
    if (host.staging !== null && !hasSameDigest(host.staging, request.desiredImage)) host.staging = null;
    const activity = bootcAgent(host.images, request);
    writeBootcNodeStatus(api, name, host.images, activity);
    if (activity === "Staging" && host.staging === null) stage(name, host, request.desiredImage);
    if (activity === "Rebooting") reboot(name, host);
  }

  function stage(name: string, host: BootcHost, image: string): void {
    host.staging = image;
    after(options.secondsToStage, () => {
      if (host.staging !== image) return; // cancelled
      host.staging = null;
      host.images = { ...host.images, staged: image };
      reconcile(name);
    });
  }

  function reboot(name: string, host: BootcHost): void {
    host.isDown = true;
    setReady(api, name, false);
    after(options.secondsToReboot, () => {
      host.images = afterReboot(host.images);
      host.isDown = false;
      setReady(api, name, true);
      reconcile(name);
    });
  }

  return { reconcile };
}

function createHost(booted: string): BootcHost {
  return { images: { booted, staged: null, rollback: null }, staging: null, isDown: false };
}
