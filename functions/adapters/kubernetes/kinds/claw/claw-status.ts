import { emptyUpdateRecord } from "../../../../domain/workload/record/update-record.ts";
import { parseHistoryStatus } from "../../../../domain/workload/record/history.ts";
import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { UpdateRecord } from "../../../../domain/workload/workload.ts";

/** `.status.autoUpdate` of a Claw, as defined by the CRD of k8s4claw. */
export interface ClawUpdateStatus {
  readonly currentVersion?: string;
  readonly availableVersion?: string;
  readonly lastCheck?: string;
  readonly lastUpdate?: string;
  readonly rollbackCount?: number;
  readonly failedVersions?: readonly string[];
  readonly circuitOpen?: boolean;
  readonly versionHistory?: readonly {
    readonly version: string;
    readonly appliedAt: string;
    readonly status: string;
  }[];
}

/** The CRD types every field, so an invalid value was not written by a client of it and counts as absent. */
export function readAutoUpdateStatus(status: ClawUpdateStatus | undefined): UpdateRecord {
  if (status === undefined) return emptyUpdateRecord;
  return {
    currentVersion: status.currentVersion || null,
    minimumVersion: null,
    availableVersion: null,
    candidateVersion: status.availableVersion || null,
    lastCheck: parseRfc3339(status.lastCheck ?? ""),
    lastUpdate: parseRfc3339(status.lastUpdate ?? ""),
    rollbackCount: status.rollbackCount ?? 0,
    failedVersions: status.failedVersions ?? [],
    circuitOpen: status.circuitOpen ?? false,
    versionHistory: (status.versionHistory ?? []).flatMap(({ version, appliedAt, status: outcome }) => {
      const at = parseRfc3339(appliedAt);
      return at === null ? [] : [{ version, appliedAt: at, status: parseHistoryStatus(outcome) }];
    }),
  };
}

/**
 * Patches single fields, so that fields of later versions of k8s4claw are kept. null removes a field. There is none for a version that
 * is held, and one for what is available, which is the version that the policy allows.
 */
export function autoUpdateStatusPatch(updateRecord: Partial<UpdateRecord>): Record<string, unknown> {
  const {
    lastCheck,
    lastUpdate,
    versionHistory,
    minimumVersion: _,
    availableVersion: _newest,
    candidateVersion,
    ...plain
  } = updateRecord;
  const time = (date: Date | null) => (date === null ? null : formatRfc3339(date));
  return {
    ...plain,
    ...(candidateVersion === undefined ? {} : { availableVersion: candidateVersion }),
    ...(lastCheck === undefined ? {} : { lastCheck: time(lastCheck) }),
    ...(lastUpdate === undefined ? {} : { lastUpdate: time(lastUpdate) }),
    ...(versionHistory === undefined
      ? {}
      : {
          versionHistory: versionHistory.map(({ version, appliedAt, status }) => ({
            version,
            status,
            appliedAt: formatRfc3339(appliedAt),
          })),
        }),
  };
}
