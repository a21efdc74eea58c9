import { imageTarget } from "../../support/workloads.ts";
import type {
  AutoUpdateStatus,
  HistoryStatusEntry,
} from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Fact, Observed, PodFact, WorkloadFact } from "../record/facts.ts";
import type { Member } from "../fleet.ts";
import type { Story } from "./violation.ts";
import type { Release } from "../releases.ts";

/** One write: an object, and what is stored of it. */
export type Write = readonly [object: string, fact: Fact];

export const image = (version: string) => `registry/chaos/web:${version}`;

/** The pod template of a Deployment with one replica. */
export function workload(version: string, by: "Pawl" | "person", parts: Partial<WorkloadFact> = {}): Write {
  const fact = {
    kind: "workload",
    image: image(version),
    isImageByPawl: by === "Pawl",
    restartedAt: null,
    isRestartByPawl: false,
    replicas: 1,
    isScaledByPawl: false,
    partition: 0,
  } as const;
  return ["deployments/web", { ...fact, ...parts }];
}

export function record(status: AutoUpdateStatus): Write {
  return ["autoupdates/deployment-web", { kind: "record", status }];
}

export function pod(name: string, version: string, isReady: boolean): Write {
  return [`pods/${name}`, { ...podOf(version), isReady, failure: isReady ? null : "own" }];
}

/** A pod that is ready, and has exited, or failed for another reason than its version. */
export function troubledPod(name: string, version: string, parts: Partial<PodFact>): Write {
  return [`pods/${name}`, { ...podOf(version), ...parts }];
}

function podOf(version: string): PodFact {
  const healthy = { isReady: true, isTerminating: false, isEvicted: false, failure: null, exitedAt: null };
  return { kind: "pod", image: image(version), ...healthy };
}

export function gone(name: string): Write {
  return [`pods/${name}`, { kind: "gone" }];
}

type Update = NonNullable<AutoUpdateStatus["update"]>;

/** An update in flight from one version to another. */
export function update(
  phase: Update["phase"],
  from: string,
  to: string,
  strategy: Update["strategy"] = "Rolling",
): Update {
  const claim = { holder: "local:1", execution: "x", expiresAt: "", targetUID: "", targetGeneration: 1 };
  return {
    ...claim,
    phase,
    strategy,
    startedAt: `start of ${to}`,
    previousImage: image(from),
    target: imageTarget(image(to)),
  };
}

export function entry(version: string, result: string): HistoryStatusEntry {
  return { version, result, startedAt: `start of ${version}`, finishedAt: `end of ${version}` };
}

/** Returns the story of these writes, one second apart. Versions that end in `-bad` are bad. */
export function story(writes: readonly Write[], versions: readonly string[], parts: Partial<Member> = {}): Story {
  const member: Member = { kind: "Deployment", name: "web", strategy: "rolling", ...parts };
  const facts = writes.map(([object, fact], index): Observed => {
    return { at: index * 1000, revision: index + 1, object, workload: "web", fact };
  });
  const current = new Map<string, Fact>();
  for (const [object, fact] of writes) {
    current.set(object, fact);
    if (fact.kind === "gone") current.delete(object);
  }
  const releases = versions.map((version): Release => ({
    version,
    isGood: !version.endsWith("-bad"),
    pushedAt: 0,
  }));
  return { member, facts, current, releases: new Map([["web", releases]]), outages: [] };
}
