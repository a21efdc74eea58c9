import { isDeepStrictEqual } from "node:util";
import type { HookJobSpec } from "../../../ports/cluster.ts";
import { AdmissionDenied } from "../../../ports/errors.ts";
import type { KubernetesApi } from "../api.ts";
import { mapRefusal } from "../errors.ts";
import { type CronJob, hookLabel, type Job, jobs } from "./hook-objects.ts";
import { jobManifest } from "./job-manifest.ts";

/**
 * Reports whether a Job whose uid is not recorded runs what the template says: somebody else may have created it, to decide the update.
 * Without its template nothing proves it.
 */
export async function isHookJob(api: KubernetesApi, job: Job, template: CronJob | null, spec: HookJobSpec) {
  if (template === null || job.metadata.labels?.[hookLabel] !== spec.template) return false;
  const manifest = jobManifest(template, spec);
  const runs = (other: Pick<Job, "spec"> | null) =>
    other !== null &&
    isDeepStrictEqual([job.spec.template.spec, podsOf(job)], [other.spec.template.spec, podsOf(other)]);
  return runs(manifest) || runs(await dryRun(api, template, manifest));
}

/** A Job without completions succeeds at once, without a pod. */
function podsOf({ spec: { completions = 1, parallelism = 1 } }: Pick<Job, "spec">): readonly number[] {
  return [completions, parallelism];
}

/** Returns the Job as webhooks would change it now; null if the cluster refuses to say. */
async function dryRun(
  api: KubernetesApi,
  { metadata: { namespace } }: CronJob,
  manifest: ReturnType<typeof jobManifest>,
): Promise<Job | null> {
  const { name: _name, ...metadata } = manifest.metadata;
  const unnamed = { ...manifest, metadata: { ...metadata, generateName: "pawl-" } };
  try {
    return await mapRefusal(() => api.create<Job>(jobs, namespace, unnamed, { isDryRun: true }));
  } catch (error) {
    if (error instanceof AdmissionDenied) return null;
    throw error;
  }
}
