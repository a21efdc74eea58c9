import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { GitWrite } from "../../../../domain/workload/git/git-write.ts";
import type { GitStatus } from "./status-fields.ts";

/** Returns where an update writes its image as a status has it. */
export function toGitStatus({ since, syncedAt, ...git }: GitWrite): GitStatus {
  const synced = syncedAt === undefined ? {} : { syncedAt: formatRfc3339(syncedAt) };
  return { ...git, since: formatRfc3339(since), ...synced };
}

/** Reads it. An update without a valid time began to wait when it was claimed. */
export function fromGitStatus(status: GitStatus | undefined, startedAt: Date): { readonly git?: GitWrite } {
  if (status === undefined) return {};
  const { since, syncedAt, ...git } = status;
  const synced = parseRfc3339(syncedAt ?? "");
  return { git: { ...git, since: parseRfc3339(since) ?? startedAt, ...(synced === null ? {} : { syncedAt: synced }) } };
}
