import { annotations, imageUpdaterAnnotations } from "../../functions/domain/workload/policy/annotations.ts";
import { createManifest } from "../cluster/manual-changes/manifest.ts";
import { clockAnnotation } from "../support/control-plane/kubelet/pod-clock.ts";
import type { Manifest } from "../support/kubectl/apply.ts";
import { type Kind, kinds } from "../support/kubectl/objects.ts";

/** `digest`: restarts if its tag has another digest. `pin`: and is pinned to the previous one if that fails. */
export type Strategy = "rolling" | "canary" | "digest" | "pin";

/** One workload of a run. Its repository has its name. */
export interface Member {
  readonly kind: Kind;
  readonly name: string;
  readonly strategy: Strategy;
}

export const maxRollbacks = 3;
export const trackedTag = "prod";
export const firstVersion = "1.0.0";

/** The strategies of the workloads of each kind, in turn. A DaemonSet has no canary. */
const strategies: Readonly<Record<Kind, readonly Strategy[]>> = {
  Deployment: ["rolling", "canary", "rolling", "canary", "digest"],
  StatefulSet: ["rolling", "canary", "rolling", "rolling", "pin"],
  DaemonSet: ["rolling", "rolling", "rolling", "rolling", "digest"],
};

export function createFleet(size: number): readonly Member[] {
  return Array.from({ length: size }, (_, index): Member => {
    const kind = kinds[index % kinds.length] as Kind;
    const turn = Math.floor(index / kinds.length);
    const strategy = strategies[kind][turn % strategies[kind].length] as Strategy;
    return { kind, name: `${kind.toLowerCase()}-${turn}`, strategy };
  });
}

export function isTrackedByDigest({ strategy }: Member): boolean {
  return strategy === "digest" || strategy === "pin";
}

/** Returns the manifest; `host` is the registry. The nodes have the clock of Pawl, which runs `speed` times as fast since then. */
export function manifestOf(member: Member, host: string, since: Date, speed: number): Manifest {
  const { kind, name, strategy } = member;
  const tag = isTrackedByDigest(member) ? trackedTag : firstVersion;
  const manifest = createManifest({
    kind,
    name,
    image: `${host}/chaos/${name}:${tag}`,
    annotations: policies[strategy],
  });
  const { template } = manifest.spec;
  const metadata = { ...template.metadata, annotations: { [clockAnnotation]: `${since.toISOString()} ${speed}` } };
  return { ...manifest, spec: { ...manifest.spec, template: { ...template, metadata } } };
}

const timeout = { [annotations.healthTimeout]: "10m", [annotations.maxRollbacks]: String(maxRollbacks) };
const byTag = {
  ...timeout,
  [annotations.autoUpdate]: "true",
  [annotations.versionConstraint]: ">=1.0.0-0",
  [annotations.versioning]: "semver",
};
const byDigest = { ...timeout, [imageUpdaterAnnotations.enabled]: "true" };

const policies: Readonly<Record<Strategy, Readonly<Record<string, string>>>> = {
  rolling: byTag,
  canary: { ...byTag, [annotations.canary]: "1" },
  digest: byDigest,
  pin: { ...byDigest, [annotations.rollbackTo]: "digest" },
};
