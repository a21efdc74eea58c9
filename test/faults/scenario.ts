import type { Outage } from "./world/outage.ts";

/** What a scenario's objects refer to. */
export interface Surroundings {
  /** `127.0.0.1:port` */
  readonly registry: string;
  /** A URL. */
  readonly prometheus: string;
  /** `127.0.0.1:port` of the registry whose images must be signed; empty if there is none. */
  readonly signed: string;
}

/** The cluster and its registry, for a person. */
export interface ClusterAccess {
  /** A URL. */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly registry: string;
  digestOf(image: string): string | null;
}

/** How a workload ends if nothing fails besides Pawl's calls. */
export interface WorkloadEnd {
  /** The tag that it runs. */
  readonly tag: string;
  /** The versions that were observed failing. */
  readonly blamed: readonly string[];
  readonly circuitOpen: boolean;
  /** How often its pod template is changed. */
  readonly changes: number;
  /** What the update is recorded as. */
  readonly result: "Healthy" | "RolledBack" | "Withdrawn";
  /** The attempts whose pods fail, blamed or not; one for each version that is blamed by default. */
  readonly failures?: number;
  /** The versions that must not run without an update in progress; those that are blamed by default. */
  readonly bad?: readonly string[];
  /** Whether its pods do not become ready. */
  readonly isUnready?: boolean;
  /** What its history has of updates with a verdict; absent: `result`. */
  readonly history?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly repositories: Readonly<Record<string, readonly string[]>>;
  /** What the scenario is about, beside the bystander. */
  readonly objects: (around: Surroundings) => readonly object[];
  /** What a person does before the first poll, with what is known of the objects only once they exist. */
  readonly prepare?: (cluster: ClusterAccess) => Promise<void>;
  /** The resource of the workload `web`; null if the scenario is about a node pool. */
  readonly plural: "deployments" | "statefulsets" | null;
  /** The end of `web`. */
  readonly end: WorkloadEnd;
  /** The end if a fault lasts longer than the deadline of the first update. */
  readonly lateEnd?: WorkloadEnd;
  /** The call after which the process is killed, so that another one adopts the update; absent for none. */
  readonly killedAfter?: string;
  /** Whether there is a registry whose images must be signed. */
  readonly isSigned?: true;
  /** The file that names the image of `web` in git, from which a controller applies it; absent if Pawl patches it. */
  readonly manifest?: (around: Surroundings) => string;
  /** What Prometheus returns for every query; 0 by default. */
  readonly measurement?: number;
  /** A change calendar of the deployment, which is open. */
  readonly changeCalendar?: string;
  /** What the pods of `web` need besides their image. */
  readonly outage?: Outage;
  /** How long `web` is scaled to 0, soon after a pod of its update has started; never by default. */
  readonly parkedSeconds?: number;
  /** How often its update is withdrawn without a fault; 0 by default. */
  readonly withdrawals?: number;
}
