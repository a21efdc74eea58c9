import type { Bookkeeping } from "./workload.ts";

/**
 * Whether pods that never became ready may still stand: a restart that fails leaves them, because made anew they would be the
 * same. An update to another image takes its own away when it is rolled back.
 */
export function leftPodsBehind({ versionHistory }: Bookkeeping): boolean {
  const last = versionHistory.at(-1);
  return last?.status === "RolledBack" && last.version.includes("@");
}
