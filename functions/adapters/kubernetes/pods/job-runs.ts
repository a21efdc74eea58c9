import type { JobRun } from "../../../domain/workload/cron-job/job-run.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import { type Job, jobs } from "../hooks/hook-objects.ts";
import { endOf, hasFailedByItself, podsOfJob } from "../hooks/hook-pods.ts";
import { primaryContainer } from "../kinds/pod-template/container.ts";
import { evidenceOf, hasCrashed } from "./pod.ts";

/** Lists the Jobs that a CronJob owns, with the pods of those that failed during its update. No label names their CronJob. */
export async function listJobRuns(
  { ref, rawPolicy, inFlight }: Pick<Workload, "ref" | "rawPolicy" | "inFlight">,
  api: KubernetesApi,
): Promise<readonly JobRun[]> {
  const own: Job[] = [];
  for await (const { items } of api.list<Job>(jobs, ref.namespace, () => "full"))
    own.push(...items.filter((job) => isOwnedBy(job, ref.uid)));
  const since = inFlight === null || inFlight.startedAt === "malformed" ? null : inFlight.startedAt;
  return Promise.all(
    own.map(async (job): Promise<JobRun> => {
      const { name, creationTimestamp = 0 } = job.metadata;
      const createdAt = new Date(creationTimestamp);
      const image = primaryContainer({ ...job, rawPolicy })?.image ?? null;
      const end = endOf(job);
      const run = { name, createdAt, image, reason: "", isByItself: false, evidence: [] };
      if (end?.type !== "Failed") return { ...run, result: end === undefined ? "running" : "succeeded" };
      const pods = since !== null && createdAt >= since ? await podsOfJob(api, ref.namespace, job) : [];
      return {
        ...run,
        result: "failed",
        reason: [end.reason, end.message].filter(Boolean).join(": "),
        isByItself: hasFailedByItself(job, end.reason, pods),
        evidence: pods.filter(hasCrashed).map(evidenceOf),
      };
    }),
  );
}

function isOwnedBy({ metadata: { ownerReferences = [] } }: Job, owner: string): boolean {
  return ownerReferences.some(({ uid, controller }) => uid === owner && controller === true);
}
