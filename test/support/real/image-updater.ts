import { PatchStrategy } from "@kubernetes/client-node";
import { type Kind, type Objects, plurals, type Workload } from "../kubectl/objects.ts";

const prefix = "image-updater.eznix86.github.io";
const lastDigest = `${prefix}/last-digest`;
const finalizer = `${prefix}/finalizer`;

/** Its first release wrote the digest of the first container alone; later ones `name:digest,name:digest`, and read both. */
type Format = "bare" | "map";

interface Tick {
  readonly objects: Objects;
  readonly kind: Kind;
  readonly name: string;
  readonly now: () => Date;
  readonly format?: Format;
}

/**
 * What kubernetes-image-updater does to one workload every five minutes, with the same requests: its framework adds the finalizer,
 * and its timer compares the digests of the tags with those that it recorded.
 * https://github.com/eznix86/kubernetes-image-updater
 */
export async function tickImageUpdater({ objects, kind, name, now, format = "map" }: Tick): Promise<void> {
  const { metadata, spec } = await objects.get<Workload>(plurals[kind], name);
  const { annotations = {}, finalizers = [] } = metadata;
  if (annotations[`${prefix}/enabled`] !== "true") return;
  const patch = (body: object) => objects.patch(plurals[kind], name, PatchStrategy.MergePatch, body);
  if (!finalizers.includes(finalizer)) await patch({ metadata: { finalizers: [...finalizers, finalizer] } });
  const tracked = (annotations[`${prefix}/track-containers`] ?? "").split(",").filter((one) => one !== "");
  const containers = spec.template.spec.containers.filter((one) => tracked.length === 0 || tracked.includes(one.name));
  const digests = new Map(
    await Promise.all(containers.map(async (one) => [one.name, await fetchDigest(one.image)] as const)),
  );
  const recorded = parse(annotations[lastDigest] ?? "", containers[0]?.name ?? "");
  if (formatMap(recorded) === formatMap(digests)) return;
  const written = format === "bare" ? [...digests.values()][0] : formatMap(digests);
  const restartedAt = `${now().toISOString().slice(0, 19)}Z`;
  await patch({
    metadata: { annotations: { [lastDigest]: written } },
    spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": restartedAt } } } },
  });
}

async function fetchDigest(image: string): Promise<string> {
  const [, host, repository, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(image) ?? [];
  const accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
  const response = await fetch(`http://${host}/v2/${repository}/manifests/${tag}`, { headers: { accept } });
  const digest = response.headers.get("docker-content-digest");
  if (!response.ok || digest === null) throw new Error(`${image}: ${response.status} without a digest`);
  return digest;
}

function parse(text: string, firstContainer: string): ReadonlyMap<string, string> {
  if (/^sha\d+:/.test(text)) return new Map([[firstContainer, text]]);
  const entries = text.split(",").filter((entry) => entry !== "");
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf(":")), entry.slice(entry.indexOf(":") + 1)]));
}

function formatMap(digests: ReadonlyMap<string, string>): string {
  return [...digests]
    .map(([name, digest]) => `${name}:${digest}`)
    .toSorted()
    .join(",");
}
