import type { ImageReference } from "../../domain/image/reference.ts";
import { withTag } from "../../domain/image/reference.ts";
import type { SignaturePlace } from "../../domain/signature/verification.ts";
import type { ArtifactManifest, Artifacts, Descriptor } from "../../ports/artifacts.ts";
import type { PullLogins } from "../../ports/registry.ts";

/** Content that may be a signature or an attestation. */
export interface Candidate {
  readonly place: SignaturePlace;
  readonly format: "bundle" | "simple signing";
  readonly bytes: Uint8Array;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A candidate that could not be read. */
export interface UnreadCandidate {
  readonly place: SignaturePlace;
  readonly problem: string;
}

/** More candidates than an image has by those who sign it; the others are not read. */
const maxCandidates = 64;

const bundleType = /^application\/vnd\.dev\.sigstore\.bundle(\.v0\.[123])?\+json(;version=0\.[123])?$/;
const simpleSigningType = "application/vnd.dev.cosign.simplesigning.v1+json";

/**
 * Yields what may be a signature of a digest, in the order in which cosign looks: the referrers API; the tag `sha256-<hex>`, where that API is
 * missing or older clients wrote; and the tag `sha256-<hex>.sig`. An entry of an index is judged by its own manifest: indexes written before
 * go-containerregistry 0.22 name no usable artifact type. `checked` receives a line for each place.
 */
export async function* findSignatures(
  { artifacts }: { readonly artifacts: Artifacts },
  image: ImageReference,
  digest: string,
  checked: string[],
  logins: PullLogins = [],
): AsyncGenerator<Candidate | UnreadCandidate> {
  const seen = new Set<string>();
  let count = 0;
  let manifests = 0;
  const base = digest.replace(":", "-");

  async function* read(
    place: SignaturePlace,
    entries: readonly Descriptor[],
  ): AsyncGenerator<Candidate | UnreadCandidate> {
    for (const entry of entries) {
      if (seen.has(entry.digest)) continue;
      seen.add(entry.digest);
      if (count >= maxCandidates || manifests >= maxCandidates) return;
      manifests += 1;
      const manifest = await readable(() => artifacts.fetchManifest(digestReference(image, entry.digest), logins));
      if (typeof manifest === "string") {
        count += 1;
        yield { place, problem: manifest };
      } else if (manifest !== null) yield* readLayers(place, manifest);
    }
  }

  async function* readLayers(
    place: SignaturePlace,
    manifest: ArtifactManifest,
  ): AsyncGenerator<Candidate | UnreadCandidate> {
    for (const layer of manifest.layers) {
      const format = formatOf(layer.mediaType);
      if (format === null || count >= maxCandidates) continue;
      count += 1;
      const bytes = await readable(() => artifacts.fetchBlob(image, layer, logins));
      if (typeof bytes === "string" || bytes === null)
        yield { place, problem: bytes ?? "its content is missing or larger than 1 MiB" };
      else yield { place, format, bytes, annotations: layer.annotations };
    }
  }

  const referrers = await artifacts.listReferrers(image, digest, logins);
  checked.push(`referrers: ${referrers === null ? "no such API" : referrers.length}`);
  if (referrers !== null) yield* read("referrers", referrers);

  const fallback = await artifacts.fetchManifest(withTag(image, base), logins);
  checked.push(`${abbreviate(base)}: ${fallback === null ? "none" : fallback.manifests.length}`);
  if (fallback !== null) yield* read("tag", fallback.manifests);

  const legacy = await artifacts.fetchManifest(withTag(image, `${base}.sig`), logins);
  checked.push(`${abbreviate(base)}.sig: ${legacy === null ? "none" : legacy.layers.length}`);
  if (legacy !== null) yield* readLayers("sig", legacy);
}

function formatOf(mediaType: string): Candidate["format"] | null {
  if (mediaType === simpleSigningType) return "simple signing";
  return bundleType.test(mediaType) ? "bundle" : null;
}

function digestReference(image: ImageReference, digest: string): ImageReference {
  return { ...image, tag: null, digest };
}

/** A caller who may push can store what is invalid: it must not hide the signatures beside it. Other errors say nothing about the image. */
async function readable<Value>(fetch: () => Promise<Value>): Promise<Value | string> {
  try {
    return await fetch();
  } catch (error) {
    if (error instanceof Error && error.name === "RegistryAnswerInvalid") return error.message;
    throw error;
  }
}

function abbreviate(tag: string): string {
  return `${tag.slice(0, "sha256-".length + 12)}…`;
}
