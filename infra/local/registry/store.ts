import { createHash } from "node:crypto";

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  image: "application/vnd.oci.image.manifest.v1+json",
};

export interface StoredManifest {
  readonly mediaType: string;
  readonly digest: string;
  readonly body: string;
}

/** Repositories in memory: tags point to manifests, and every pushed manifest is available by digest too. */
export interface RegistryStore {
  /** Returns the tags in lexical order, as in the OCI distribution API; null if there is no such repository. */
  tags(repository: string): readonly string[] | null;
  /** Returns a manifest by tag or digest; null if there is none. */
  manifest(repository: string, reference: string): StoredManifest | null;
  push(repository: string, tag: string, digest?: string): void;
  /** Points the tag to a new index of two images. Returns the digests of the index and the images. */
  rebuild(repository: string, tag: string): readonly string[];
  remove(repository: string, tag: string): void;
}

interface Repository {
  readonly tags: Map<string, StoredManifest>;
  readonly manifests: Map<string, StoredManifest>;
}

export function createRegistryStore(contents: Readonly<Record<string, readonly string[]>>): RegistryStore {
  const repositories = new Map<string, Repository>();

  let buildCount = 0;

  function push(repository: string, tag: string, digest?: string): void {
    const pushed = createIndex(`${repository}:${tag}`, []);
    put(repository, tag, { ...pushed, digest: digest ?? pushed.digest });
  }

  function rebuild(repository: string, tag: string): readonly string[] {
    buildCount += 1;
    const images = ["amd64", "arm64"].map((architecture) => createImage(architecture, buildCount));
    const index = createIndex(`${repository}:${tag}`, images);
    const { manifests } = put(repository, tag, index);
    for (const image of images) manifests.set(image.digest, image);
    return [index, ...images].map(({ digest }) => digest);
  }

  function put(repository: string, tag: string, pushed: StoredManifest): Repository {
    const found = repositories.get(repository) ?? { tags: new Map(), manifests: new Map() };
    repositories.set(repository, found);
    found.tags.set(tag, pushed);
    found.manifests.set(pushed.digest, pushed);
    return found;
  }

  function tags(repository: string): readonly string[] | null {
    const found = repositories.get(repository);
    return found === undefined ? null : [...found.tags.keys()].sort();
  }

  function manifest(repository: string, reference: string): StoredManifest | null {
    const found = repositories.get(repository);
    return found?.tags.get(reference) ?? found?.manifests.get(reference) ?? null;
  }

  for (const [repository, all] of Object.entries(contents)) {
    repositories.set(repository, { tags: new Map(), manifests: new Map() });
    for (const tag of all) push(repository, tag);
  }
  const remove = (repository: string, tag: string) => void repositories.get(repository)?.tags.delete(tag);
  return { tags, manifest, push, rebuild, remove };
}

/** Creates an index; the same name and images give the same bytes. */
function createIndex(name: string, images: readonly StoredManifest[]): StoredManifest {
  return createManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: images.map(({ digest, mediaType, body }) => ({ mediaType, digest, size: body.length })),
    annotations: { "org.opencontainers.image.ref.name": name },
  });
}

function createImage(architecture: string, build: number): StoredManifest {
  return createManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.image,
    annotations: { architecture, build: `${build}` },
  });
}

function createManifest(fields: { readonly mediaType: string; readonly [field: string]: unknown }): StoredManifest {
  const body = JSON.stringify(fields);
  return { body, mediaType: fields.mediaType, digest: `sha256:${createHash("sha256").update(body).digest("hex")}` };
}
