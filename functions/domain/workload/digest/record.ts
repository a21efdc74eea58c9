import { containerDigests } from "../config/tracking.ts";
import { isSameDigests } from "./digests.ts";
import { pinToDigest, tagOf, versionOf } from "../../image/reference.ts";
import { ranBefore } from "./ran-digests.ts";
import type { ContainerDigest, Digests, DigestTracking, Manifests } from "./tracking.ts";
import type { Change } from "../update/change.ts";
import type { Target } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

const maxPreviousDigests = 10;

type Part<Key extends keyof Change> = Pick<Change, Key>;

/**
 * Records the digests that all pods are about to run and keeps the previous ones, in the same change. A canary's are
 * recorded at its promotion. Repeated, it adds nothing.
 */
export function recordDigests(
  workload: Workload,
  inFlight: InFlight,
  isClaimed: boolean,
  { running = [], manifests = {} }: ObservedStart = {},
): Part<"digests"> {
  const tracking = workload.digests;
  const { phase } = inFlight;
  const digests = containerDigests(inFlight.digests);
  if (digests === null || tracking === null || phase === "canary") return {};
  const isWritten = isClaimed && isSameDigests(tracking.deployed, digests);
  if (isWritten) return { digests: { deployed: digests, reverted: null } };
  // Of another tag nothing is known that a restart could pin.
  const ran = phase === "restart" ? { ran: ranBefore(workload, running) } : {};
  return { digests: { deployed: digests, previous: appendPrevious(tracking), reverted: null, ...ran, manifests } };
}

/** Before the first record, the digests that kubernetes-image-updater recorded are the previous ones. */
function appendPrevious({ previous, deployed, external = {} }: DigestTracking): readonly Digests[] {
  const last = Object.keys(deployed).length === 0 ? external : deployed;
  if (Object.keys(last).length === 0) return previous;
  return [...previous.filter((one) => !isSameDigests(one, last)), last].slice(-maxPreviousDigests);
}

/** What was observed before an update by digest. */
export interface ObservedStart {
  /** What the pods report before it. */
  readonly running?: readonly ContainerDigest[];
  readonly manifests?: Manifests;
}

/** Restores the deployed digests together with the previous tag. */
export function restorePreviousDigests({ digests }: Workload, inFlight: InFlight): Part<"digests"> {
  return digests === null || containerDigests(inFlight.digests) === null
    ? {}
    : { digests: { deployed: digests.previous.at(-1) ?? null } };
}

/**
 * Returns what ready pods ran before the last restart, of the containers that it changed; empty if it is unknown. A digest that is
 * only recorded is not pinned: somebody may have invented it.
 */
export function rollbackPins(workload: Workload): Digests {
  const { containers = [], deployed = {} } = workload.digests ?? {};
  const before = lastHealthyDigests(workload) ?? {};
  const pins = containers.flatMap(({ name }) => {
    const digest = before[name];
    return digest === undefined || digest === deployed[name] ? [] : [[name, digest] as const];
  });
  return Object.fromEntries(pins);
}

/** Reports whether the owner allows that a failed restart for `target` pins the previous digests, and some are known. */
export function hasRollbackPins(workload: Workload, { kind }: Target): boolean {
  const { optIn, rollsBackDigests } = workload.policy;
  return optIn !== "no" && rollsBackDigests && kind === "digest" && Object.keys(rollbackPins(workload)).length > 0;
}

/**
 * Returns the digests that ready pods ran. Before one is recorded, as by the release before, the newest previous ones that were
 * recorded as healthy, or else the newest that have not failed: of a restart that a person superseded nothing is known. If the tag was
 * changed manually since the last success, they belong to another tag.
 */
function lastHealthyDigests({ digests, image: own, updateRecord }: Workload): Digests | undefined {
  const { failedVersions, currentVersion, versionHistory } = updateRecord;
  if (digests === null || (currentVersion !== null && currentVersion !== tagOf(own ?? ""))) return undefined;
  const { containers, previous, ran } = digests;
  if (ran !== undefined) return ran;
  const versionsOf = (before: Digests) =>
    containers.flatMap(({ name, image }) => {
      const digest = before[name];
      return digest === undefined ? [] : [versionOf(pinToDigest(image, digest))];
    });
  const healthy = new Set(versionHistory.filter(({ status }) => status === "Healthy").map(({ version }) => version));
  const candidates = previous.filter((before) => !versionsOf(before).some((one) => failedVersions.includes(one)));
  return candidates.findLast((before) => versionsOf(before).some((one) => healthy.has(one))) ?? candidates.at(-1);
}
