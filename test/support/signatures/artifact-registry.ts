import { createHash } from "node:crypto";
import { startScriptedServer, type ScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import type { SignedLayer } from "./signer.ts";

/** A registry with the images `team/app`, and what was stored beside them. */
export interface ArtifactRegistry extends AsyncDisposable {
  readonly host: string;
  readonly requests: ScriptedServer["requests"];
  /** Of `team/app:1.0.0`. */
  readonly digest: string;
  digestOf(tag: string): string;
  /** Pushes another image to a tag. Returns its digest. */
  push(tag: string): string;
  /** Stores a signature by the referrers API, as the fallback index, or as the `.sig` tag; an index of old clients names no type. */
  attach(place: Place, layer: SignedLayer, digest?: string): void;
  /** Removes what the referrers API lists of a tag. */
  detach(tag: string): void;
  /** Answers everything but images and tags with this status. */
  fail(status: number): void;
}

export type Place = "referrers" | "fallback index" | "fallback index of old clients" | ".sig";

interface Stored {
  readonly body: Buffer;
  readonly mediaType: string;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Starts one. With a referrers API it answers every listing; without, 404 as GHCR does. `pageSize` limits each page of referrers. */
export async function startArtifactRegistry({
  hasReferrers = true,
  pageSize = 100,
  tags = ["1.0.0"],
} = {}): Promise<ArtifactRegistry> {
  const stored = new Map<string, Stored>();
  const attached = new Map<string, object[]>();
  const images = new Map<string, string>();
  let failure = 0;
  let pushed = 0;

  function put(path: string, mediaType: string, body: Buffer): { mediaType: string; digest: string; size: number } {
    const digest = digestOf(body);
    stored.set(`${path}/${digest}`, { body, mediaType });
    return { mediaType, digest, size: body.length };
  }
  function putManifest(manifest: object, tag?: string): { mediaType: string; digest: string; size: number } {
    const mediaType = "manifests" in manifest ? "application/vnd.oci.image.index.v1+json" : manifestType;
    const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...manifest }));
    if (tag !== undefined) stored.set(`manifests/${tag}`, { body, mediaType });
    return put("manifests", mediaType, body);
  }
  function push(tag: string): string {
    pushed += 1;
    const { digest } = putManifest({ layers: [], annotations: { pushed: `${pushed}` } }, tag);
    images.set(tag, digest);
    return digest;
  }
  function add(key: string, entry: object): object[] {
    const all = [...(attached.get(key) ?? []), entry];
    attached.set(key, all);
    return all;
  }
  for (const tag of tags) push(tag);
  const own = images.get(tags[0] ?? "") ?? "";

  const server = await startScriptedServer(({ path }, response) => {
    const name = path.replace("/v2/team/app/", "");
    if (name.startsWith("tags/list")) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ tags: [...images.keys()] }));
      return;
    }
    const isImage =
      images.has(name.replace("manifests/", "")) || [...images.values()].some((one) => name.endsWith(one));
    if (failure !== 0 && (!isImage || name.startsWith("referrers/"))) {
      response.writeHead(failure).end("{}");
      return;
    }
    if (name.startsWith("referrers/") && hasReferrers) {
      const { pathname, searchParams } = new URL(path, "http://r");
      const digest = pathname.split("/").at(-1) ?? "";
      const from = Number(searchParams.get("from") ?? 0);
      const referrers = attached.get(`referrers ${digest}`) ?? [];
      const link =
        from + pageSize < referrers.length
          ? { link: `</v2/team/app/referrers/${digest}?from=${from + pageSize}>; rel="next"` }
          : {};
      response
        .writeHead(200, { "content-type": "application/vnd.oci.image.index.v1+json", ...link })
        .end(JSON.stringify({ schemaVersion: 2, manifests: referrers.slice(from, from + pageSize) }));
      return;
    }
    const found = stored.get(name);
    if (found === undefined) response.writeHead(404).end("{}");
    else
      response
        .writeHead(200, { "content-type": found.mediaType, "docker-content-digest": digestOf(found.body) })
        .end(found.body);
  });

  return {
    host: server.host,
    requests: server.requests,
    digest: own,
    digestOf: (tag) => images.get(tag) ?? "",
    push,
    detach: (tag) => void attached.delete(`referrers ${images.get(tag)}`),
    fail: (status) => void (failure = status),
    attach(place, layer, digest = own) {
      const base = digest.replace(":", "-");
      const descriptor = { ...put("blobs", layer.mediaType, layer.content), annotations: layer.annotations };
      if (place === ".sig") {
        putManifest({ layers: add(`legacy ${digest}`, descriptor) }, `${base}.sig`);
        return;
      }
      const empty = "application/vnd.oci.empty.v1+json";
      const entry = putManifest({
        artifactType: layer.mediaType,
        config: { mediaType: empty },
        layers: [descriptor],
        subject: { digest },
      });
      const artifactType = place === "fallback index of old clients" ? empty : layer.mediaType;
      if (place === "referrers") add(`referrers ${digest}`, { ...entry, artifactType });
      else putManifest({ manifests: add(`index ${digest}`, { ...entry, artifactType }) }, base);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
