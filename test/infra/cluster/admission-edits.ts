import type { Sample } from "./admission-samples.ts";

export const restartedAt = "kubectl.kubernetes.io/restartedAt";

export type Edit = (workload: Sample) => void;
interface Row {
  readonly what: string;
  readonly edit: Edit;
}

export const setsTheImage: Edit = ({ spec }) => void (app(spec).image = "registry.example/shop/app:1.1.0");
export const restarts: Edit = ({ spec }) =>
  void (spec.template.metadata.annotations = { ...spec.template.metadata.annotations, [restartedAt]: "now" });

const beyond = "Pawl may change nothing of a";

export const allowedToUpdaters: readonly Row[] = [
  { what: "nothing", edit: () => {} },
  { what: "the image", edit: setsTheImage },
  { what: "the images of two containers", edit: ({ spec: { template } }) => template.spec.containers.forEach(pin) },
  {
    what: "an init container's image",
    edit: ({ spec: { template } }) => template.spec.initContainers.forEach(pin),
  },
  { what: "the time of a restart, for the first time", edit: restarts },
  { what: "the pull policy to Always", edit: ({ spec: { template } }) => allContainers(template).forEach(pullAlways) },
  { what: "image, claim and bookkeeping in one", edit: (it) => both(setsTheImage, claims)(it) },
];

export const refusedToAll: readonly (Row & { readonly because: string })[] = [
  { what: "replicas", because: `${beyond} spec`, edit: (it) => void (it.spec["replicas"] = 0) },
  { what: "a selector", because: `${beyond} spec`, edit: (it) => void (it.spec["selector"] = {}) },
  { what: "a strategy taken away", because: `${beyond} spec`, edit: (it) => void delete it.spec["strategy"] },
  { what: "a pause added", because: `${beyond} spec`, edit: (it) => void (it.spec["paused"] = true) },
  { what: "a field beside the template's", because: `${beyond} spec`, edit: (it) => void (it.spec.template["x"] = 1) },
  {
    what: "a label of pods",
    because: `${beyond} pod template's`,
    edit: (it) => void (it.spec.template.metadata["labels"] = {}),
  },
  {
    what: "another annotation of pods",
    because: `${beyond} pod template's`,
    edit: (it) => annotatePods(it, "shop.example/config", "2"),
  },
  {
    what: "a new annotation of pods",
    because: `${beyond} pod template's`,
    edit: (it) => annotatePods(it, "vault/inject", "true"),
  },
  {
    what: "annotations of pods taken away",
    because: `${beyond} pod template's`,
    edit: (it) => void delete it.spec.template.metadata.annotations,
  },
  {
    what: "a service account",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["serviceAccountName"] = "root"),
  },
  {
    what: "the host's network",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["hostNetwork"] = true),
  },
  {
    what: "a volume",
    because: `${beyond} pod but`,
    edit: (it) => void (it.spec.template.spec["volumes"] = [{ name: "x", hostPath: { path: "/" } }]),
  },
  {
    what: "init containers taken away",
    because: `${beyond} container`,
    edit: (it) => void delete (it.spec.template.spec as Partial<typeof it.spec.template.spec>).initContainers,
  },
  {
    what: "an init container added",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.initContainers.push({ name: "miner", image: "x" }),
  },
  {
    what: "an init container's command",
    because: `${beyond} container`,
    edit: (it) => it.spec.template.spec.initContainers.forEach((container) => (container["command"] = ["sh"])),
  },
  ...["Never", "IfNotPresent"].map((policy) => ({
    what: `a pull policy to ${policy}`,
    because: `${beyond} container`,
    edit: (it: Sample) => it.spec.template.spec.initContainers.forEach((one) => (one["imagePullPolicy"] = policy)),
  })),
  {
    what: "a pull policy taken away",
    because: `${beyond} container`,
    edit: (it) => void delete app(it.spec)["imagePullPolicy"],
  },
  { what: "a command", because: `${beyond} container`, edit: (it) => void (app(it.spec)["command"] = ["sh"]) },
  {
    what: "an argument",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["args"] = ["--listen", "80"]),
  },
  {
    what: "a variable",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["env"] = [{ name: "MODE", value: "root" }]),
  },
  { what: "a limit taken away", because: `${beyond} container`, edit: (it) => void delete app(it.spec)["resources"] },
  {
    what: "privileges",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec)["securityContext"] = { privileged: true }),
  },
  { what: "an image taken away", because: `${beyond} container`, edit: (it) => void delete app(it.spec).image },
  {
    what: "a container added",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.push({ name: "miner", image: "x" }),
  },
  {
    what: "a container taken away",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.pop(),
  },
  {
    what: "a container by another name",
    because: `${beyond} container`,
    edit: (it) => void (app(it.spec).name = "other"),
  },
  {
    what: "the order of containers",
    because: `${beyond} container`,
    edit: (it) => void it.spec.template.spec.containers.reverse(),
  },
  {
    what: "an image and a variable",
    because: `${beyond} container`,
    edit: (it) => both(setsTheImage, ({ spec: own }) => void (app(own)["env"] = []))(it),
  },
];

function app({ template }: Sample["spec"]) {
  const [first] = template.spec.containers;
  if (first === undefined) throw new Error("a sample has a container");
  return first;
}

function pin(container: { image?: string }): void {
  container.image = "registry.example/other:9";
}

function allContainers({ spec }: Sample["spec"]["template"]) {
  return [...spec.containers, ...spec.initContainers];
}

function pullAlways(container: Record<string, unknown>): void {
  container["imagePullPolicy"] = "Always";
}

export function annotatePods({ spec: { template } }: Sample, key: string, value: string): void {
  template.metadata.annotations = { ...template.metadata.annotations, [key]: value };
}

function claims({ metadata }: Sample): void {
  metadata.annotations = {
    ...metadata.annotations,
    "pawl.dev/execution": "e-1",
    "pawl.dev/update-phase": "HealthCheck",
  };
}

function both(...edits: readonly Edit[]): Edit {
  return (workload) => edits.forEach((edit) => edit(workload));
}
