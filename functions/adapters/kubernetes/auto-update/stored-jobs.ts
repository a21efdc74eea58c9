import { CrdOutdated } from "../../../ports/errors.ts";
import type { Resource } from "../objects.ts";

interface JobStatus {
  readonly jobUID?: string | null;
}

interface JobsOfStatus {
  readonly hook?: JobStatus | null;
  readonly analysis?: { readonly metrics: readonly JobStatus[] } | null;
}

/** Reports whether the API server has kept a hook and the uids of all Jobs: an older CRD does not know these fields, and drops them. */
export function areJobsStored(sent: JobsOfStatus, stored: JobsOfStatus): boolean {
  const known = new Set(uidsOf(stored));
  const isHookKept = !sent.hook || Boolean(stored.hook);
  return isHookKept && uidsOf(sent).every((uid) => known.has(uid));
}

/** Without its hook an update would be applied at once. Without its uid a Job would never end, or end for another one. */
export function crdOutdated({ plural, group }: Resource): CrdOutdated {
  return new CrdOutdated(
    `CustomResourceDefinition ${plural}.${group}: drops fields of hooks and Jobs, because it is of an older version; ` +
      "run kubectl apply -k infra/cluster/crds",
  );
}

function uidsOf({ hook, analysis }: JobsOfStatus): readonly string[] {
  return [hook, ...(analysis?.metrics ?? [])].flatMap((one) => one?.jobUID ?? []);
}
