import { type RealRegistry, startRealRegistry } from "../support/real/real-registry.ts";
import { neverReadyAnnotation } from "../support/control-plane/kubelet/pull.ts";
import { firstVersion, isTrackedByDigest, type Member, trackedTag } from "./fleet.ts";
import { type RegistryProxy, startRegistryProxy } from "./registry-proxy.ts";
import type { Release, Releases } from "./releases.ts";

/** The registry of a run: one repository per workload. */
export interface ChaosRegistry extends Pick<RegistryProxy, "host" | "fail"> {
  readonly releases: Releases;
  /** Pushes the next version of a workload, or the next digest of its tag, and returns it. */
  push(member: Member, isGood: boolean): Promise<Release>;
  close(): Promise<void>;
}

/** Starts a registry with the first version of every workload. */
export async function startChaosRegistry(fleet: readonly Member[]): Promise<ChaosRegistry> {
  const registry = await startRealRegistry();
  const proxy = await startRegistryProxy(registry.url);
  const releases = new Map<string, Release[]>(fleet.map(({ name }) => [name, []]));

  async function push(member: Member, isGood: boolean): Promise<Release> {
    const known = releases.get(member.name) ?? [];
    const number = known.length;
    const tag = number === 0 ? firstVersion : `1.${number}.0${isGood ? "" : "-bad"}`;
    const release = { version: tag, isGood, pushedAt: Date.now() };
    // Before the push: Pawl may apply it at once.
    if (!isTrackedByDigest(member)) known.push(release);
    const pushed = isTrackedByDigest(member)
      ? { ...release, version: `${trackedTag}@${await pushDigest(registry, member, isGood)}` }
      : release;
    if (pushed === release) await registry.pushImage(`chaos/${member.name}`, [tag]);
    else known.push(pushed);
    return pushed;
  }

  for (const member of fleet) await push(member, true);
  return {
    host: proxy.host,
    fail: (mode) => proxy.fail(mode),
    releases,
    push,
    async close() {
      await proxy.close();
      await registry.close();
    },
  };
}

function pushDigest(registry: RealRegistry, { name }: Member, isGood: boolean): Promise<string> {
  const annotations: Record<string, string> = isGood ? {} : { [neverReadyAnnotation]: "true" };
  return registry.push(`chaos/${name}`, trackedTag, { annotations });
}
