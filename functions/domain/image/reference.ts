import { validateDigest, validateHost, validatePath, validateTag, validateReference } from "./grammar.ts";
import type { ParseError } from "../text/parse-error.ts";

/** A parsed image reference. */
export interface ImageReference {
  /** The host of the registry's API, with its port: `registry-1.docker.io` for Docker Hub. */
  readonly registry: string;
  /** The path below the host, with the implied `library/` of Docker Hub. */
  readonly repository: string;
  readonly tag: string | null;
  /** `algorithm:hex`. */
  readonly digest: string | null;
}

const dockerHub = "registry-1.docker.io";

/** The names of Docker Hub in references; the first is used for output. */
const dockerHubNames = ["docker.io", "index.docker.io", "registry.hub.docker.com", dockerHub] as const;

/** Returns the host of a registry in lower case, with one name for Docker Hub. */
export function normalizeRegistry(host: string): string {
  const lower = host.toLowerCase();
  const name = lower.replace(/:443$/, "");
  return dockerHubNames.some((known) => known === name) ? dockerHub : lower;
}

/** Parses a reference by the grammar of distribution/reference, or returns what is invalid. */
export function parseImageReference(text: string): ImageReference | ParseError {
  const { name, tag, digest } = splitReference(text);
  const { registry, repository } = splitName(name);
  const problem =
    validateReference(text) ??
    validateHost(registry) ??
    validatePath(repository) ??
    validateTag(tag) ??
    validateDigest(digest);
  return problem ?? { registry, repository, tag, digest };
}

/**
 * Formats a reference in full, as Kubernetes accepts it: `docker.io/library/nginx:1.27`. Parsing it returns the same
 * reference.
 */
export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  const host = registry === dockerHub ? dockerHubNames[0] : registry;
  return `${host}/${repository}${tag === null ? "" : `:${tag}`}${digest === null ? "" : `@${digest}`}`;
}

/** Returns the same repository at a tag, without a digest. */
export function withTag(image: ImageReference, tag: string): ImageReference {
  return { ...image, tag, digest: null };
}

/** Returns the tag of a reference, `""` if it has none. */
export function tagOf(text: string): string {
  return splitReference(text).tag ?? "";
}

/** Replaces tag and digest by a tag and keeps the spelling of the name: `nginx:1.2` becomes `nginx:1.3`. */
export function replaceTag(text: string, tag: string): string {
  return `${splitReference(text).name}:${tag}`;
}

/** Returns the version that identifies an update: the tag, with the digest if the reference has one. */
export function versionOf(text: string): string {
  const { tag, digest } = splitReference(text);
  return `${tag ?? ""}${digest === null ? "" : `@${digest}`}`;
}

/** Returns what names a version for people: the tag, which a digest beside it does not change; the digest if there is no tag. */
export function versionNameOf(text: string): string {
  return tagOf(text) || versionOf(text);
}

/** Returns the same tag (`latest` if there is none), pinned to a digest. */
export function pinToDigest(text: string, digest: string): string {
  const { name, tag } = splitReference(text);
  return `${name}:${tag ?? "latest"}@${digest}`;
}

/** Returns the reference without its digest. */
export function withoutDigest(text: string): string {
  const at = text.indexOf("@");
  return at === -1 ? text : text.slice(0, at);
}

/** Reports whether a reference has a digest, so that changing its tag would not update it. */
export function isDigestPinned(text: string): boolean {
  return /@[A-Za-z][\w.+-]*:/.test(text);
}

/**
 * Reports whether two references name the same image: `nginx`, `nginx:latest` and `docker.io/library/nginx:latest` do.
 */
export function isSameImage(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** Reports whether an image is what was written, or has a digest beside that: a webhook of the cluster may add it. */
export function isAsWritten(image: string, written: string): boolean {
  if (isSameImage(image, written)) return true;
  return !isDigestPinned(written) && tagOf(image) !== "" && isSameImage(withoutDigest(image), written);
}

/** Reports whether two references name the same repository of the same registry. */
export function isSameRepository(a: string, b: string): boolean {
  const [one, other] = [parseImageReference(a), parseImageReference(b)];
  if ("kind" in one || "kind" in other) return false;
  return one.registry === other.registry && one.repository === other.repository;
}

/** Returns the key of what a registry has for a reference. */
export function manifestKey({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}:${tag ?? "latest"}@${digest ?? ""}`;
}

function canonical(text: string): string {
  const image = parseImageReference(text);
  if ("kind" in image) return text;
  return formatImageReference(image.tag === null && image.digest === null ? withTag(image, "latest") : image);
}

/** Splits a reference as it is written, without a judgement of its grammar. */
export function splitReference(text: string): { name: string; tag: string | null; digest: string | null } {
  const at = text.indexOf("@");
  const tagged = at === -1 ? text : text.slice(0, at);
  const digest = at === -1 ? null : text.slice(at + 1);
  const colon = tagged.indexOf(":", tagged.lastIndexOf("/") + 1);
  if (colon === -1) return { name: tagged, tag: null, digest };
  return { name: tagged.slice(0, colon), tag: tagged.slice(colon + 1), digest };
}

/** The part before the first slash is a host if it cannot be a directory of Docker Hub. */
function splitName(name: string): Pick<ImageReference, "registry" | "repository"> {
  const first = name.slice(0, Math.max(0, name.indexOf("/")));
  const isHost = first === "localhost" || /[.:A-Z]/.test(first);
  // In lower case, `Foo` would be a directory of Docker Hub.
  const registry = !isHost ? dockerHub : /[.:]/.test(first) ? normalizeRegistry(first) : first;
  const path = isHost ? name.slice(first.length + 1) : name;
  if (registry !== dockerHub) return { registry, repository: path };
  return { registry: dockerHub, repository: path.includes("/") ? path : `library/${path}` };
}
