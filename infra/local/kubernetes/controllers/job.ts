import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import { jobs, pods } from "../resources.ts";
import type { Api } from "../verbs/context.ts";
import { refOf } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { patch } from "../verbs/update.ts";
import type { KubeletOptions } from "./kubelet.ts";

interface JobSpec {
  readonly template: {
    readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  };
}

/**
 * Returns a function that runs a new Job: it ends after the time that pods need to become ready, and fails if one of its images is not
 * healthy. It has no pod until it fails.
 */
export function createJobController(api: Api, options: KubeletOptions): (job: KubeObject) => void {
  return (job) => {
    setStatus(api, job, { startTime: timestamp(api.now()), active: 1 });
    // A sleep rejects if the cluster was closed.
    void options.sleep(options.secondsToReady).then(
      () => end(api, job, options),
      () => undefined,
    );
  };
}

function end(api: Api, job: KubeObject, options: KubeletOptions): void {
  const { containers } = (job["spec"] as JobSpec).template.spec;
  const isSuccess = containers.every(({ image }) => options.health(image, ""));
  const condition = isSuccess
    ? { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" }
    : { type: "Failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  const now = timestamp(api.now());
  if (!isSuccess) createFailedPod(api, job);
  setStatus(api, job, {
    active: 0,
    ...(isSuccess ? { succeeded: 1, completionTime: now } : { failed: 1 }),
    conditions: [{ ...condition, status: "True", lastTransitionTime: now }],
  });
}

function createFailedPod(api: Api, job: KubeObject): void {
  const { name, namespace = "", uid } = job.metadata;
  const { spec } = (job["spec"] as JobSpec).template;
  const labels = { "controller-uid": uid, "job-name": name };
  const pod = create(api, pods, namespace, { metadata: { generateName: `${name}-`, labels }, spec });
  const terminated = { exitCode: 1, reason: "Error" };
  const containerStatuses = spec.containers.map((one) => ({ name: one.name, image: one.image, state: { terminated } }));
  const status = { phase: "Failed", containerStatuses };
  patch(api, refOf(pods, pod), "status", { status }, "application/merge-patch+json");
}

function setStatus(api: Api, job: KubeObject, status: Fields): void {
  if (api.store.get(jobs, job.metadata.namespace ?? "", job.metadata.name)?.metadata.uid !== job.metadata.uid) return;
  patch(api, refOf(jobs, job), "status", { status }, "application/merge-patch+json");
}
