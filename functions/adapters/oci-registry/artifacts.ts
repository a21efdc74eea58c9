import { createHash } from "node:crypto";
import { RegistryAnswerInvalid, RepositoryNotFound } from "../../ports/errors.ts";
import type { ArtifactManifest, Descriptor } from "../../ports/artifacts.ts";
import { type AuthenticatedResponse, resolveRedirect, sendAuthenticated } from "./authenticated-request.ts";
import { nextPage } from "./http/link-header.ts";
import { parseJson } from "./http/read-body.ts";
import { fetchManifest } from "./manifests.ts";
import type { RequestContext } from "./options.ts";

/** More content than a signature or an attestation has. */
const maxBlobBytes = 1024 * 1024;

/** More than anybody signs; what is beyond is not read. */
const maxReferrers = 64;

/** What registries answer if they have no referrers API. */
const noSuchApi = [400, 404, 405, 501];

/** Returns the manifest of the reference; null if there is none. */
export async function fetchArtifact(context: RequestContext): Promise<ArtifactManifest | null> {
  const found = await fetchManifest(context).catch(noneIfNotFound);
  if (found === null) return null;
  const { digest, fields } = found;
  return {
    digest,
    mediaType: typeof fields["mediaType"] === "string" ? fields["mediaType"] : "",
    layers: parseDescriptors(fields["layers"]),
    manifests: parseDescriptors(fields["manifests"]),
  };
}

/** Returns the content of a descriptor; null if there is none, or too much. It may be kept elsewhere: its digest says what it is. */
export async function fetchBlob(context: RequestContext, { digest, size }: Descriptor): Promise<Uint8Array | null> {
  if (size > maxBlobBytes) return null;
  const url = context.hosts.repositoryUrl(context.image, `blobs/${digest}`);
  const bounded = { ...context, limits: { ...context.limits, responseBytes: maxBlobBytes } };
  const response = await sendAuthenticated(bounded, url, { method: "GET", headers: {} }, [404], "content").catch(
    noneIfNotFound,
  );
  if (response === null || response.status === 404) return null;
  const computed = `sha256:${createHash("sha256").update(response.body).digest("hex")}`;
  if (computed !== digest)
    throw new RegistryAnswerInvalid(`${context.subject}: the registry returned ${computed} instead of ${digest}.`);
  return response.body;
}

/** Returns what refers to a digest, from every page; null if the registry has no referrers API. */
export async function listReferrers(context: RequestContext, digest: string): Promise<readonly Descriptor[] | null> {
  const found: Descriptor[] = [];
  const visited = new Set<string>();
  let url: URL | null = context.hosts.repositoryUrl(context.image, `referrers/${digest}`);
  while (url !== null && found.length < maxReferrers && !visited.has(url.href)) {
    visited.add(url.href);
    const request = { method: "GET", headers: { accept: "application/vnd.oci.image.index.v1+json" } } as const;
    const response: AuthenticatedResponse = await sendAuthenticated(context, url, request, noSuchApi);
    if (response.status !== 200) {
      if (visited.size === 1) return null;
      throw new RegistryAnswerInvalid(`${context.subject}: page ${visited.size} of the referrers is missing.`);
    }
    const index = parseJson(response.body);
    if (!isIndex(index)) return null;
    found.push(...parseDescriptors(index.manifests));
    const link = nextPage(response.headers.get("link"), response.url, context.subject);
    url = link === null ? null : resolveRedirect(link.href, response, context);
  }
  return found.slice(0, maxReferrers);
}

/** Some registries without the API answer a page of their own by 200. */
function isIndex(value: unknown): value is { readonly manifests?: unknown } {
  return typeof value === "object" && value !== null && "schemaVersion" in value && value.schemaVersion === 2;
}

function parseDescriptors(value: unknown): readonly Descriptor[] {
  return Array.isArray(value) ? value.flatMap(parseDescriptor) : [];
}

/** Leaves out what is no descriptor with a sha256 digest: nothing that Pawl reads has another. */
function parseDescriptor(value: unknown): readonly Descriptor[] {
  if (typeof value !== "object" || value === null) return [];
  const { mediaType, digest, size, annotations } = value as Record<string, unknown>;
  if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest)) return [];
  return [
    {
      mediaType: typeof mediaType === "string" ? mediaType : "",
      digest,
      size: typeof size === "number" ? size : 0,
      annotations: parseAnnotations(annotations),
    },
  ];
}

function parseAnnotations(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof RepositoryNotFound) return null;
  throw error;
}
