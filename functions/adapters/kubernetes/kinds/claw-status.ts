import { emptyBookkeeping } from "../../../domain/bookkeeping.ts";
import { formatRfc3339, parseRfc3339 } from "../../../domain/time.ts";
import type { Bookkeeping } from "../../../domain/workload.ts";

/** `.status.autoUpdate` of a Claw, as k8s4claw's CRD has it. */
export interface AutoUpdateStatus {
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

/** The CRD types every field, so what cannot be read here was never written by a client of it: it counts as absent. */
export function readAutoUpdateStatus(status: AutoUpdateStatus | undefined): Bookkeeping {
  if (status === undefined) return emptyBookkeeping;
  return {
    currentVersion: status.currentVersion || null,
    availableVersion: status.availableVersion || null,
    lastCheck: parseRfc3339(status.lastCheck ?? ""),
    lastUpdate: parseRfc3339(status.lastUpdate ?? ""),
    rollbackCount: status.rollbackCount ?? 0,
    failedVersions: status.failedVersions ?? [],
    circuitOpen: status.circuitOpen ?? false,
    versionHistory: (status.versionHistory ?? []).flatMap(({ version, appliedAt, status: outcome }) => {
      const at = parseRfc3339(appliedAt);
      return at === null ? [] : [{ version, appliedAt: at, status: outcome === "Healthy" ? "Healthy" : "RolledBack" }];
    }),
  };
}

/** Field by field, so that what a later k8s4claw adds to its status stays. null takes a field away. */
export function autoUpdateStatusPatch(bookkeeping: Partial<Bookkeeping>): Record<string, unknown> {
  const { lastCheck, lastUpdate, versionHistory, ...plain } = bookkeeping;
  const time = (date: Date | null) => (date === null ? null : formatRfc3339(date));
  return {
    ...plain,
    ...(lastCheck === undefined ? {} : { lastCheck: time(lastCheck) }),
    ...(lastUpdate === undefined ? {} : { lastUpdate: time(lastUpdate) }),
    ...(versionHistory === undefined
      ? {}
      : { versionHistory: versionHistory.map((entry) => ({ ...entry, appliedAt: formatRfc3339(entry.appliedAt) })) }),
  };
}
