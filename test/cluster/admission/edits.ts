import type { DeniedChange } from "./cases.ts";
import type { Workload } from "./samples.ts";

export const restartedAt = "kubectl.kubernetes.io/restartedAt";

type Edit = (workload: Workload) => void;

export const setImage: Edit = ({ spec }) => void (firstContainer(spec).image = "registry.example/shop/app:1.1.0");
export const setRestartedAt: Edit = ({ spec }) =>
  void (spec.template.metadata.annotations = { ...spec.template.metadata.annotations, [restartedAt]: "now" });

/** The part of each message that identifies its rule. */
export const denied = {
  spec: "spec change denied; only the pod template",
  podMetadata: "pod template metadata change denied",
  pod: "pod spec change denied",
  container: "container change denied",
  cronJob: "CronJob change denied",
};

export const allowedToUpdaters: readonly { readonly change: string; readonly edit: Edit }[] = [
  { change: "nothing", edit: () => {} },
  { change: "the image", edit: setImage },
  {
    change: "the images of two containers",
    edit: ({ spec: { template } }) => template.spec.containers.forEach(setOtherImage),
  },
  {
    change: "the image of an init container",
    edit: ({ spec: { template } }) => template.spec.initContainers.forEach(setOtherImage),
  },
  { change: "restartedAt, if it is absent", edit: setRestartedAt },
  {
    change: "imagePullPolicy to Always",
    edit: ({ spec: { template } }) => allContainers(template).forEach(setPullAlways),
  },
  {
    change: "the image to a digest",
    edit: ({ spec: { template } }) =>
      template.spec.containers.forEach((one) => (one.image = `${one.image}@sha256:${"0".repeat(64)}`)),
  },
  { change: "image and annotations in one write", edit: (it) => combine(setImage, describeChange)(it) },
];

export const deniedInWorkloads: readonly DeniedChange<Workload>[] = [
  { change: "minReadySeconds", message: denied.spec, edit: (it) => void (it.spec["minReadySeconds"] = 9) },
  {
    change: "pod labels",
    message: denied.podMetadata,
    edit: (it) => void (it.spec.template.metadata["labels"] = { app: "app", tier: "back" }),
  },
  {
    change: "a pod annotation",
    message: denied.podMetadata,
    edit: (it) => setPodAnnotation(it, "shop.example/config", "2"),
  },
  {
    change: "a pod annotation added",
    message: denied.podMetadata,
    edit: (it) => setPodAnnotation(it, "vault/inject", "true"),
  },
  {
    change: "pod annotations removed",
    message: denied.podMetadata,
    edit: (it) => void delete it.spec.template.metadata.annotations,
  },
  {
    change: "serviceAccountName",
    message: denied.pod,
    edit: (it) => void (it.spec.template.spec["serviceAccountName"] = "root"),
  },
  {
    change: "hostNetwork",
    message: denied.pod,
    edit: (it) => void (it.spec.template.spec["hostNetwork"] = true),
  },
  {
    change: "a volume added",
    message: denied.pod,
    edit: (it) => void (it.spec.template.spec["volumes"] = [{ name: "x", hostPath: { path: "/" } }]),
  },
  {
    change: "init containers removed",
    message: denied.container,
    edit: (it) => void delete (it.spec.template.spec as Partial<typeof it.spec.template.spec>).initContainers,
  },
  {
    change: "an init container added",
    message: denied.container,
    edit: (it) => void it.spec.template.spec.initContainers.push({ name: "miner", image: "x" }),
  },
  {
    change: "the command of an init container",
    message: denied.container,
    edit: (it) => it.spec.template.spec.initContainers.forEach((container) => (container["command"] = ["sh"])),
  },
  {
    change: "imagePullPolicy to Never",
    message: denied.container,
    edit: (it) => it.spec.template.spec.initContainers.forEach((one) => (one["imagePullPolicy"] = "Never")),
  },
  { change: "command", message: denied.container, edit: (it) => void (firstContainer(it.spec)["command"] = ["sh"]) },
  {
    change: "args",
    message: denied.container,
    edit: (it) => void (firstContainer(it.spec)["args"] = ["--listen", "80"]),
  },
  {
    change: "env",
    message: denied.container,
    edit: (it) => void (firstContainer(it.spec)["env"] = [{ name: "MODE", value: "root" }]),
  },
  {
    change: "resources removed",
    message: denied.container,
    edit: (it) => void delete firstContainer(it.spec)["resources"],
  },
  {
    change: "privileged",
    message: denied.container,
    edit: (it) => void (firstContainer(it.spec)["securityContext"] = { privileged: true }),
  },
  {
    change: "a container added",
    message: denied.container,
    edit: (it) => void it.spec.template.spec.containers.push({ name: "miner", image: "x" }),
  },
  {
    change: "a container removed",
    message: denied.container,
    edit: (it) => void it.spec.template.spec.containers.pop(),
  },
  {
    change: "the name of a container",
    message: denied.container,
    edit: (it) => void (firstContainer(it.spec).name = "other"),
  },
  {
    change: "the order of containers",
    message: denied.container,
    edit: (it) => void it.spec.template.spec.containers.reverse(),
  },
  {
    change: "an image and env",
    message: denied.container,
    edit: (it) => combine(setImage, ({ spec: own }) => void (firstContainer(own)["env"] = []))(it),
  },
];

export const deniedInDeployments: readonly DeniedChange<Workload>[] = [
  { change: "replicas", message: denied.spec, edit: (it) => void (it.spec["replicas"] = 0) },
  { change: "strategy removed", message: denied.spec, edit: (it) => void delete it.spec["strategy"] },
  { change: "paused added", message: denied.spec, edit: (it) => void (it.spec["paused"] = true) },
];

function firstContainer({ template }: Workload["spec"]) {
  const [first] = template.spec.containers;
  if (first === undefined) throw new Error("the sample has no container");
  return first;
}

export function setOtherImage(container: { image?: string }): void {
  container.image = `${container.image?.replace(/:[^/]*$/, "")}:9`;
}

export function allContainers({ spec }: Workload["spec"]["template"]) {
  return [...spec.containers, ...spec.initContainers];
}

export function setPullAlways(container: Record<string, unknown>): void {
  container["imagePullPolicy"] = "Always";
}

export function setPodAnnotation({ spec: { template } }: Workload, key: string, value: string): void {
  template.metadata.annotations = { ...template.metadata.annotations, [key]: value };
}

function describeChange({ metadata }: Workload): void {
  metadata.annotations = {
    ...metadata.annotations,
    "pawl.dev/execution": "e-1",
    "pawl.dev/target-image": "registry.example/shop/app:1.1.0",
  };
}

function combine(...edits: readonly Edit[]): Edit {
  return (workload) => edits.forEach((edit) => edit(workload));
}
