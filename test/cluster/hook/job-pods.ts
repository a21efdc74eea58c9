import { CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions, type V1Pod } from "@kubernetes/client-node";
import { nodeLostAnnotation } from "../../support/control-plane/kubelet/nodes.ts";
import { servedVersion } from "../../support/served-version.ts";
import type { ClusterHarness } from "../harness.ts";

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

/** Creates a CronJob `migrate`, due once a year and suspended, whose pods the kubelet of the tests leaves to the test. */
export async function createHookTemplate(harness: ClusterHarness, image: string, fields: object = {}): Promise<void> {
  const env = [{ name: "TO", value: "$(PAWL_VERSION)" }];
  const container = { name: "migrate", image, command: ["./migrate"], env };
  const jobTemplate = { spec: { template: hookPod([container]) } };
  const spec = { schedule: "0 0 1 1 *", suspend: true, jobTemplate, ...fields };
  const body = { kind: "CronJob", metadata: { name: "migrate" }, spec };
  const at = await cronJobsOf(harness);
  await harness.kubeConfig.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ ...at, body });
}

/** Returns where the server has CronJobs. */
export async function cronJobsOf({ kubeConfig, namespace }: ClusterHarness) {
  const version = await servedVersion(kubeConfig, "batch", "cronjobs");
  return { group: "batch", version, plural: "cronjobs", namespace };
}

/** Returns a pod template of a Job that the kubelet of the tests leaves to the test. */
export function hookPod<Container>(containers: readonly Container[]) {
  return {
    metadata: { annotations: { [nodeLostAnnotation]: "true" } },
    spec: { restartPolicy: "Never", containers: [...containers] },
  };
}

/**
 * Ends the pods of Jobs, as a kubelet would; the Job controller then ends the Jobs. A test that wrote the status of a Job itself
 * would race with the controller, which overwrites all of it.
 * @param exitCode null lets them run
 * @param labels also on the Jobs' pods
 */
export async function endJobPods(
  { kubeConfig, namespace }: Pick<ClusterHarness, "kubeConfig" | "namespace">,
  exitCode: number | null,
  labels = "job-name",
): Promise<void> {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const { items } = await core.listNamespacedPod({ namespace, labelSelector: labels });
  const phase = exitCode === null ? "Running" : exitCode === 0 ? "Succeeded" : "Failed";
  const state = exitCode === null ? { running: {} } : { terminated: { exitCode } };
  for (const { metadata, spec, status } of items as readonly V1Pod[]) {
    if (status?.phase === phase) continue;
    const containerStatuses = spec?.containers.map(({ name, image = "" }) => {
      return { name, image, imageID: "", ready: false, restartCount: 0, state };
    });
    const body = { status: { phase, containerStatuses } };
    await core.patchNamespacedPodStatus({ name: metadata?.name ?? "", namespace, body }, merge);
  }
}
