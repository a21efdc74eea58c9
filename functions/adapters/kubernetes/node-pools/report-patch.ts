import { isDeepStrictEqual } from "node:util";
import type { AgentReport, HostImages, ReportedImage } from "../../../domain/node-pool/report.ts";
import { type ObjectCondition, withConditions } from "../conditions.ts";
import type { WrittenNodeStatus } from "./bootc-node-object.ts";

/** The status that an agent would write, as a merge patch; null where it stands there already. */
export function reportPatch(report: AgentReport, before: WrittenNodeStatus = {}, now: Date): object | null {
  const { activity, error, observedGeneration } = report;
  const present = (before.conditions ?? []) as readonly ObjectCondition[];
  const idle = { type: "Idle", status: activity === null ? "True" : "False", reason: activity ?? "Idle", message: "" };
  const degraded = {
    type: "Degraded",
    status: error === null ? "False" : "True",
    reason: error === null ? "Healthy" : "Error",
    message: error ?? "",
  };
  const conditions = withConditions(present, [idle, degraded], observedGeneration, now);
  const images = report.images === null ? {} : imagesPatch(report.images, before);
  const isSaid =
    Object.keys(images).length === 0 &&
    before.observedGeneration === observedGeneration &&
    isDeepStrictEqual(conditions, present);
  return isSaid ? null : { ...images, observedGeneration, conditions };
}

function imagesPatch({ booted, staged, rollback }: HostImages, before: WrittenNodeStatus): object {
  return {
    ...imagePatch("booted", booted, before),
    ...imagePatch("staged", staged, before),
    ...imagePatch("rollback", rollback, before),
  };
}

/** Nothing where it stands there already. What a daemon said of another image before goes with that image. */
function imagePatch(key: keyof HostImages, image: ReportedImage | null, before: WrittenNodeStatus): object {
  const present = before[key] ?? {};
  if (image === null) return before[key] ? { [key]: null } : {};
  const said = Object.fromEntries(Object.entries(image).filter(([, value]) => value !== null));
  if (isDeepStrictEqual(said, present)) return {};
  const gone = Object.fromEntries(Object.keys(present).map((field) => [field, null]));
  return { [key]: { ...gone, ...said } };
}
