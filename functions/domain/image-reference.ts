import { problemOfDigest, problemOfHost, problemOfPath, problemOfTag, problemOfWhole } from "./image-grammar.ts";
import type { Invalid } from "./invalid.ts";

/** A parsed image reference. */
export interface ImageReference {
  /** The host of the registry's API, with its port: `registry-1.docker.io` for Docker Hub. */
  readonly registry: string;
  /** The path below the host, with `library/` where Docker Hub implies it. */
  readonly repository: string;
  readonly tag: string | null;
  /** `algorithm:hex`. */
  readonly digest: string | null;
}

const dockerHub = "registry-1.docker.io";

/** All that Docker Hub is called in references; the first is how it is printed. */
const dockerHubNames = ["docker.io", "index.docker.io", dockerHub] as const;

/** Reads a reference by the grammar of distribution/reference, and says what is wrong with one that does not follow it. */
export function parseImageReference(text: string): ImageReference | Invalid {
  const { name, tag, digest } = splitReference(text);
  const { registry, repository } = splitName(name);
  const problem =
    problemOfWhole(text) ??
    problemOfHost(registry) ??
    problemOfPath(repository) ??
    problemOfTag(tag) ??
    problemOfDigest(digest);
  return problem ?? { registry, repository, tag, digest };
}

/** Writes a reference in full, as Kubernetes takes it: `docker.io/library/nginx:1.27`. Parsing it gives the same again. */
export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  const host = registry === dockerHub ? dockerHubNames[0] : registry;
  return `${host}/${repository}${tag === null ? "" : `:${tag}`}${digest === null ? "" : `@${digest}`}`;
}

/** The same repository at a tag and no longer at a digest. */
export function withTag(image: ImageReference, tag: string): ImageReference {
  return { ...image, tag, digest: null };
}

/** The tag that is written in a reference, `""` where there is none. */
export function tagOf(text: string): string {
  return splitReference(text).tag ?? "";
}

/** Puts a tag in the place of tag and digest and leaves the name as its owner spells it: `nginx:1.2` becomes `nginx:1.3`. */
export function replaceTag(text: string, tag: string): string {
  return `${splitReference(text).name}:${tag}`;
}

/** What tells one update from another: the tag, and with it the digest where the reference names one. */
export function versionOf(text: string): string {
  const { tag, digest } = splitReference(text);
  return `${tag ?? ""}${digest === null ? "" : `@${digest}`}`;
}

/** The same tag, `latest` where none is written, held at a digest. */
export function pinTo(text: string, digest: string): string {
  const { name, tag } = splitReference(text);
  return `${name}:${tag ?? "latest"}@${digest}`;
}

/** The same tag, whatever stands behind it. */
export function withoutDigest(text: string): string {
  const at = text.indexOf("@");
  return at === -1 ? text : text.slice(0, at);
}

/** Whether a reference names its content and can therefore not be updated by changing the tag. */
export function isDigestPinned(text: string): boolean {
  return /@[A-Za-z][\w.+-]*:/.test(text);
}

/** Whether two references run the same: `nginx`, `nginx:latest` and `docker.io/library/nginx:latest` do. */
export function sameImage(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(text: string): string {
  const image = parseImageReference(text);
  if ("kind" in image) return text;
  return formatImageReference(image.tag === null && image.digest === null ? withTag(image, "latest") : image);
}

function splitReference(text: string): { name: string; tag: string | null; digest: string | null } {
  const at = text.indexOf("@");
  const tagged = at === -1 ? text : text.slice(0, at);
  const digest = at === -1 ? null : text.slice(at + 1);
  const colon = tagged.indexOf(":", tagged.lastIndexOf("/") + 1);
  if (colon === -1) return { name: tagged, tag: null, digest };
  return { name: tagged.slice(0, colon), tag: tagged.slice(colon + 1), digest };
}

/** What stands before the first slash is a host where it cannot be a directory of Docker Hub. */
function splitName(name: string): Pick<ImageReference, "registry" | "repository"> {
  const first = name.slice(0, Math.max(0, name.indexOf("/")));
  const isHost = first === "localhost" || /[.:A-Z]/.test(first);
  const registry = isHost ? first : dockerHub;
  const path = isHost ? name.slice(first.length + 1) : name;
  if (!dockerHubNames.some((known) => known === registry)) return { registry, repository: path };
  return { registry: dockerHub, repository: path.includes("/") ? path : `library/${path}` };
}
