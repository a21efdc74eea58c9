import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import { jobs } from "../resources.ts";
import type { Api } from "../verbs/context.ts";
import { refOf } from "../verbs/context.ts";
import { patch } from "../verbs/update.ts";
import type { KubeletOptions } from "./kubelet.ts";

interface JobSpec {
  readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
}

/**
 * Returns a function that runs a new Job: it ends after the time that pods need to become ready, and fails if one of its images is not
 * healthy. It has no pods.
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
  setStatus(api, job, {
    active: 0,
    ...(isSuccess ? { succeeded: 1, completionTime: now } : { failed: 1 }),
    conditions: [{ ...condition, status: "True", lastTransitionTime: now }],
  });
}

function setStatus(api: Api, job: KubeObject, status: Fields): void {
  if (api.store.get(jobs, job.metadata.namespace ?? "", job.metadata.name)?.metadata.uid !== job.metadata.uid) return;
  patch(api, refOf(jobs, job), "status", { status }, "application/merge-patch+json");
}
