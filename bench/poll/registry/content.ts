import { createHash } from "node:crypto";

export interface OciObject {
  readonly mediaType: string;
  readonly digest: string;
  readonly bytes: Buffer;
}

export interface ImageStore {
  /** Returns the image index of a tag, with two platforms. */
  readonly imageIndex: (repository: string, tag: string) => OciObject;
  /** Returns a manifest or config that an index or manifest has referenced before. */
  readonly byDigest: (digest: string) => OciObject | undefined;
}

const oci = "application/vnd.oci.image";

/** Creates images on demand; each tag has its own. */
export function createImageStore(): ImageStore {
  const objects = new Map<string, OciObject>();

  function store(mediaType: string, value: object): OciObject {
    const bytes = Buffer.from(JSON.stringify(value));
    const object = { mediaType, bytes, digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}` };
    objects.set(object.digest, object);
    return object;
  }

  function createManifest(architecture: string, repository: string, tag: string): OciObject {
    const labels = { "org.opencontainers.image.title": repository, "org.opencontainers.image.version": tag };
    const config = store(`${oci}.config.v1+json`, { architecture, os: "linux", config: { Labels: labels } });
    const mediaType = `${oci}.manifest.v1+json`;
    return store(mediaType, { schemaVersion: 2, mediaType, config: createDescriptor(config), layers: [] });
  }

  return {
    imageIndex(repository, tag) {
      const manifests = ["amd64", "arm64"].map((architecture) => ({
        ...createDescriptor(createManifest(architecture, repository, tag)),
        platform: { architecture, os: "linux" },
      }));
      const mediaType = `${oci}.index.v1+json`;
      return store(mediaType, { schemaVersion: 2, mediaType, manifests });
    },
    byDigest: (digest) => objects.get(digest),
  };
}

function createDescriptor({ mediaType, digest, bytes }: OciObject) {
  return { mediaType, digest, size: bytes.byteLength };
}
