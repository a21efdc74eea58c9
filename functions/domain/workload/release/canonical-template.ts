import type { TemplateSnapshot } from "./release.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Written by controllers into the template of a revision, and the directive in a ControllerRevision. */
const controllerLabels = new Set(["pod-template-hash", "controller-revision-hash", "pod-template-generation"]);
const ignoredFields = new Set(["$patch", "creationTimestamp"]);

/** Annotations that say what Pawl, kubectl or a controller did. A change of any other is a change of the workload. */
const ignoredAnnotations = [
  "pawl.dev/",
  "kubectl.kubernetes.io/",
  "kubernetes.io/change-cause",
  "deployment.kubernetes.io/",
  "deprecated.daemonset.template.generation",
  "image-updater.eznix86.github.io/",
];

/** The networks of Multus, in any order. */
const networksAnnotation = "k8s.v1.cni.cncf.io/networks";

/** Lists whose order means nothing. All others keep theirs: init containers, env and envFrom count in order. */
const unorderedLists = new Set(["hostAliases", "hostnames", "add", "drop", "imagePullSecrets"]);

/** Empty values of these say the same as none. */
const optionalObjects = new Set(["annotations", "labels", "resources", "limits", "requests", "securityContext"]);

/**
 * Returns the pod template as JSON that is equal for templates that mean the same. In: everything that a pod runs with. Out: the
 * replicas, which no template has, and what Pawl, kubectl and controllers note in it.
 */
export function canonicalTemplate({ metadata = {}, spec }: TemplateSnapshot): string {
  const labels = pick(metadata.labels, (key) => !controllerLabels.has(key));
  const annotations = pick(metadata.annotations, (key) => !ignoredAnnotations.some((prefix) => key.startsWith(prefix)));
  const networks = annotations[networksAnnotation];
  const sorted = networks === undefined ? {} : { [networksAnnotation]: sortList(networks) };
  return JSON.stringify(
    canonical({ metadata: { labels, annotations: { ...annotations, ...sorted } }, spec: spec as unknown as Fields }),
  );
}

/** Returns a value with sorted keys, sorted unordered lists, and without what is empty. */
function canonical(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return unorderedLists.has(field) ? items.toSorted((one, other) => compare(text(one), text(other))) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !ignoredFields.has(key))
    .map(([key, item]) => [key, canonical(item, key)] as const)
    .filter(([key, item]) => !isEmpty(key, item));
  return Object.fromEntries(entries.toSorted(([one], [other]) => compare(one, other)));
}

function isEmpty(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return optionalObjects.has(field) && Object.keys(value).length === 0;
}

function pick(from: Readonly<Record<string, string>> = {}, isKept: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => isKept(key)));
}

/** A list in short form. The long form is JSON, whose order may matter. */
function sortList(networks: string): string {
  if (networks.trimStart().startsWith("[")) return networks;
  return networks
    .split(",")
    .map((one) => one.trim())
    .toSorted(compare)
    .join(",");
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
