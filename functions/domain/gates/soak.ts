import { tagOf } from "../image/reference.ts";
import type { HistoryEntry, Workload } from "../workload/workload.ts";

/** A time in which a workload was healthy with one version. */
export interface Soak {
  readonly version: string;
  /** null if it is not recorded. */
  readonly digest: string | null;
  readonly healthySince: Date;
  /** null if it lasts. */
  readonly healthyUntil: Date | null;
}

type Running = Omit<Soak, "healthyUntil">;

/**
 * Returns the times in which a workload was healthy, by its history: from the end of an update to the begin of the next, if that replaced its
 * image. Otherwise a person had replaced it, nobody knows when. After a rollback, the time of the version before begins again.
 */
export function soaksOf({ updateRecord, inFlight, image }: Workload): readonly Soak[] {
  const soaks: Soak[] = [];
  let running: Running | null = null;
  for (const entry of updateRecord.versionHistory) {
    if (running !== null && !isReplacedBy(entry, running)) running = null;
    const isSameImage: boolean = entry.kind === "config" || entry.kind === "restart";
    if (running !== null && isSameImage && entry.status === "Healthy") continue;
    if (running !== null) soaks.push({ ...running, healthyUntil: entry.appliedAt });
    running = runningAfter(entry, running);
  }
  if (running === null || image === null || !isImageOf(image, running)) return soaks;
  if (inFlight?.startedAt === "malformed") return soaks;
  return [...soaks, { ...running, healthyUntil: inFlight?.startedAt ?? null }];
}

/** Reports whether an update found the image that ran. A restart has no other. */
function isReplacedBy({ kind, image, previousImage }: HistoryEntry, running: Running): boolean {
  const isRestart = kind === "config" || kind === "restart" || kind === "digest";
  const replaced = isRestart ? image : previousImage;
  return replaced !== undefined && isImageOf(replaced, running);
}

/** Repositories do not count: a webhook may write that of a mirror. */
function isImageOf(image: string, { version, digest }: Running): boolean {
  const [name = "", found = digest] = image.split("@");
  return tagOf(name) === version && (digest === null || found === digest);
}

function runningAfter({ status, image, version, finishedAt }: HistoryEntry, before: Running | null): Running | null {
  if (finishedAt === undefined || status === "RollbackFailed" || status === "Superseded") return null;
  if (status !== "Healthy") return before === null ? null : { ...before, healthySince: finishedAt };
  const [name = "", digest = null] = image?.split("@") ?? [];
  return { version: image === undefined ? version : tagOf(name), digest, healthySince: finishedAt };
}
