import { isDeepStrictEqual } from "node:util";
import type { AgentReport, HostImages, ReportedImage } from "../../../domain/node-pool/agent/agent-report.ts";
import { type ObjectCondition, setConditions } from "../conditions.ts";
import type { RawNodeStatus } from "./bootc-node-object.ts";

/** Creates the merge patch of a status; null if nothing changes. */
export function createReportPatch(report: AgentReport, before: RawNodeStatus = {}, now: Date): object | null {
  const { activity, error, observedGeneration } = report;
  const present = (before.conditions ?? []) as readonly ObjectCondition[];
  const idle = { type: "Idle", status: activity === null ? "True" : "False", reason: activity ?? "Idle", message: "" };
  const degraded = {
    type: "Degraded",
    status: error === null ? "False" : "True",
    reason: error === null ? "Healthy" : "Error",
    message: error ?? "",
  };
  const conditions = setConditions(present, [idle, degraded], observedGeneration, now);
  const images = report.images === null ? {} : createImagesPatch(report.images, before);
  const isUnchanged =
    Object.keys(images).length === 0 &&
    before.observedGeneration === observedGeneration &&
    isDeepStrictEqual(conditions, present);
  return isUnchanged ? null : { ...images, observedGeneration, conditions };
}

function createImagesPatch({ booted, staged, rollback }: HostImages, before: RawNodeStatus): object {
  return {
    ...createImagePatch("booted", booted, before),
    ...createImagePatch("staged", staged, before),
    ...createImagePatch("rollback", rollback, before),
  };
}

/** Returns {} if nothing changes. Fields that the previous image had and this one has not are removed. */
function createImagePatch(key: keyof HostImages, image: ReportedImage | null, before: RawNodeStatus): object {
  const present = before[key] ?? {};
  if (image === null) return before[key] ? { [key]: null } : {};
  const fields = Object.fromEntries(Object.entries(image).filter(([, value]) => value !== null));
  if (isDeepStrictEqual(fields, present)) return {};
  const removed = Object.fromEntries(Object.keys(present).map((field) => [field, null]));
  return { [key]: { ...removed, ...fields } };
}
