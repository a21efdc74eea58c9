import { target } from "../../cluster-fixtures.ts";
import type { StepName, Written } from "../steps.ts";

const noon = "2026-11-20T12:00:00Z";
const later = "2026-11-20T12:10:00Z";
const claimed = { availableVersion: "1.1.0", lastCheck: noon, lastUpdate: noon };
const claimedNext = { availableVersion: "1.2.0", lastCheck: later, lastUpdate: later };
const healthy = { version: "1.1.0", appliedAt: noon, status: "Healthy" };
const failed = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };
const failedNext = { version: "1.2.0", appliedAt: later, status: "RolledBack" };
const closed = { rollbackCount: 0, circuitOpen: false };
const rolledBack = {
  ...claimed,
  rollbackCount: 1,
  circuitOpen: false,
  failedVersions: ["1.1.0"],
  versionHistory: [failed],
};

/** The annotations of k8s4claw and Pawl, and `.status.autoUpdate`, of a Claw after each step. */
export const writtenClaw: Readonly<Record<StepName, Written>> = {
  claim: {
    image: target,
    annotations: {
      "claw.prismer.ai/target-image": target,
      "claw.prismer.ai/update-phase": "HealthCheck",
      "claw.prismer.ai/update-started": noon,
      "pawl.dev/execution": "e-1",
    },
    status: claimed,
  },
  "a success": {
    image: target,
    annotations: { "claw.prismer.ai/target-image": target },
    status: { ...claimed, ...closed, currentVersion: "1.1.0", versionHistory: [healthy] },
  },
  "a revert": {
    image: "",
    annotations: { "pawl.dev/execution": "e-1", "pawl.dev/rolling-back": target },
    status: rolledBack,
  },
  "a rollback": { image: "", annotations: {}, status: rolledBack },
  "a second rollback": {
    image: "",
    annotations: {},
    status: {
      ...claimedNext,
      rollbackCount: 2,
      circuitOpen: false,
      failedVersions: ["1.1.0", "1.2.0"],
      versionHistory: [failed, failedNext],
    },
  },
  "a rollback to what Pawl set before": {
    image: target,
    annotations: { "claw.prismer.ai/target-image": target },
    status: {
      ...claimedNext,
      currentVersion: "1.1.0",
      rollbackCount: 1,
      circuitOpen: false,
      failedVersions: ["1.2.0"],
      versionHistory: [healthy, failedNext],
    },
  },
  "a cancellation": { image: "", annotations: {}, status: claimed },
  "a reset": { image: "", annotations: {}, status: { ...rolledBack, ...closed, failedVersions: [] } },
  "a reported hold": { image: "", annotations: {} },
  "a cleared hold": { image: "", annotations: {} },
  "a pause": { image: "", annotations: { "pawl.dev/paused": "true" } },
  "the end of a pause": { image: "", annotations: {} },
  "a check": { image: "", annotations: {}, status: { availableVersion: "1.2.0", lastCheck: later } },
};
