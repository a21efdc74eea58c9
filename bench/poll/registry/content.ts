import { createHash } from "node:crypto";

export interface Content {
  readonly type: string;
  readonly digest: string;
  readonly bytes: Buffer;
}

export interface Contents {
  /** The index of two platforms behind a tag. */
  readonly indexOf: (repository: string, tag: string) => Content;
  /** A manifest or a config that an index or manifest has named before. */
  readonly byDigest: (digest: string) => Content | undefined;
}

const oci = "application/vnd.oci.image";

/** Images made up as they are asked for; those of no two tags are the same. */
export function contents(): Contents {
  const made = new Map<string, Content>();

  function keep(type: string, value: object): Content {
    const bytes = Buffer.from(JSON.stringify(value));
    const content = { type, bytes, digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}` };
    made.set(content.digest, content);
    return content;
  }

  function manifestFor(architecture: string, repository: string, tag: string): Content {
    const labels = { "org.opencontainers.image.title": repository, "org.opencontainers.image.version": tag };
    const config = keep(`${oci}.config.v1+json`, { architecture, os: "linux", config: { Labels: labels } });
    const mediaType = `${oci}.manifest.v1+json`;
    return keep(mediaType, { schemaVersion: 2, mediaType, config: descriptorOf(config), layers: [] });
  }

  return {
    indexOf(repository, tag) {
      const manifests = ["amd64", "arm64"].map((architecture) => ({
        ...descriptorOf(manifestFor(architecture, repository, tag)),
        platform: { architecture, os: "linux" },
      }));
      const mediaType = `${oci}.index.v1+json`;
      return keep(mediaType, { schemaVersion: 2, mediaType, manifests });
    },
    byDigest: (digest) => made.get(digest),
  };
}

function descriptorOf({ type, digest, bytes }: Content) {
  return { mediaType: type, digest, size: bytes.byteLength };
}
