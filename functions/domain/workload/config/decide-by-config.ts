import { circuitGate } from "../../gates/circuit.ts";
import { holdByGate, isHeldByGate, passGates } from "../../gates/gates.ts";
import { restartsGate } from "../../gates/restarts.ts";
import { withoutDigest } from "../../image/reference.ts";
import { type Decision, type Hold, isUpToDate } from "../decision/decision.ts";
import { changedContainers, isSameDigests } from "../digest/digests.ts";
import type { Digests } from "../digest/tracking.ts";
import { versionOfTarget } from "../target/target.ts";
import type { Workload } from "../workload.ts";
import { observeChange } from "./last-change.ts";
import type { ConfigTracking, ConfigUpdate, ObservedConfig } from "./tracking.ts";

type Noted = Pick<ConfigUpdate, "lastChange">;
type Found = Hold | Extract<Decision, { readonly kind: "update" }>;

/**
 * Decides for a workload that restarts if its configuration changes; `byImage` is the decision about its image, which brings the
 * configuration too. The first configuration that is seen is the baseline. A reference that cannot be resolved delays the restart for
 * the others, whose pods might not start, and nothing else.
 */
export function decideByConfig(workload: Workload, byImage: Found, seen: ObservedConfig, now: Date): Decision {
  const tracking = workload.config;
  if (tracking === undefined) return byImage;
  const changed = changedReferences(tracking, seen.digests);
  const lastChange = observeChange(tracking, seen, changed, now);
  const noted = lastChange === undefined || lastChange === tracking.lastChange ? {} : { lastChange };
  if (byImage.kind === "update") return withConfig(byImage, tracking, seen, noted);
  // The next Job of a CronJob uses the new configuration by itself.
  const isRestarted = changed.length > 0 && workload.rollout?.podsPer !== "job";
  const kept = recordUnchanged(
    tracking,
    seen,
    isRestarted ? changed : [],
    isRestarted || changed.length === 0 ? noted : {},
  );
  const held = kept === null ? byImage : { ...byImage, config: kept };
  if (seen.problems.length > 0) return { kind: "problem", problems: seen.problems, held };
  if (!isRestarted) return held;
  return decideRestart({ ...workload, config: { ...tracking, ...noted } }, held, seen, noted, now);
}

/** Names the configuration that an update starts its pods with. At first sight that is recorded before: it may change meanwhile. */
function withConfig<Update extends { readonly digests?: Digests }>(
  update: Update,
  tracking: ConfigTracking,
  seen: ObservedConfig,
  noted: Noted,
): Update & { readonly config?: ConfigUpdate } {
  const baseline = tracking.salt === null ? recordUnchanged(tracking, seen, [], {}) : null;
  const config = { ...baseline, ...noted };
  const digests = { ...update.digests, ...seen.digests };
  return { ...update, digests, ...(Object.keys(config).length === 0 ? {} : { config }) };
}

/** Returns the references whose content differs from the recorded one. A new reference came with a new pod template. */
export function changedReferences({ deployed }: Pick<ConfigTracking, "deployed">, seen: Digests): readonly string[] {
  return changedContainers(deployed, seen).filter((id) => deployed[id] !== undefined);
}

function decideRestart(
  workload: Workload,
  held: Hold,
  { digest, digests }: ObservedConfig,
  noted: Noted,
  now: Date,
): Decision {
  const target = { kind: "config", image: withoutDigest(workload.image ?? ""), digest } as const;
  const version = versionOfTarget(target);
  if (workload.updateRecord.failedVersions.includes(version))
    return isUpToDate(held) ? { ...held, reason: "newer-failed", detail: `${version} has failed before` } : held;
  const byCircuit = holdByGate(workload, target, now, circuitGate);
  if (byCircuit !== null) return held.reason === byCircuit.reason ? held : { ...held, ...byCircuit };
  const config = Object.keys(noted).length === 0 ? {} : { config: noted };
  const delayed = passGates(workload, { kind: "update", target, digests, ...config }, now, restartsGate);
  if (delayed.kind !== "hold") return delayed;
  const gates = [held, delayed].flatMap((one) => one.gates ?? []);
  return isHeldByGate(held) ? { ...held, gates } : { ...held, ...delayed };
}

/** Returns what to record of everything but `changed`, which a restart records; null if nothing differs. */
function recordUnchanged(
  tracking: ConfigTracking,
  { salt, digests, versions }: ObservedConfig,
  changed: readonly string[],
  noted: Noted,
): ConfigUpdate | null {
  const known = (id: string, now: string) => (changed.includes(id) ? tracking.deployed[id] : now);
  const deployed = mapValues(digests, known);
  const read = mapValues(versions, (id, now) => (changed.includes(id) ? tracking.versions[id] : now));
  const update = {
    ...noted,
    ...(tracking.salt === null ? { salt } : {}),
    ...(isSameDigests(tracking.deployed, deployed) ? {} : { deployed }),
    ...(isSameDigests(tracking.versions, read) ? {} : { versions: read }),
  };
  return Object.keys(update).length === 0 ? null : update;
}

function mapValues(values: Digests, map: (key: string, value: string) => string | undefined): Digests {
  const entries = Object.entries(values).map(([key, value]) => [key, map(key, value)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
