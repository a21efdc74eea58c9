import { validateDigest } from "../../domain/image/grammar.ts";
import type { ResolvedImage } from "../../domain/image/resolved-image.ts";
import { artifactName } from "./artifact.ts";
import { NotAnImage, RegistryAnswerInvalid } from "../../ports/errors.ts";
import { sendAuthenticated, type AuthenticatedResponse } from "./authenticated-request.ts";
import type { RequestContext } from "./options.ts";
import { jsonBoundReason } from "./http/json-bounds.ts";
import { parseJson } from "./http/read-body.ts";
import { createHash } from "node:crypto";

/** A parsed manifest, and the digest of its bytes. */
interface Manifest {
  readonly digest: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

// All four, so that a registry returns the index if there is one, and never converts.
const accept = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** Some registries and proxies answer HEAD by these where GET works: it is not allowed or implemented, or not routed. */
const headRefusals = [404, 405, 501];

/** Requests the manifest of a reference; the tag is `latest` if it has neither tag nor digest. */
function requestManifest(context: RequestContext, method: "GET" | "HEAD"): Promise<AuthenticatedResponse> {
  const { image, hosts } = context;
  const url = hosts.repositoryUrl(image, `manifests/${image.digest ?? image.tag ?? "latest"}`);
  return sendAuthenticated(context, url, { method, headers: { accept } }, method === "HEAD" ? headRefusals : []);
}

/** Returns the manifest. Throws `RegistryAnswerInvalid` if the body is none, or does not match its digest header. */
export async function fetchManifest(context: RequestContext): Promise<Manifest> {
  const response = await requestManifest(context, "GET");
  const { body, headers } = response;
  const fields = parseJson(body);
  // The bytes of a login page have a digest too, which would restart every workload that tracks the tag.
  if (!isManifest(fields)) {
    const boundReason = jsonBoundReason(body);
    throw invalidAnswer(
      context,
      boundReason === null ? "the response is not an image manifest" : `the registry answered with ${boundReason}`,
    );
  }
  const header = headers.get("docker-content-digest");
  const computed = computeDigest(body, header ?? context.image.digest);
  if (header !== null && header !== computed)
    throw invalidAnswer(
      context,
      `its digest header is ${printable(header)}, but the digest of the body is ${computed}`,
    );
  const digest = assertExpectedDigest(computed, context);
  context.responseCache.store(response);
  return { digest, fields };
}

/** The same, of an image. Throws `NotAnImage` for anything else. */
async function fetchImage(context: RequestContext): Promise<Manifest> {
  const manifest = await fetchManifest(context);
  const artifact = artifactName(manifest.fields);
  if (artifact !== null) throw new NotAnImage(`${context.subject} is ${artifact}, which no container can run.`);
  return manifest;
}

/** Returns `digest`. Throws `RegistryAnswerInvalid` if it is invalid, or not the digest of the reference. */
function assertExpectedDigest(digest: string, context: RequestContext): string {
  const { image } = context;
  if (!isDigest(digest)) throw invalidAnswer(context, "the registry returned an invalid digest");
  if (image.digest !== null && image.digest !== digest)
    throw invalidAnswer(context, `the registry returned ${digest} instead`);
  return digest;
}

/** Hashes with the algorithm of the digest `like`, if that is known; otherwise with sha256, the default of registries. */
function computeDigest(bytes: Uint8Array, like: string | null): string {
  const algorithm = ["sha384", "sha512"].find((name) => like?.startsWith(`${name}:`)) ?? "sha256";
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

/** Reports whether a value is a digest as registries write it: in lower case. */
function isDigest(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= 256 && value === value.toLowerCase() && validateDigest(value) === null
  );
}

function invalidAnswer({ subject }: RequestContext, problem: string): RegistryAnswerInvalid {
  return new RegistryAnswerInvalid(`${subject}: ${problem}.`);
}

function isManifest(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && "schemaVersion" in value && value.schemaVersion === 2;
}

/** Returns a valid digest unchanged; anything else may be arbitrary text, which stays out of messages. */
function printable(header: string): string {
  return isDigest(header) ? header : "not a valid digest";
}

/**
 * Returns the digest of a tag, `latest` if the reference has none. Uses HEAD, which Docker Hub does not count against the
 * pull limit. If the registry refuses HEAD or omits the digest header, it is computed from the manifest's bytes.
 */
export async function digestOf(context: RequestContext): Promise<string> {
  return (await headDigest(context)) ?? (await fetchImage(context)).digest;
}

/** Returns the digest that a registry answers to HEAD; null if it does not. */
async function headDigest(context: RequestContext): Promise<string | null> {
  const response = await requestManifest(context, "HEAD");
  const digest = response.status === 200 ? response.headers.get("docker-content-digest") : null;
  return digest === null ? null : assertExpectedDigest(digest, context);
}

/**
 * Returns the digest of the manifest, and what it lists, if it is an index or a manifest list. A reference that was resolved before is
 * requested by HEAD, and read again only if it has moved.
 */
export async function resolveImage(context: RequestContext): Promise<ResolvedImage> {
  const { image, resolvedImages } = context;
  const known = resolvedImages.find(image);
  if (known !== undefined && known.digest === (await headDigest(context))) return known;
  const { digest, fields } = await fetchImage(context);
  const resolved = { digest, manifests: parseManifests(fields, context) };
  resolvedImages.store(image, resolved);
  return resolved;
}

function parseManifests(
  { manifests = [] }: Readonly<Record<string, unknown>>,
  context: RequestContext,
): ResolvedImage["manifests"] {
  const listed = Array.isArray(manifests) ? manifests.flatMap(parseDescriptor) : [];
  if (Array.isArray(manifests) && listed.length === manifests.length) return listed;
  throw invalidAnswer(context, "the index lists manifests without a valid digest");
}

function parseDescriptor(descriptor: unknown): ResolvedImage["manifests"] {
  if (typeof descriptor !== "object" || descriptor === null) return [];
  const { digest, platform } = descriptor as Readonly<Record<string, unknown>>;
  return isDigest(digest) ? [{ digest, platform: parsePlatform(platform) }] : [];
}

/** Attestations have the platform "unknown/unknown". */
function parsePlatform(platform: unknown): string | null {
  if (typeof platform !== "object" || platform === null) return null;
  const { os, architecture } = platform as Readonly<Record<string, unknown>>;
  const isKnown = [os, architecture].every(
    (one) => typeof one === "string" && /^(?!unknown$)[a-z0-9]{1,32}$/.test(one),
  );
  return isKnown ? `${os as string}/${architecture as string}` : null;
}
