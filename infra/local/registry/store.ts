import { createHash } from "node:crypto";

export interface Manifest {
  readonly digest: string;
  readonly body: string;
}

/** Repositories in memory: each tag stands for a manifest, and each manifest once pushed is found by its digest too. */
export interface Store {
  /** null where there is no such repository. In lexical order, as the OCI distribution API has it. */
  tags(repository: string): readonly string[] | null;
  /** By tag or digest; null where there is none. */
  manifest(repository: string, reference: string): Manifest | null;
  push(repository: string, tag: string, digest?: string): void;
  remove(repository: string, tag: string): void;
}

interface Repository {
  readonly tags: Map<string, Manifest>;
  readonly manifests: Map<string, Manifest>;
}

export function createStore(contents: Readonly<Record<string, readonly string[]>>): Store {
  const repositories = new Map<string, Repository>();

  function push(repository: string, tag: string, digest?: string): void {
    const found = repositories.get(repository) ?? { tags: new Map(), manifests: new Map() };
    const pushed = manifestOf(repository, tag, digest);
    repositories.set(repository, found);
    found.tags.set(tag, pushed);
    found.manifests.set(pushed.digest, pushed);
  }

  function tags(repository: string): readonly string[] | null {
    const found = repositories.get(repository);
    return found === undefined ? null : [...found.tags.keys()].sort();
  }

  function manifest(repository: string, reference: string): Manifest | null {
    const found = repositories.get(repository);
    return found?.tags.get(reference) ?? found?.manifests.get(reference) ?? null;
  }

  for (const [repository, all] of Object.entries(contents)) {
    repositories.set(repository, { tags: new Map(), manifests: new Map() });
    for (const tag of all) push(repository, tag);
  }
  return { tags, manifest, push, remove: (repository, tag) => void repositories.get(repository)?.tags.delete(tag) };
}

/** The same repository and tag always give the same bytes; a digest given stands for other bytes than these. */
function manifestOf(repository: string, tag: string, digest?: string): Manifest {
  const body = JSON.stringify({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [],
    annotations: { "org.opencontainers.image.ref.name": `${repository}:${tag}` },
  });
  return { body, digest: digest ?? `sha256:${createHash("sha256").update(body).digest("hex")}` };
}
