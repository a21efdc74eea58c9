/** What the records of a status are about. */
export interface RecordTarget {
  /** Of the workload. */
  readonly uid: string;
  /** Of the AutoUpdate itself: another one has been restored from a backup, and the workload with it. */
  readonly recordUID: string;
  /** Which is tracked by tag; absent if none is. */
  readonly repository?: string;
}

/** What a workload runs, as it was observed while no update was in flight. */
export interface RunningStatus {
  readonly image: string;
  /** Its tag; its digest if it has none. */
  readonly version: string;
  /** Beside the tag, or what ready pods reported of a tag that is tracked by digest. */
  readonly digest?: string;
}

/** Which images updates have replaced, and which versions were applied again after an owner had set one of them back. */
export interface RevertStatus {
  readonly version: string;
  readonly replaced: readonly string[];
  readonly reapplied: readonly ReappliedStatus[];
}

interface ReappliedStatus {
  readonly version: string;
  readonly image: string;
  readonly at: string;
  readonly owner?: string;
}
