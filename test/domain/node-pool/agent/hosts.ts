import type { CommandInFlight, HostImages, ReportedImage } from "../../../../functions/domain/node-pool/report.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/types.ts";
import { noon } from "../../../support/workloads.ts";
import { bootcNode, digestA, digestB, imageA, imageB } from "../pools.ts";

/** `bootc status --json --format-version=1` of bootc 1.8, as its schema has it; `null` for what a host has not. */
export function statusOutput(
  booted: string | null,
  staged: string | null = null,
  rollback: string | null = null,
): string {
  const status = { staged: entry(staged), booted: entry(booted), rollback: entry(rollback), rollbackQueued: false };
  const host = { apiVersion: "org.containers.bootc/v1", kind: "BootcHost", metadata: { name: "host" } };
  const spec = { image: { image: staged ?? booted, transport: "registry" }, bootOrder: "default" };
  return JSON.stringify({ ...host, spec, status: { ...status, type: "bootcHost" } });
}

function entry(image: string | null) {
  if (image === null) return null;
  const [, imageDigest] = image.split("@");
  return {
    image: {
      image: { image, transport: "registry" },
      version: "9.4",
      timestamp: "2026-03-20T12:00:00Z",
      imageDigest,
      architecture: "amd64",
    },
    cachedUpdate: null,
    incompatible: false,
    pinned: false,
    softRebootCapable: true,
    downloadOnly: false,
    store: "ostreeContainer",
    ostree: { checksum: "3c6dad", deploySerial: 0, stateroot: "default" },
  };
}

export function reported(image: string, imageDigest = image.split("@")[1] ?? ""): ReportedImage {
  const about = { version: "9.4", timestamp: "2026-03-20T12:00:00Z", architecture: "amd64" };
  return { image, imageDigest, ...about, softRebootCapable: true, incompatible: false };
}

export const runsA: HostImages = { booted: reported(imageA), staged: null, rollback: null };
export const hasB: HostImages = { ...runsA, staged: reported(imageB) };
export const runsB: HostImages = { ...runsA, booted: reported(imageB) };

export function command(of: Partial<CommandInFlight> = {}): CommandInFlight {
  return { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 0, ...of };
}

/** Runs image A, is asked for image B, and says that it is idle. */
export function asked(of: Partial<BootcNode> = {}): BootcNode {
  return { ...bootcNode, ...of };
}

/** Has staged image B and may reboot into it. */
export const approved: Partial<BootcNode> = {
  stagedDigest: digestB,
  desiredImageState: "Booted",
  idle: { activity: "Staged" },
};
export const rebooting: Partial<BootcNode> = { ...approved, idle: { activity: "Rebooting" } };
export { digestA, digestB };
