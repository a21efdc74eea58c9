import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { parseImageReference } from "../../../../functions/domain/image/reference.ts";
import { type Life, readLife } from "./life.ts";

/** An annotation of a pod or of an image manifest: "true" keeps the pod from becoming ready. */
export const neverReadyAnnotation = "test.pawl.dev/never-ready";

/** A pulled image. */
export interface Pulled {
  /** In the format of the Docker runtime; for an index, the digest of the manifest for the node's platform. */
  readonly imageId: string;
  /** Whether an annotation of the manifest keeps its pods from becoming ready. */
  readonly isBroken: boolean;
  /** How its pods live, if annotations of the manifest say so. */
  readonly life?: Life;
}

interface Manifest {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly manifests?: readonly { readonly digest: string; readonly platform?: { readonly architecture: string } }[];
}

const accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json";

/** Resolves an image at a loopback registry without credentials; otherwise, or without a response, derives a digest from its name. */
export async function pull(image: string): Promise<Pulled> {
  const reference = parseImageReference(image);
  if ("kind" in reference || !reference.registry.startsWith("127.0.0.1:")) return unknown(image);
  const { registry, repository, tag, digest } = reference;
  const url = `http://${registry}/v2/${repository}/manifests/${digest ?? tag ?? "latest"}`;
  const answer = await request(url);
  if (answer === null || !answer.ok) return unknown(image);
  const { annotations, manifests = [] } = (await answer.json()) as Manifest;
  const life = readLife(annotations ?? {});
  const ours = manifests.find(({ platform }) => platform?.architecture === "amd64")?.digest;
  const found = ours ?? answer.headers.get("docker-content-digest") ?? "";
  return {
    imageId: `docker-pullable://${registry}/${repository}@${found}`,
    isBroken: annotations?.[neverReadyAnnotation] === "true",
    ...(life === null ? {} : { life }),
  };
}

/** Repeats what fails on its way, as a kubelet does: a kept connection may end while it is used. null if nobody answers. */
async function request(url: string): Promise<Response | null> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answer = await fetch(url, { headers: { accept } }).catch(() => null);
    if (answer !== null) return answer;
    await setTimeout(20);
  }
  return null;
}

function unknown(image: string): Pulled {
  const digest = createHash("sha256").update(image).digest("hex");
  const imageId = image.includes("@") ? `docker-pullable://${image}` : `docker-pullable://${image}@sha256:${digest}`;
  return { imageId, isBroken: false };
}
