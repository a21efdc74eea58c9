import { parseImageReference } from "../image/reference.ts";
import { summarizeList } from "../text/summarize-list.ts";
import { type Target, versionOfTarget } from "../workload/target/target.ts";
import type { HistoryEntry, Workload } from "../workload/workload.ts";
import { fullName } from "./after-policy.ts";
import type { Gate } from "./gate.ts";
import type { HaltSettings } from "./limits/limit-settings.ts";
import { repositoryOf } from "./limits/start-facts.ts";

const defaultHaltAfter = 2;

/** In how many namespaces a version must fail before it is held in others: no tenant holds up another. */
const minNamespaces = 2;

interface Failure {
  readonly namespace: string;
  readonly name: string;
  /** null if it is not known. */
  readonly digest: string | null;
  /** It is tried again: it counts until that succeeds, if the version is a failure elsewhere. */
  readonly isRetried: boolean;
  readonly at: Date | null;
}

interface Outcomes {
  readonly failures: Failure[];
  /** When workloads succeeded with a version that had failed in them, by namespace. */
  readonly recoveries: { readonly namespace: string; readonly at: Date }[];
}

const noOutcomes: Outcomes = { failures: [], recoveries: [] };

/** What has become of each version of a repository. */
export type OutcomesElsewhere = ReadonlyMap<string, Outcomes>;

/** Collects what has failed among workloads. */
export function collectOutcomes(workloads: Iterable<Workload>): OutcomesElsewhere {
  const outcomes = new Map<string, Outcomes>();
  for (const workload of workloads) {
    const { source, image, updateRecord } = workload;
    const { failedVersions, versionHistory } = updateRecord;
    const rolledBack = versionHistory.filter(({ status }) => status === "RolledBack").map(({ version }) => version);
    for (const version of new Set([...failedVersions, ...rolledBack])) {
      const key = keyOf(source ?? image ?? "", version);
      const found = outcomes.get(key) ?? { failures: [], recoveries: [] };
      outcomes.set(key, found);
      addOutcome(found, workload, version);
    }
  }
  return outcomes;
}

function addOutcome(outcomes: Outcomes, { ref, updateRecord }: Workload, version: string): void {
  const { failedVersions, versionHistory } = updateRecord;
  const last = versionHistory.findLast((entry) => entry.version === version && isVerdict(entry));
  const { namespace } = ref;
  const isFailed = failedVersions.includes(version);
  if (!isFailed && last?.status === "Healthy") outcomes.recoveries.push({ namespace, at: timeOf(last) });
  else
    outcomes.failures.push({
      namespace,
      name: nameOf(ref),
      digest: digestIn(last?.image ?? ""),
      isRetried: !isFailed,
      at: last === undefined ? null : timeOf(last),
    });
}

function nameOf({ kind, name }: Pick<Workload["ref"], "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}

function isVerdict({ status }: HistoryEntry): boolean {
  return status === "RolledBack" || status === "Healthy";
}

function timeOf({ finishedAt, appliedAt }: HistoryEntry): Date {
  return finishedAt ?? appliedAt;
}

/** Returns the gate of a version that has failed in other workloads. By its digest, if both are known: a tag may have moved since. */
export function createHaltGate(outcomes: OutcomesElsewhere, settings: HaltSettings = {}): Gate {
  const { haltAfter = defaultHaltAfter, haltScope = "namespace" } = settings;
  return {
    name: "haltedElsewhere",
    hold: "halted",
    isEvaluatedAgain: false,
    hasFacts: true,
    evaluate({ ref }, target) {
      const { namespace } = ref;
      if (target === null) return null;
      const version = versionOfTarget(target);
      const all = countingFailures(outcomes.get(keyOf(target.image, version)), target);
      // What has failed in a workload is a target of it again only after a retry.
      const own = all.filter((one) => one.namespace === namespace);
      if (own.some((one) => one.name === nameOf(ref))) return null;
      const namespaces = new Set(all.map((one) => one.namespace)).size;
      const isByCluster = haltScope !== "namespace" && namespaces >= minNamespaces && all.length >= haltAfter;
      if (own.length < haltAfter && !isByCluster) return null;
      // A poll reads workloads in any order, and a message that differs is written again. Names of other namespaces are not shown.
      const names = own.map(({ name }) => name).toSorted();
      const where = isByCluster
        ? `${all.length} workloads of ${namespaces} namespaces`
        : `${own.length} workloads of the namespace`;
      return {
        reason: "HaltedElsewhere",
        message: `${version} has failed in ${where}${names.length === 0 ? "" : `: ${summarizeList(names).join(", ")}`}`,
        liftedBy: names.length === 0 ? "pawl retry of one that has failed" : `pawl retry of ${names[0]}`,
      };
    },
  };
}

/** The workload of the same name in other clusters, by cluster: null if there is none, a text says why it is not known. */
export type SameElsewhere = ReadonlyMap<string, Workload | string | null>;

/** Returns the gate of a version that has failed in the workload of the same name in another cluster. One that does not answer closes it. */
export function createDeploymentHaltGate(same: SameElsewhere): Gate {
  return {
    name: "haltedElsewhere",
    hold: "halted",
    isEvaluatedAgain: false,
    hasFacts: true,
    evaluate(own, target) {
      if (target === null) return null;
      const { ref } = own;
      const version = versionOfTarget(target);
      const name = fullName(ref);
      // What has failed in a workload is a target of it again only after a retry.
      if (outcomesOf(own, target).failures.length > 0) return null;
      for (const [cluster, found] of same) {
        if (found === null) continue;
        if (typeof found === "string") {
          const message = `whether ${version} has failed in cluster ${cluster} is not known: ${found}`;
          return { reason: "HaltedElsewhere", message, liftedBy: "pawl push, or once that cluster answers" };
        }
        if (countingFailures(outcomesOf(found, target), target).length === 0) continue;
        const message = `${version} has failed in ${name} of cluster ${cluster}`;
        return { reason: "HaltedElsewhere", message, liftedBy: `pawl retry of ${name} in cluster ${cluster}` };
      }
      return null;
    },
  };
}

/** Returns what has become of a target in one workload. In another repository, such as that of a mirror, only the same digest counts. */
function outcomesOf(workload: Workload, target: Target): Outcomes {
  const { source, image } = workload;
  const outcomes = collectOutcomes([{ ...workload, source: target.image }]);
  const { failures, recoveries } = outcomes.get(keyOf(target.image, versionOfTarget(target))) ?? noOutcomes;
  const isSameRepository = repositoryOf(source ?? image ?? "") === repositoryOf(target.image);
  const counts = ({ digest }: Failure) => isSameRepository || (digest !== null && digest === digestOf(target));
  return { failures: failures.filter(counts), recoveries };
}

function digestOf(target: Target): string | null {
  return target.kind === "image" ? (target.digest ?? null) : null;
}

/** Returns the failures of a target that still count: those since a workload recovered, and retries only beside another failure. */
function countingFailures(outcomes: Outcomes | undefined, target: Target): readonly Failure[] {
  if (outcomes === undefined) return [];
  const digest = digestOf(target);
  const counting = outcomes.failures.filter(
    (one) =>
      (digest === null || one.digest === null || one.digest === digest) &&
      !outcomes.recoveries.some(({ namespace, at }) => namespace === one.namespace && (one.at ?? at) <= at),
  );
  return counting.every(({ isRetried }) => isRetried) ? [] : counting;
}

function digestIn(image: string): string | null {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? null : (parsed.digest ?? null);
}

function keyOf(image: string, version: string): string {
  return `${repositoryOf(image)} ${version}`;
}
