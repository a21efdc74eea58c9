import { toSingleLine } from "../../../domain/text/printable.ts";
import type { HookJob } from "../../../domain/workload/hook/hook.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { Cluster, HookJobSpec } from "../../../ports/cluster.ts";
import { AdmissionDenied } from "../../../ports/errors.ts";
import type { KubernetesApi } from "../api.ts";
import { mapRefusal } from "../errors.ts";
import type { Pod } from "../pod.ts";
import { type CronJob, cronJobs, type Job, jobs } from "./hook-objects.ts";
import { jobManifest, templateProblem } from "./job-manifest.ts";

/** Creates the part of the port that runs the Jobs of hooks. */
export function createHookJobs(api: KubernetesApi): Pick<Cluster, "startHook" | "readHook"> {
  return {
    async startHook({ ref: { namespace } }, spec) {
      const template = await api.get<CronJob>(cronJobs, namespace, spec.template);
      if (template === null) return `CronJob ${namespace}/${spec.template} not found`;
      const problem = templateProblem(template, spec);
      if (problem !== null) return problem;
      try {
        const created = await mapRefusal(() => api.create<Job>(jobs, namespace, jobManifest(template, spec)));
        return created === null ? foreignJobReason(await getJob(api, namespace, spec), spec) : null;
      } catch (error) {
        if (error instanceof AdmissionDenied) return error.message;
        throw error;
      }
    },
    readHook: (workload, spec) => readHook(api, workload, spec),
  };
}

type JobName = Pick<HookJobSpec, "name" | "template">;

const getJob = (api: KubernetesApi, namespace: string, { name }: JobName) => api.get<Job>(jobs, namespace, name);

/** A Job that somebody else created is no result of the hook. */
function foreignJobReason(job: Job | null, { name, template }: JobName): string | null {
  const { ownerReferences = [] } = job?.metadata ?? {};
  const isOwn = ownerReferences.some((owner) => "name" in owner && owner.name === template);
  return job === null || isOwn ? null : `Job ${name} exists and does not belong to CronJob ${template}`;
}

async function readHook(api: KubernetesApi, { ref }: Workload, spec: JobName): Promise<HookJob> {
  const { namespace } = ref;
  const job = await getJob(api, namespace, spec);
  const foreign = foreignJobReason(job, spec);
  if (job === null) return { kind: "missing", reason: `Job ${namespace}/${spec.name} was deleted before it ended` };
  if (foreign !== null) return { kind: "missing", reason: foreign };
  const { conditions = [], failed = 0 } = job.status ?? {};
  const end = conditions.find(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True");
  if (end === undefined) return { kind: "running", createdAt: new Date(job.metadata.creationTimestamp ?? 0) };
  const log = await readLog(api, namespace, spec.name);
  if (end.type === "Complete") return { kind: "succeeded", log };
  const reason = [end.reason, end.message].filter(Boolean).join(": ");
  // A Job whose deadline has passed may have waited for a node.
  return { kind: failed > 0 && end.reason !== "DeadlineExceeded" ? "failed" : "ended", reason, log };
}

const logLines = 20;
const maxLineLength = 200;

/** Reads the end of the log of the last pod: of the container that failed, or else of its first. */
async function readLog(api: KubernetesApi, namespace: string, name: string): Promise<readonly string[]> {
  const found = await api.listPods(namespace, `job-name=${name}`);
  const createdAt = ({ metadata }: Pod) => new Date(metadata.creationTimestamp ?? 0).getTime();
  const pod = found.toSorted((one, other) => createdAt(other) - createdAt(one))[0];
  if (pod === undefined) return [];
  const { containerStatuses = [] } = pod.status ?? {};
  const failed = containerStatuses.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const container = failed?.name ?? pod.spec.containers[0]?.name ?? "";
  const text = await api.readLog(namespace, pod.metadata.name, container, logLines);
  return text
    .trimEnd()
    .split("\n")
    .slice(-logLines)
    .map((line) => toSingleLine(line).slice(0, maxLineLength))
    .filter(Boolean);
}
