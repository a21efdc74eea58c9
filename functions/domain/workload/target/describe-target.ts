import { imageOfTarget, keepsImages, type Target, versionOfTarget } from "./target.ts";

/** Returns a noun for what an update does: `update to web:1.3.0`, `restart of web:1.2.0`. */
export function describeTarget(target: Target): string {
  const { kind, image } = target;
  if (kind === "image") return `update to ${image}`;
  if (kind === "release") return `rollback to release ${target.number} of ${image}`;
  if (kind === "digest") return `restart for ${imageOfTarget(target)}`;
  return kind === "config" ? `restart of ${image} for its configuration` : `restart of ${image}`;
}

/** The same with an indefinite article. */
export function describeAnyTarget(target: Target): string {
  return `${target.kind === "image" ? "an" : "a"} ${describeTarget(target)}`;
}

/** Returns the name of a target where one of a version is that version: `1.3.0`, `the restart of web:1.2.0`. */
export function nameTarget(target: Target): string {
  return keepsImages(target) ? `the ${describeTarget(target)}` : versionOfTarget(target);
}

/** Says what an update does, or has done: `Updating to web:1.3.0`. */
export function describeAction(target: Target, tense: "present" | "past"): string {
  const { kind, image } = target;
  const end = tense === "present" ? "ing" : "ed";
  if (kind === "image") return `Updat${end} to ${image}`;
  if (kind === "release") return `Roll${end} back to release ${target.number} of ${image}`;
  if (kind === "digest") return `Restart${end} for the new digest: ${imageOfTarget(target)}`;
  return `Restart${end} ${image}${kind === "config" ? " for changed configuration" : ", as requested"}`;
}
