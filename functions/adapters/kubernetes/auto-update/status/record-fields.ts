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
