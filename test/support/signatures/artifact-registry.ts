import { createHash } from "node:crypto";
import { startScriptedServer, type ScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import type { SignedLayer } from "./signer.ts";

/** A registry with one image, `team/app:1.0.0`, and what was stored beside it. */
export interface ArtifactRegistry extends AsyncDisposable {
  readonly host: string;
  readonly requests: ScriptedServer["requests"];
  /** Of the image. */
  readonly digest: string;
  /** Stores a signature by the referrers API, as the fallback index, or as the `.sig` tag; an index of old clients names no type. */
  attach(place: Place, layer: SignedLayer): void;
}

export type Place = "referrers" | "fallback index" | "fallback index of old clients" | ".sig";

interface Stored {
  readonly body: Buffer;
  readonly mediaType: string;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Starts one. With a referrers API it answers every listing; without, 404 as GHCR does. `pageSize` limits each page of referrers. */
export async function startArtifactRegistry({ hasReferrers = true, pageSize = 100 } = {}): Promise<ArtifactRegistry> {
  const stored = new Map<string, Stored>();
  const referrers: object[] = [];
  const indexed: object[] = [];
  const legacy: object[] = [];

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

  const { digest } = putManifest({ layers: [] }, "1.0.0");
  const base = digest.replace(":", "-");

  const server = await startScriptedServer(({ path }, response) => {
    const name = path.replace("/v2/team/app/", "");
    if (name.startsWith("referrers/") && hasReferrers) {
      const from = Number(new URL(path, "http://r").searchParams.get("from") ?? 0);
      const page = name.includes(digest) ? referrers.slice(from, from + pageSize) : [];
      const link =
        from + pageSize < referrers.length
          ? { link: `</v2/team/app/referrers/${digest}?from=${from + pageSize}>; rel="next"` }
          : {};
      response
        .writeHead(200, { "content-type": "application/vnd.oci.image.index.v1+json", ...link })
        .end(JSON.stringify({ schemaVersion: 2, manifests: page }));
      return;
    }
    const found = stored.get(name);
    if (found === undefined) response.writeHead(404).end("{}");
    else response.writeHead(200, { "content-type": found.mediaType }).end(found.body);
  });

  return {
    host: server.host,
    requests: server.requests,
    digest,
    attach(place, layer) {
      const descriptor = { ...put("blobs", layer.mediaType, layer.content), annotations: layer.annotations };
      if (place === ".sig") {
        legacy.push(descriptor);
        putManifest({ layers: legacy }, `${base}.sig`);
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
      if (place === "referrers") referrers.push({ ...entry, artifactType });
      else {
        indexed.push({ ...entry, artifactType });
        putManifest({ manifests: indexed }, base);
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
