import { before, target } from "../cluster-fixtures.ts";
import type { StepName, Written } from "./steps.ts";

const rest = { "pawl.dev/auto-update": "true" };
const claimed = {
  ...rest,
  "pawl.dev/current-version": "1.0.0",
  "pawl.dev/available-version": "1.1.0",
  "pawl.dev/last-check": "2026-11-20T12:00:00Z",
  "pawl.dev/last-update": "2026-11-20T12:00:00Z",
};
const rolledBack = {
  ...claimed,
  "pawl.dev/rollback-count": "1",
  "pawl.dev/failed-versions": "1.1.0",
  "pawl.dev/version-history": "1.1.0 RolledBack 2026-11-20T12:00:00Z",
};
const claimedNext = {
  "pawl.dev/available-version": "1.2.0",
  "pawl.dev/last-check": "2026-11-20T12:10:00Z",
  "pawl.dev/last-update": "2026-11-20T12:10:00Z",
};

/** The `pawl.dev/` annotations of a Deployment, StatefulSet or DaemonSet after each step. */
export const writtenBuiltIn: Readonly<Record<StepName, Written>> = {
  claim: {
    image: target,
    annotations: {
      ...claimed,
      "pawl.dev/target-image": target,
      "pawl.dev/update-phase": "HealthCheck",
      "pawl.dev/update-started": "2026-11-20T12:00:00Z",
      "pawl.dev/execution": "e-1",
      "pawl.dev/previous-image": before,
    },
  },
  "a success": {
    image: target,
    annotations: {
      ...claimed,
      "pawl.dev/current-version": "1.1.0",
      "pawl.dev/version-history": "1.1.0 Healthy 2026-11-20T12:00:00Z",
    },
  },
  "a revert": {
    image: before,
    annotations: { ...rolledBack, "pawl.dev/execution": "e-1", "pawl.dev/rolling-back": target },
  },
  "a rollback": { image: before, annotations: rolledBack },
  "a second rollback": {
    image: before,
    annotations: {
      ...rolledBack,
      ...claimedNext,
      "pawl.dev/rollback-count": "2",
      "pawl.dev/failed-versions": "1.1.0,1.2.0",
      "pawl.dev/version-history": "1.1.0 RolledBack 2026-11-20T12:00:00Z\n1.2.0 RolledBack 2026-11-20T12:10:00Z",
    },
  },
  "a rollback to what Pawl set before": {
    image: target,
    annotations: {
      ...claimed,
      ...claimedNext,
      "pawl.dev/current-version": "1.1.0",
      "pawl.dev/rollback-count": "1",
      "pawl.dev/failed-versions": "1.2.0",
      "pawl.dev/version-history": "1.1.0 Healthy 2026-11-20T12:00:00Z\n1.2.0 RolledBack 2026-11-20T12:10:00Z",
    },
  },
  "a cancellation": { image: before, annotations: claimed },
  "a reset": {
    image: before,
    annotations: { ...claimed, "pawl.dev/version-history": "1.1.0 RolledBack 2026-11-20T12:00:00Z" },
  },
  "a reported hold": {
    image: before,
    annotations: { ...rest, "pawl.dev/held": "1.2.0 is out of bounds", "pawl.dev/problem": "a typing error" },
  },
  "a cleared hold": { image: before, annotations: rest },
  "a pause": { image: before, annotations: { ...rest, "pawl.dev/paused": "true" } },
  "the end of a pause": { image: before, annotations: rest },
  "a check": {
    image: before,
    annotations: {
      ...rest,
      "pawl.dev/available-version": "1.2.0",
      "pawl.dev/last-check": "2026-11-20T12:10:00Z",
    },
  },
};
