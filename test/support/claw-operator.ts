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
} from "../../infra/local/cluster/controllers/claw-stateful-set.ts";
import { follow } from "./control-plane/follow.ts";
import { queueByKey } from "./control-plane/kubelet/queue.ts";

type Claw = ClawLike & KubernetesObject;

const claws = { group: "claw.prismer.ai", version: "v1alpha1", resourcePlural: "claws" };

/**
 * Stands in for the operator of k8s4claw on a real cluster: every Claw gets its StatefulSet, whose container `runtime`
 * runs what `claw.prismer.ai/target-image` says. `installCrd(kubeConfig, "claw")` comes before it.
 */
export async function startClawOperator(kubeConfig: KubeConfig): Promise<{ stop(): Promise<void> }> {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const enqueue = queueByKey();
  const list = () => custom.listCustomObjectForAllNamespaces(claws) as Promise<KubernetesListObject<Claw>>;
  return follow<Claw>(kubeConfig, `/apis/${claws.group}/${claws.version}/${claws.resourcePlural}`, list, (claw) => {
    enqueue(claw.metadata.uid, () => reconcile(apps, claw).catch((error: unknown) => report(claw, error)));
  });
}

async function reconcile(apps: AppsV1Api, claw: Claw): Promise<void> {
  const desired = desiredStatefulSet(claw);
  if (!desired) return;
  const { name, namespace, uid } = claw.metadata;
  const found = await apps.readNamespacedStatefulSet({ name, namespace }).catch(ifAbsent);
  if (!found) {
    await apps.createNamespacedStatefulSet({ namespace, body: desired });
  } else if (found.metadata?.ownerReferences?.some((owner) => owner.uid === uid)) {
    const [container] = desired.spec.template.spec.containers;
    const body = runtimeImagePatch(container?.image ?? "");
    const merge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
    await apps.patchNamespacedStatefulSet({ name, namespace, body }, merge);
  }
}

function ifAbsent(error: { code?: number }): undefined {
  if (error.code !== 404) throw error;
}

/** The namespace of a Claw may be on its way out; a test that waits for the set says what it waits for. */
function report(claw: Claw, error: unknown): void {
  process.stderr.write(`claw operator: ${claw.metadata.namespace}/${claw.metadata.name}: ${String(error)}\n`);
}
