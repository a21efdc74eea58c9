import type { Workload } from "../../functions/domain/workload/workload.ts";
import { workload } from "../../test/support/workloads.ts";
import { repositoryName, runningTag } from "../poll/images.ts";

/** Where an attack finds what it abuses. */
export interface Targets {
  /** The registry that honest workloads use too. */
  readonly shared: string;
  /** Hosts that send their answers slowly. */
  readonly slowHosts: readonly string[];
}

interface Attack {
  /** How many of it, from small to large. */
  readonly sizes: readonly [number, number, number];
  readonly workloads: (size: number, targets: Targets) => readonly Workload[];
}

const slowPattern = { versionConstraint: "*-0", tagPattern: String.raw`(?:[\w.-]*a[\w.-]{30}){20}z$` };

/** What the author of one namespace, `greedy`, can do. */
export const attacks = {
  /** Tag patterns that no tag matches, as large as they may be, over all tags of a repository. */
  patterns: {
    sizes: [60, 300, 1000],
    workloads: (size, { shared }) =>
      list(size, (index) => greedy(index, `${shared}/${repositoryName(index % 50)}`, slowPattern)),
  },
  /** Names of registries that no name server answers. */
  names: {
    sizes: [100, 1000, 3000],
    workloads: (size) => list(size, (index) => greedy(index, `lost-${index}.test/app`)),
  },
  /** Registries that send their answers slowly. */
  slow: {
    sizes: [30, 100, 300],
    workloads: (size, { slowHosts }) =>
      list(size, (index) => greedy(index, `${slowHosts[index % slowHosts.length]}/app`)),
  },
  /** Many workloads with one hostile registry. */
  many: {
    sizes: [500, 2000, 5000],
    workloads: (size, { slowHosts }) => list(size, (index) => greedy(index, `${slowHosts[0]}/app-${index}`)),
  },
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof attacks;

function list(size: number, create: (index: number) => Workload): readonly Workload[] {
  return Array.from({ length: size }, (_, index) => create(index));
}

function greedy(index: number, repository: string, policy: Partial<Workload["policy"]> = {}): Workload {
  const name = `app-${index}`;
  const image = `${repository}:${runningTag}`;
  const ref = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: "greedy",
    name,
    uid: `greedy-${name}-${repository}`,
  };
  return workload({ ref, source: image, image, policy: { versionConstraint: "^1", ...policy } });
}
