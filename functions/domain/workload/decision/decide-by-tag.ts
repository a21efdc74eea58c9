import { circuitGate } from "../../gates/circuit.ts";
import { holdByGate, passGates } from "../../gates/gates.ts";
import { manualChangeGate } from "../../gates/manual-change.ts";
import { type Decision, hold } from "./decision.ts";
import { replaceTag } from "../../image/reference.ts";
import { formOf, newestFailedVersion, selectTag } from "../../version/select-tag.ts";
import { tagCandidates, unknownVersionReason } from "./tag-candidates.ts";
import type { Workload } from "../workload.ts";

/** Decides by the tags of `source`, the image that a workload tracks. `onSteps` receives the steps of its expressions. */
export function decideByTag(
  workload: Workload,
  source: string,
  tags: readonly string[],
  now: Date,
  onSteps?: (steps: number) => void,
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
    const held = holdByGate(workload, null, now, manualChangeGate) ?? hold(selection.kind, selection.reason);
    return { ...held, ...found };
  }
  const target = { kind: "image", image: replaceTag(source, selection.tag) } as const;
  return passGates(workload, { kind: "update", target, ...found }, now, circuitGate);
}

/** Returns the version that failed and holds everything that is not newer; null if there is none. */
export function newestFailed(workload: Workload): string | null {
  const candidates = tagCandidates(workload, []);
  if ("kind" in candidates) return null;
  return newestFailedVersion(candidates, formOf(candidates))?.original ?? null;
}
