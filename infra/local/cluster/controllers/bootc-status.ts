import { digestOf } from "../../../../functions/domain/node-pool/classify.ts";
import { isFields, type Fields } from "../objects.ts";

/** The images that bootc keeps on a machine, each by digest. */
export interface Images {
  readonly booted: string;
  readonly staged: string | null;
  readonly rollback: string | null;
}

export type Activity = "Idle" | "Staging" | "Staged" | "Rebooting";

const messages: Readonly<Record<Activity, string>> = {
  Idle: "No update is under way",
  Staging: "Pulling the image",
  Staged: "Image staged, awaiting desiredImageState: Booted",
  Rebooting: "Rebooting into the staged image",
};

/**
 * The status of a BootcNode as bootc-operator's daemon writes it: it names no generation that it has seen. A condition that
 * says what it said before keeps its time.
 */
export function bootcStatus(images: Images, activity: Activity, before: Fields, now: string): Fields {
  const message = messages[activity];
  const idle = { type: "Idle", status: activity === "Idle" ? "True" : "False", reason: activity, message };
  const degraded = { type: "Degraded", status: "False", reason: "Healthy", message: "No errors" };
  return {
    booted: entryOf(images.booted),
    staged: images.staged === null ? null : entryOf(images.staged),
    rollback: images.rollback === null ? null : entryOf(images.rollback),
    conditions: [idle, degraded].map((said) => stamped(said, before, now)),
  };
}

function entryOf(image: string): Fields {
  const imageDigest = digestOf(image);
  return { image, imageDigest, architecture: "amd64", softRebootCapable: false, incompatible: false };
}

function stamped(said: Fields, before: Fields, now: string): Fields {
  const conditions = Array.isArray(before["conditions"]) ? before["conditions"].filter(isFields) : [];
  const same = conditions.find(({ type, status }) => type === said["type"] && status === said["status"]);
  return { ...said, lastTransitionTime: same?.["lastTransitionTime"] ?? now };
}
