import type { HookJob } from "../../../domain/workload/hook/hook.ts";
import type { Cluster, HookJobSpec, HookStart } from "../../../ports/cluster.ts";
import { AdmissionDenied } from "../../../ports/errors.ts";
import type { KubernetesApi } from "../api.ts";
import { isForbidden, mapRefusal } from "../errors.ts";
import { type CronJob, cronJobs, hookLabel, type Job, jobs, olderCronJobs } from "./hook-objects.ts";
import { isHookJob } from "./is-hook-job.ts";
import { jobManifest, templateProblem } from "./job-manifest.ts";
import { endOf, hasFailed, hasFailedByItself, podsOfJob, progressOf, readLog } from "./hook-pods.ts";

/** Creates the part of the port that runs the Jobs of hooks and metrics. `hasMetrics`: whether an analysis may have Jobs. */
export function createHookJobs(
  api: KubernetesApi,
  hasMetrics = true,
): Pick<Cluster, "jobProblem" | "startHook" | "readHook" | "stopHook"> {
  return {
    async jobProblem({ ref: { namespace } }, spec) {
      if (!hasMetrics)
        return `CronJob ${namespace}/${spec.template}: a Job as metric needs jobMetrics: true in the configuration of Pawl`;
      const template = await getTemplate(api, namespace, spec);
      return template === null ? notFound(namespace, spec) : templateProblem(template, spec);
    },
    startHook: ({ ref }, spec) => startHook(api, ref.namespace, spec),
    readHook: ({ ref }, spec) => readHook(api, ref.namespace, spec),
    async stopHook({ ref: { namespace } }, spec) {
      const job = await getJob(api, namespace, spec);
      if (job !== null && job.metadata.uid === spec.uid) await api.delete(jobs, job.metadata);
    },
  };
}

type JobName = Pick<HookJobSpec, "name" | "uid">;

const getJob = (api: KubernetesApi, namespace: string, { name }: Pick<JobName, "name">) =>
  api.get<Job>(jobs, namespace, name);

const started = ({ metadata: { uid } }: Job): HookStart => ({ kind: "started", uid });

const refused = (reason: string): HookStart => ({ kind: "refused", reason });

/** Looks for the Job first: its CronJob may have been edited or deleted since it was created. */
async function startHook(api: KubernetesApi, namespace: string, spec: HookJobSpec): Promise<HookStart> {
  const existing = await getJob(api, namespace, spec);
  const template =
    existing !== null && existing.metadata.uid === spec.uid ? null : await getTemplate(api, namespace, spec);
  if (existing !== null) return assessExisting(api, existing, template, spec);
  // A Job that was deleted is not created again: what it did is not known.
  if (spec.uid !== null) return refused(`Job ${namespace}/${spec.name} was deleted before it ended`);
  if (template === null) return refused(notFound(namespace, spec));
  const problem = templateProblem(template, spec);
  if (problem !== null) return refused(problem);
  const account = await missingAccount(api, template);
  if (account !== null) return refused(account);
  const other = await forbiddingJob(api, template);
  if (other !== null)
    return { kind: "waiting", reason: `waits until Job ${other} has ended: concurrencyPolicy Forbid` };
  try {
    const manifest = jobManifest(template, spec);
    const created = await mapRefusal(() => api.create<Job>(jobs, namespace, manifest));
    const job = created ?? (await getJob(api, namespace, spec));
    if (job === null) return refused(`Job ${namespace}/${spec.name} was deleted before it ended`);
    return created === null ? assessExisting(api, job, template, spec) : started(job);
  } catch (error) {
    if (error instanceof AdmissionDenied) return refused(error.message);
    throw error;
  }
}

type TemplateName = Pick<HookJobSpec, "template">;

const notFound = (namespace: string, { template }: TemplateName) => `CronJob ${namespace}/${template} not found`;

async function getTemplate(api: KubernetesApi, namespace: string, spec: TemplateName): Promise<CronJob | null> {
  const found = await api.get<CronJob>(cronJobs, namespace, spec.template);
  return found ?? api.get<CronJob>(olderCronJobs, namespace, spec.template);
}

async function assessExisting(
  api: KubernetesApi,
  job: Job,
  template: CronJob | null,
  spec: HookJobSpec,
): Promise<HookStart> {
  const { uid, name } = job.metadata;
  if (spec.uid === uid) return started(job);
  if (spec.uid !== null) return refused(`Job ${name} was deleted, and another one has its name`);
  if (await isHookJob(api, job, template, spec)) return started(job);
  return refused(
    template === null
      ? `CronJob ${spec.template} was deleted before its Job ${name} was recorded`
      : `Job ${name} exists and is not that of CronJob ${spec.template}; delete it`,
  );
}

/** Returns why the Job would have no pods: its ServiceAccount does not exist; null if it does, or if that must not be read. */
async function missingAccount(api: KubernetesApi, { metadata, spec }: CronJob): Promise<string | null> {
  const { name, namespace } = metadata;
  const { serviceAccountName: account = "default" } = spec.jobTemplate.spec.template.spec;
  if (account === "default") return null;
  const isThere = await api.exists("ServiceAccount", namespace, account).catch((error: unknown) => {
    if (isForbidden(error)) return true;
    throw error;
  });
  return isThere
    ? null
    : `CronJob ${namespace}/${name} has the ServiceAccount ${account}, which does not exist; create it`;
}

/** Returns the name of another Job of a CronJob, if that forbids two at a time; null if the next one may begin. */
async function forbiddingJob(api: KubernetesApi, { metadata, spec }: CronJob): Promise<string | null> {
  if (spec.concurrencyPolicy !== "Forbid") return null;
  const all = await api.listSelected<Job>(jobs, metadata.namespace, `${hookLabel}=${metadata.name}`);
  return all.find((job) => endOf(job) === undefined)?.metadata.name ?? null;
}

async function readHook(api: KubernetesApi, namespace: string, spec: JobName): Promise<HookJob> {
  const job = await getJob(api, namespace, spec);
  if (job === null || (spec.uid !== null && job.metadata.uid !== spec.uid))
    return { kind: "missing", reason: `Job ${namespace}/${spec.name} was deleted before it ended` };
  const { uid, creationTimestamp = 0 } = job.metadata;
  const end = endOf(job);
  if (end?.type === "Complete") return { kind: "succeeded" };
  const pods = await podsOfJob(api, namespace, job);
  if (end === undefined) {
    const progress = progressOf(pods);
    const failedLog = progress.kind === "failed" ? await readLog(api, namespace, pods.filter(hasFailed)) : [];
    return { kind: "running", uid, createdAt: new Date(creationTimestamp), progress: { ...progress, log: failedLog } };
  }
  const log = await readLog(api, namespace, pods);
  const reason = [end.reason, end.message].filter(Boolean).join(": ");
  return { kind: hasFailedByItself(job, end.reason, pods) ? "failed" : "ended", reason, log };
}
