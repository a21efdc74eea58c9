import type { BootcNode, CommandInFlight } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { HostImages, ReportedImage } from "../../../../functions/domain/node-pool/agent/agent-report.ts";
import { noon } from "../../../support/workloads.ts";
import { bootcNode, digestA, digestB, imageA, imageB } from "../pools.ts";

/** Returns the output of `bootc status --json --format-version=1` of bootc 1.8; null is a missing image. */
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
  const labels = { version: "9.4", timestamp: "2026-03-20T12:00:00Z", architecture: "amd64" };
  return { image, imageDigest, ...labels, softRebootCapable: true, incompatible: false };
}

export const runsA: HostImages = { booted: reported(imageA), staged: null, rollback: null };
export const hasB: HostImages = { ...runsA, staged: reported(imageB) };
export const runsB: HostImages = { ...runsA, booted: reported(imageB) };

export function command(fields: Partial<CommandInFlight> = {}): CommandInFlight {
  return { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 0, ...fields };
}

/** Returns a node that runs image A, is requested to stage image B, and reports Idle. */
export function desiringB(fields: Partial<BootcNode> = {}): BootcNode {
  return { ...bootcNode, ...fields };
}

/** Has staged image B, and its reboot is approved. */
export const approved: Partial<BootcNode> = {
  stagedDigest: digestB,
  desiredImageState: "Booted",
  idle: { activity: "Staged" },
};
export const rebooting: Partial<BootcNode> = { ...approved, idle: { activity: "Rebooting" } };
export { digestA, digestB };
