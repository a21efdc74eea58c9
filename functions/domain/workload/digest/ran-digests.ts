import { isSameImage, pinToDigest, versionOf } from "../../image/reference.ts";
import { containerDigests } from "../config/tracking.ts";
import type { Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import type { ContainerDigest, Digests } from "./tracking.ts";

/**
 * Returns the digest that the ready pods of each container report. `expected` if one of them is that, and if none can be compared: a
 * runtime that knows only the digest of a configuration is believed to run what was recorded. Nothing of a container whose pods
 * report several others, and of one without ready pods.
 */
function ranDigests(expected: Digests, running: readonly ContainerDigest[]): Digests {
  const ready = running.filter(({ isUnready }) => !isUnready);
  const names = new Set(ready.map(({ container }) => container));
  return withoutUndefined([...names].map((name) => [name, ranBy(expected[name], name, ready)]));
}

function ranBy(expected: string | undefined, name: string, ready: readonly ContainerDigest[]): string | undefined {
  const own = ready.filter(({ container, isConfig }) => container === name && !isConfig);
  const [digest, ...others] = new Set(own.map((one) => one.digest));
  if (digest === undefined || own.some((one) => one.digest === expected)) return expected;
  return others.length === 0 ? digest : undefined;
}

/**
 * Returns what ready pods ran last that has not failed, as they report it before a restart. What somebody recorded, and no pod ran, is
 * not among it: a failed restart must not pin that.
 */
export function ranBefore({ digests, updateRecord }: Workload, running: readonly ContainerDigest[]): Digests {
  const { containers = [], deployed = {}, ran = {} } = digests ?? {};
  const reported = ranDigests(deployed, running);
  const hasFailed = (image: string, digest: string) =>
    updateRecord.failedVersions.includes(versionOf(pinToDigest(image, digest)));
  return withoutUndefined(
    containers.map(({ name, image }) => {
      const digest = reported[name];
      return [name, digest === undefined || hasFailed(image, digest) ? ran[name] : digest];
    }),
  );
}

/** What a success records of its digests, and the target as its pods run it. */
interface RanUpdate {
  readonly digests: Pick<Change, "digests">;
  readonly target: Target;
}

/**
 * Records what the ready pods of a successful update report. If that is neither the digest of the tag nor a manifest of its index, the
 * tag moved before they pulled it: what runs is deployed then. A digest that no pod reports does not become healthy by that.
 */
export function recordRan(workload: Workload, inFlight: InFlight, running: readonly ContainerDigest[]): RanUpdate {
  const tracking = workload.digests;
  const { target, phase } = inFlight;
  const expected = containerDigests(inFlight.digests);
  // A release may have pinned its containers to other digests than those of their tags.
  if (tracking === null || expected === null || phase === "release") return { digests: {}, target };
  // Pods that their owner has frozen keep what ran before.
  const isKept = ({ container, digest }: ContainerDigest) =>
    digest !== expected[container] && tracking.previous.some((before) => before[container] === digest);
  const reported = ranDigests(
    expected,
    running.filter((one) => !isKept(one)),
  );
  const { manifests = {}, ran = {}, pinned = {} } = tracking;
  const deployed = Object.entries(expected).map(([name, digest]) => {
    const found = reported[name] ?? digest;
    const isOfTag = name in pinned || manifests[name]?.includes(found);
    return [name, isOfTag ? digest : found] as const;
  });
  // What ran before an update by tag was of another tag.
  const before = phase === "restart" ? ran : {};
  const known = Object.keys(expected).map((name) => [name, reported[name] ?? before[name]] as const);
  return {
    digests: { digests: { deployed: Object.fromEntries(deployed), ran: withoutUndefined(known), manifests: {} } },
    target: targetThatRan(workload, target, expected, reported),
  };
}

/** Returns the target of a restart with the digest that its pods report. */
function targetThatRan({ digests }: Workload, target: Target, expected: Digests, reported: Digests): Target {
  if (target.kind !== "digest") return target;
  const container = digests?.containers.find(
    ({ name, image }) => expected[name] === target.digest && isSameImage(image, target.image),
  );
  return { ...target, digest: reported[container?.name ?? ""] ?? target.digest };
}

function withoutUndefined(entries: readonly (readonly [string, string | undefined])[]): Digests {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
