import { createHash } from "node:crypto";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

type Headers = Readonly<Record<string, string>>;

const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Pushes an image of one small layer by the OCI distribution API; `content` tells its bytes from those of others. */
export async function pushImage(
  url: string,
  headers: Headers,
  repository: string,
  tags: readonly string[],
  content: string,
): Promise<void> {
  const base = `${url}/v2/${repository}`;
  const layer = Buffer.from(content);
  const layerType = "application/vnd.oci.image.layer.v1.tar";
  const config = Buffer.from(
    JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [digestOf(layer)] } }),
  );
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: await pushBlob(base, headers, config, "application/vnd.oci.image.config.v1+json"),
    layers: [await pushBlob(base, headers, layer, layerType)],
  });
  const typed = { ...headers, "content-type": manifestType };
  await Promise.all(
    tags.map((tag) => write(`${base}/manifests/${tag}`, { method: "PUT", headers: typed, body: manifest })),
  );
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
