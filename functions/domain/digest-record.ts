import { sameDigests } from "./digests.ts";
import { pinTo, tagOf, versionOf } from "./image-reference.ts";
import type { Digests, DigestTracking, TrackedContainer } from "./tracking.ts";
import type { Change, InFlight, Workload } from "./workload.ts";

const formerLimit = 10;

type Part<Key extends keyof Change> = Pick<Change, Key>;

/**
 * All pods are about to be made of what stands behind the tags now: that is written down in the same change, and what
 * they ran until then is remembered. Of a canary it is written when it is promoted. Repeated, it adds nothing.
 */
export function digestsAtStart(workload: Workload, { digests, phase }: InFlight, isClaimed: boolean): Part<"digests"> {
  const tracking = workload.digests;
  if (digests === null || tracking === null || phase === "canary") return {};
  const isWritten = isClaimed && sameDigests(tracking.last, digests);
  return { digests: { last: digests, ...(isWritten ? {} : { former: left(tracking) }), returning: null } };
}

function left({ former, last }: DigestTracking): readonly Digests[] {
  if (Object.keys(last).length === 0) return former;
  return [...former.filter((one) => !sameDigests(one, last)), last].slice(-formerLimit);
}

/** The tag goes back, and with it what is known to stand behind it. */
export function formerDigests({ digests }: Workload, inFlight: InFlight): Part<"digests"> {
  return digests === null || inFlight.digests === null ? {} : { digests: { last: digests.former.at(-1) ?? null } };
}

/** The containers that its last restart brought to something new, at what they ran before; none where that is not known. */
export function pinsOf(workload: Workload): Digests {
  const { containers = [], last = {} } = workload.digests ?? {};
  const before = lastGood(workload) ?? {};
  const pins = containers.flatMap(({ name }) => {
    const digest = before[name];
    return digest === undefined || digest === last[name] ? [] : [[name, digest] as const];
  });
  return Object.fromEntries(pins);
}

/**
 * The newest that it ran before and that was not given up: two restarts in a row may have failed. Where its tag was changed by
 * hand since it was last found good, what it ran before stood behind another tag.
 */
function lastGood({ digests, image: own, bookkeeping }: Workload): Digests | undefined {
  const { failedVersions, currentVersion } = bookkeeping;
  if (currentVersion !== null && currentVersion !== tagOf(own ?? "")) return undefined;
  const hasFailed = ({ name, image }: TrackedContainer, before: Digests) =>
    before[name] !== undefined && failedVersions.includes(versionOf(pinTo(image, before[name])));
  return digests?.former.findLast((before) => !digests.containers.some((one) => hasFailed(one, before)));
}
