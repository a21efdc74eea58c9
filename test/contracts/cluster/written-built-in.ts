import { expect } from "vitest";
import { before, target, updateTarget } from "../cluster-fixtures.ts";
import { next, type StepName, type Written } from "./steps.ts";

const noon = "2026-11-20T12:00:00Z";
const later = "2026-11-20T12:10:00Z";
const rest = { "pawl.dev/auto-update": "true" };

/** The annotations of a workload that Pawl changed to an image. */
function changed(image: string, cause: string, execution = "e-1") {
  return {
    ...rest,
    "pawl.dev/execution": execution,
    "pawl.dev/target-image": image,
    "kubernetes.io/change-cause": `pawl: ${cause}`,
  };
}

const revertedTo = (version: string, execution?: string) =>
  changed(version === "1.0.0" ? before : target, `roll back to ${version}`, execution);

type Fields = readonly [type: string, status: string, reason: string, message: unknown];

function conditions(...all: readonly Fields[]) {
  const common = { observedGeneration: 1, lastTransitionTime: noon };
  return {
    observedGeneration: 1,
    conditions: all.map(([type, status, reason, message]) => ({ type, status, reason, message, ...common })),
  };
}

function state(name: string, reason: string, message: string, ...others: readonly Fields[]) {
  const isReady = others.length === 0;
  return {
    state: name,
    reason,
    message,
    ...conditions(["Ready", isReady ? "True" : "False", reason, message], ...others),
  };
}

const updated = (version: string) => state("UpToDate", "Updated", `${version} is healthy`);
const rolledBack = (version: string) =>
  state("Behind", "NewerVersionFailed", `${version} was rolled back: not ready in 10m`);
const unknown = state("NotEvaluated", "AwaitsPoll", "the next poll evaluates it");
const busy = (name: string, reason: string, message: string) =>
  state(name, reason, message, ["Reconciling", "True", reason, message]);

const update = {
  phase: "Applied",
  strategy: "Rolling",
  holder: "pawl",
  execution: "e-1",
  expiresAt: "2026-11-20T12:25:00Z",
  target: updateTarget,
  previousImage: before,
  targetUID: expect.any(String) as string,
  targetGeneration: expect.any(Number) as number,
  targetRevision: expect.any(Number) as number,
  startedAt: noon,
  containers: { app: before },
  template: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
};
const claimed = { currentVersion: "1.0.0", candidateVersion: "1.1.0", lastCheckTime: noon, lastUpdateTime: noon };
const claimedNext = { ...claimed, candidateVersion: "1.2.0", lastCheckTime: later, lastUpdateTime: later };
const healthy = {
  version: "1.1.0",
  kind: "image",
  image: target,
  previousImage: before,
  startedAt: noon,
  finishedAt: later,
  result: "Healthy",
  execution: "e-1",
};
const failed = { ...healthy, result: "RolledBack", reason: "not ready in 10m" };
const failedNext = { ...failed, version: "1.2.0", image: next, startedAt: later, execution: "e-2" };
const counted = { ...claimed, rollbackCount: 1, circuitOpen: false, failedVersions: ["1.1.0"], history: [failed] };

/** The annotations of a Deployment, StatefulSet or DaemonSet, and the status of its AutoUpdate, after each step. */
export const writtenBuiltIn: Readonly<Record<StepName, Written>> = {
  claim: {
    image: target,
    annotations: changed(target, "update to 1.1.0"),
    status: { ...busy("Updating", "Updating", "updating to 1.1.0"), ...claimed, update },
  },
  "a success": {
    image: target,
    annotations: changed(target, "update to 1.1.0"),
    status: {
      ...updated("1.1.0"),
      ...claimed,
      currentVersion: "1.1.0",
      currentImage: target,
      rollbackCount: 0,
      circuitOpen: false,
      history: [healthy],
    },
  },
  "a revert": {
    image: before,
    annotations: revertedTo("1.0.0"),
    status: {
      ...busy("RollingBack", "RollingBack", "rolling back 1.1.0: not ready in 10m"),
      ...claimed,
      update: {
        ...update,
        phase: "RollingBack",
        revertedAt: later,
        suspect: { reason: "not ready in 10m", execution: "e-1" },
      },
    },
  },
  "a rollback": { image: before, annotations: revertedTo("1.0.0"), status: { ...rolledBack("1.1.0"), ...counted } },
  "a second rollback": {
    image: before,
    annotations: revertedTo("1.0.0", "e-2"),
    status: {
      ...rolledBack("1.2.0"),
      ...claimedNext,
      rollbackCount: 2,
      circuitOpen: false,
      failedVersions: ["1.1.0", "1.2.0"],
      history: [failed, failedNext],
    },
  },
  "a rollback to what Pawl set before": {
    image: target,
    annotations: revertedTo("1.1.0", "e-2"),
    status: {
      ...rolledBack("1.2.0"),
      ...claimedNext,
      currentVersion: "1.1.0",
      currentImage: target,
      rollbackCount: 1,
      circuitOpen: false,
      failedVersions: ["1.2.0"],
      history: [healthy, { ...failedNext, previousImage: target }],
    },
  },
  "a cancellation": { image: before, annotations: revertedTo("1.0.0"), status: { ...unknown, ...claimed } },
  "a reset": {
    image: before,
    annotations: revertedTo("1.0.0"),
    status: {
      ...rolledBack("1.1.0"),
      ...claimed,
      rollbackCount: 0,
      circuitOpen: false,
      failedVersions: [],
      history: [failed],
    },
  },
  "a reported hold": {
    image: before,
    annotations: rest,
    status: {
      ...state("Stalled", "InvalidConfiguration", "a typing error", [
        "Stalled",
        "True",
        "InvalidConfiguration",
        "a typing error",
      ]),
      holdReason: "1.2.0 is out of bounds",
    },
  },
  "a cleared hold": { image: before, annotations: rest, status: unknown },
  "a pause": { image: before, annotations: { ...rest, "pawl.dev/paused": "true" } },
  "the end of a pause": { image: before, annotations: rest },
  "a check": {
    image: before,
    annotations: rest,
    status: { ...unknown, candidateVersion: "1.2.0", lastCheckTime: later },
  },
};
