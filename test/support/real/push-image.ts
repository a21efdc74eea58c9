import { createHash } from "node:crypto";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

type Headers = Readonly<Record<string, string>>;

const manifestType = "application/vnd.oci.image.manifest.v1+json";

const indexType = "application/vnd.oci.image.index.v1+json";

export interface Contents {
  /** Content of the layer; different content has a different digest. */
  readonly content: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Architectures: pushes an index with a manifest for each; if empty, a single manifest. */
  readonly platforms?: readonly string[];
}

/** Pushes an image with one small layer through the OCI distribution API. Returns the digest of its tags. */
export async function pushImage(
  url: string,
  headers: Headers,
  repository: string,
  tags: readonly string[],
  { content, annotations = {}, platforms = [] }: Contents,
): Promise<string> {
  const base = `${url}/v2/${repository}`;
  const put = async (references: readonly string[], mediaType: string, manifest: object): Promise<Descriptor> => {
    const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...manifest, annotations }));
    const typed = { ...headers, "content-type": mediaType };
    const digest = digestOf(body);
    const all = references.length > 0 ? references : [digest];
    await Promise.all(
      all.map((one) =>
        write(`${base}/manifests/${one}`, { method: "PUT", headers: typed, body: new Uint8Array(body) }),
      ),
    );
    return { mediaType, digest, size: body.length };
  };
  const putManifest = async (references: readonly string[], architecture: string, of: string) =>
    put(references, manifestType, await contentsOf(base, headers, architecture, of));
  if (platforms.length === 0) return (await putManifest(tags, "amd64", content)).digest;
  const manifests = await Promise.all(
    platforms.map(async (architecture) => {
      const descriptor = await putManifest([], architecture, `${content} for ${architecture}`);
      return { ...descriptor, platform: { architecture, os: "linux" } };
    }),
  );
  return (await put(tags, indexType, { manifests })).digest;
}

async function contentsOf(base: string, headers: Headers, architecture: string, content: string): Promise<object> {
  const layer = Buffer.from(content);
  const rootfs = { type: "layers", diff_ids: [digestOf(layer)] };
  const config = Buffer.from(JSON.stringify({ architecture, os: "linux", rootfs }));
  return {
    config: await pushBlob(base, headers, config, "application/vnd.oci.image.config.v1+json"),
    layers: [await pushBlob(base, headers, layer, "application/vnd.oci.image.layer.v1.tar")],
  };
}

async function pushBlob(base: string, headers: Headers, bytes: Buffer, mediaType: string): Promise<Descriptor> {
  const digest = digestOf(bytes);
  const upload = await write(`${base}/blobs/uploads/`, { method: "POST", headers });
  const location = new URL(upload.headers.get("location") ?? "", base);
  location.searchParams.set("digest", digest);
  const type = { "content-type": "application/octet-stream" };
  await write(location, { method: "PUT", headers: { ...headers, ...type }, body: new Uint8Array(bytes) });
  return { mediaType, digest, size: bytes.length };
}

async function write(url: string | URL, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${String(url)}: ${response.status} ${text}`);
  return response;
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
