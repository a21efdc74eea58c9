import { circuitGate } from "../../gates/circuit.ts";
import { holdByGate, passGates } from "../../gates/gates.ts";
import { manualChangeGate } from "../../gates/manual-change.ts";
import { type Decision, hold } from "./decision.ts";
import { replaceTag } from "../../image/reference.ts";
import { newerTags } from "../../version/newer-tags.ts";
import { formOf, newestFailedVersion, type OnSteps, selectTag } from "../../version/select-tag.ts";
import { asSetBack, versionToReapply } from "../owner/reverts.ts";
import { tagCandidates, unknownVersionReason } from "./tag-candidates.ts";
import type { Workload } from "../workload.ts";

/** Decides by the tags of `source`, the image that a workload tracks. `onSteps` receives the steps of its expressions. */
export function decideByTag(
  workload: Workload,
  source: string,
  tags: readonly string[],
  now: Date,
  onSteps?: OnSteps,
): Decision {
  if (tags.length === 0) return hold("no-tags", `the registry lists no tags for ${source}`);
  const unknown = unknownVersionReason(workload);
  if (unknown !== null) return hold("unknown-version", unknown);
  const candidates = tagCandidates(workload, tags);
  if ("kind" in candidates)
    return { kind: "problem", problems: [{ field: null, code: "InvalidValue", text: candidates.reason }] };
  const selection = selectTag(candidates, onSteps);
  const found = selection.newest === null ? {} : { available: selection.newest };
  if (selection.kind !== "version") {
    const again = decideReapply(workload, source, tags, now);
    if (again !== null) return { ...again, ...found };
    const held = holdByGate(workload, null, now, manualChangeGate) ?? hold(selection.kind, selection.reason);
    return { ...held, ...found };
  }
  const target = { kind: "image", image: replaceTag(source, selection.tag) } as const;
  return passGates(workload, { kind: "update", target, ...found }, now, circuitGate);
}

/** Applies a version again that was set back, if its policy allows that, and the version as it would be new. null if not. */
function decideReapply(workload: Workload, source: string, tags: readonly string[], now: Date): Decision | null {
  const version = versionToReapply(workload, now);
  if (version === null || !tags.includes(version)) return null;
  const decision = decideByTag(asSetBack(workload, version), source, [version], now);
  return decision.kind === "update" ? decision : null;
}

/** Returns all versions that may be selected, the highest first. */
export function newerVersions(workload: Workload, tags: readonly string[], onSteps?: OnSteps): readonly string[] {
  const candidates = tagCandidates(workload, tags);
  return "kind" in candidates ? [] : newerTags(candidates, onSteps);
}

/** Returns the version that failed and holds everything that is not newer; null if there is none. */
export function newestFailed(workload: Workload): string | null {
  const candidates = tagCandidates(workload, []);
  if ("kind" in candidates) return null;
  return newestFailedVersion(candidates, formOf(candidates))?.original ?? null;
}
