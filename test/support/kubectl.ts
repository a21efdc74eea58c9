import { type KubeConfig, PatchStrategy } from "@kubernetes/client-node";
import { apply, type Manifest, withLastApplied } from "./kubectl/apply.ts";
import { type Kind, openObjects, plurals, type Workload } from "./kubectl/objects.ts";
import { rolloutUndo } from "./kubectl/rollout-undo.ts";

/** The commands of kubectl for one namespace: each sends the requests that kubectl sends. */
export interface Kubectl {
  get(kind: Kind, name: string): Promise<Workload>;
  /** `apply -f` of an object that does not exist. */
  create(manifest: Manifest): Promise<void>;
  apply(manifest: Manifest): Promise<void>;
  replace(manifest: Manifest): Promise<void>;
  delete(kind: Kind, name: string): Promise<void>;
  annotate(kind: Kind, name: string, annotations: Readonly<Record<string, string | null>>): Promise<void>;
  setImage(kind: Kind, name: string, image: string): Promise<void>;
  scale(kind: Kind, name: string, replicas: number): Promise<void>;
  rolloutRestart(kind: Kind, name: string): Promise<void>;
  rolloutUndo(kind: Kind, name: string): Promise<void>;
}

/** `now` is the clock of the person's machine. */
export function createKubectl(kubeConfig: KubeConfig, namespace: string, now: () => Date): Kubectl {
  const objects = openObjects(kubeConfig, namespace);
  const strategic = (kind: Kind, name: string, body: object) =>
    objects.patch(plurals[kind], name, PatchStrategy.StrategicMergePatch, body);
  return {
    get: (kind, name) => objects.get(plurals[kind], name),
    create: (manifest) => objects.create(plurals[manifest.kind], withLastApplied(manifest)),
    apply: (manifest) => apply(objects, manifest),
    /** https://github.com/kubernetes/cli-runtime/blob/master/pkg/resource/helper.go: `Replace` with `overwrite` */
    async replace(manifest) {
      const { kind, metadata } = manifest;
      const { resourceVersion } = (await objects.get<Workload>(plurals[kind], metadata.name)).metadata;
      await objects.replace(plurals[kind], metadata.name, { ...manifest, metadata: { ...metadata, resourceVersion } });
    },
    delete: (kind, name) => objects.delete(plurals[kind], name),
    annotate: (kind, name, annotations) =>
      objects.patch(plurals[kind], name, PatchStrategy.MergePatch, { metadata: { annotations } }),
    /** https://github.com/kubernetes/kubectl/blob/master/pkg/cmd/set/set_image.go */
    async setImage(kind, name, image) {
      const { spec } = await objects.get<Workload>(plurals[kind], name);
      const container = spec.template.spec.containers[0]?.name;
      const order = { "$setElementOrder/containers": [{ name: container }] };
      await strategic(kind, name, {
        spec: { template: { spec: { ...order, containers: [{ name: container, image }] } } },
      });
    },
    /** https://github.com/kubernetes/kubectl/blob/master/pkg/scale/scale.go */
    scale: (kind, name, replicas) => objects.scale(plurals[kind], name, replicas),
    /** https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/objectrestarter.go */
    async rolloutRestart(kind, name) {
      const annotations = { "kubectl.kubernetes.io/restartedAt": `${now().toISOString().slice(0, 19)}Z` };
      await strategic(kind, name, { spec: { template: { metadata: { annotations } } } });
    },
    rolloutUndo: (kind, name) => rolloutUndo(objects, kind, name),
  };
}
