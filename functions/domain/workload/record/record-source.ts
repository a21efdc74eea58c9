/** The object in which Pawl records the updates of a workload: an AutoUpdate, or the workload itself. */
export interface RecordSource {
  /** Of the AutoUpdate; null before it exists, and if the workload itself has the record. */
  readonly resourceVersion: string | null;
  /**
   * "missing": Pawl creates it. "unavailable": its CRD is not installed, or an AutoUpdate with another target has its
   * name. "changed": its status does not yet say what its current spec does.
   */
  readonly state: "missing" | "unavailable" | "changed" | "observed";
  /** The AutoUpdate exists, and nothing was recorded in it yet. */
  readonly isNew?: true;
  /** Pawl created the AutoUpdate, so it deletes it after the workload opted out. */
  readonly isManaged: boolean;
  /** A backup has restored the AutoUpdate that Pawl created, without the workload as its owner. */
  readonly isOwnerless?: true;
  /** Whose records were found, and are not read: an earlier workload's, or another repository's. Absent if there were none. */
  readonly foreign?: string;
  /** Until when another installation of Pawl holds the claim; null if none does. */
  readonly claimedElsewhereUntil: Date | null;
  /** When another installation may adopt the claim of this one; absent if there is none, or if it never expires. */
  readonly claimExpiresAt?: Date;
}

/** Written to the object, so that each is reported once and visible with kubectl. */
export interface LastReported {
  readonly held: string | null;
  readonly problem: string | null;
}
