import { KubeConfig } from "@kubernetes/client-node";
import { openObjects, type Objects } from "../support/kubectl/objects.ts";
import { admitsPods } from "../support/control-plane/readiness.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { type ControlPlane, startControlPlane } from "../support/control-plane.ts";
import { installCrd } from "../support/crds/install.ts";
import { createKubectl, type Kubectl } from "../support/kubectl.ts";
import { CoreV1Api } from "@kubernetes/client-node";
import { type Member, manifestOf } from "./fleet.ts";
import { createJournal, type Journal } from "./record/journal.ts";
import { createRecording, type Recording } from "./record/recording.ts";
import { type ChaosRegistry, startChaosRegistry } from "./registry.ts";
import { watchEtcd } from "./record/watch-etcd.ts";

export const namespace = "chaos";

/** Ten minutes, the health timeout, take 30 s. */
export const clockSpeed = 20;

/** What a run disturbs, and what it records. */
export interface World {
  readonly fleet: readonly Member[];
  readonly plane: ControlPlane;
  readonly registry: ChaosRegistry;
  readonly kubectl: Kubectl;
  readonly autoUpdates: Objects;
  readonly recording: Recording;
  readonly journal: Journal;
  close(): Promise<void>;
}

/** Starts the control plane and the registry, and creates the workloads. */
export async function openWorld(fleet: readonly Member[], since: Date): Promise<World> {
  const registry = await startChaosRegistry(fleet);
  const plane = await startControlPlane({ storesJson: true });
  const recording = createRecording(namespace);
  const stopWatch = await watchEtcd(plane.etcd, (write) => recording.add(write));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(plane.kubeconfig);
  await installCrd(kubeConfig, "auto-update");
  const core = kubeConfig.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await eventually(`pods are admitted to ${namespace}`, () => admitsPods(core, namespace));
  const kubectl = createKubectl(kubeConfig, namespace, () => new Date());
  for (const member of fleet) await kubectl.create(manifestOf(member, registry.host, since, clockSpeed));
  return {
    fleet,
    plane,
    registry,
    kubectl,
    autoUpdates: openObjects(kubeConfig, namespace, "pawl.dev", "v1alpha1"),
    recording,
    journal: createJournal(),
    async close() {
      stopWatch();
      await plane.stop();
      await registry.close();
    },
  };
}
