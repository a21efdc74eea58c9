/** An image that is written to git in place of the workload: its controller brings it there. */
export interface GitWrite {
  /** Its name in the configuration of the deployment. */
  readonly repository: string;
  /** Since when the update, or its rollback, waits for the workload. */
  readonly since: Date;
  /** The commit whose files were first seen with the image; absent before. */
  readonly commit?: string;
  /** Its page, or that of the pull request that has it, also before there is a commit. Absent if another process made the commit. */
  readonly url?: string;
  /** When the workload had the image; absent before. */
  readonly syncedAt?: Date;
}
