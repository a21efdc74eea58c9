import {
  AppsV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import {
  type ClawLike,
  desiredStatefulSet,
  runtimeImagePatch,
} from "../../../infra/local/kubernetes/controllers/claw-stateful-set.ts";
import { startInformer } from "../control-plane/start-informer.ts";
import { createKeyedQueue } from "../control-plane/kubelet/queue.ts";

type Claw = ClawLike & KubernetesObject;

const claws = { group: "claw.prismer.ai", version: "v1alpha1", resourcePlural: "claws" };

/** The contract of `Cluster` writes the StatefulSets of its Claws itself. */
const withoutOperator = /^contract-/;

/**
 * Simulates the k8s4claw operator on a real cluster: every Claw gets a StatefulSet whose container `runtime` runs the image in
 * `claw.prismer.ai/target-image`, but for namespaces `contract-*`. Call `installCrd(kubeConfig, "claw")` first.
 */
export async function startClawOperator(kubeConfig: KubeConfig): Promise<{ stop(): Promise<void> }> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const enqueue = createKeyedQueue();
  const list = () => custom.listCustomObjectForAllNamespaces(claws) as Promise<KubernetesListObject<Claw>>;
  return startInformer<Claw>(
    kubeConfig,
    `/apis/${claws.group}/${claws.version}/${claws.resourcePlural}`,
    list,
    (claw) => {
      if (withoutOperator.test(claw.metadata.namespace)) return;
      enqueue(claw.metadata.uid, () => reconcile(apps, claw).catch((error: unknown) => report(claw, error)));
    },
  );
}

async function reconcile(apps: AppsV1Api, claw: Claw): Promise<void> {
  const desired = desiredStatefulSet(claw);
  if (!desired) return;
  const { name, namespace, uid } = claw.metadata;
  const found = await apps.readNamespacedStatefulSet({ name, namespace }).catch(ignoreNotFound);
  if (!found) {
    await apps.createNamespacedStatefulSet({ namespace, body: desired });
  } else if (found.metadata?.ownerReferences?.some((owner) => owner.uid === uid)) {
    const [container] = desired.spec.template.spec.containers;
    const body = runtimeImagePatch(container?.image ?? "");
    const merge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
    await apps.patchNamespacedStatefulSet({ name, namespace, body }, merge);
  }
}

function ignoreNotFound(error: { code?: number }): undefined {
  if (error.code !== 404) throw error;
}

/** Logs an error, for example in a terminating namespace; a test that waits for the StatefulSet fails by itself. */
function report(claw: Claw, error: unknown): void {
  process.stderr.write(`claw operator: ${claw.metadata.namespace}/${claw.metadata.name}: ${String(error)}\n`);
}
