import { normalizeRegistry, type ImageReference } from "./reference.ts";

/** Repositories by host and path prefix, as in a docker config: `ghcr.io/team`, `*.azurecr.io`, `registry.example.com:5000`. */
export interface RepositoryPattern {
  /** Each label may contain `*`, which matches any part of one label. */
  readonly labels: readonly string[];
  /** null if it names no port. */
  readonly port: string | null;
  /** Without a slash at its start and end; empty for every repository. */
  readonly path: string;
}

/** Parses a pattern. Docker Hub has one name, whichever of its names the pattern uses. */
export function parseRepositoryPattern(text: string): RepositoryPattern {
  const slash = text.indexOf("/");
  const authority = normalizeRegistry(slash === -1 ? text : text.slice(0, slash));
  const { host, port } = splitPort(authority);
  return { labels: host.split("."), port, path: slash === -1 ? "" : text.slice(slash + 1) };
}

/** Reports whether a pattern names the repository of an image: by whole path components, so that `team` is not `team2`. */
export function matchesRepository(
  pattern: RepositoryPattern,
  image: Pick<ImageReference, "registry" | "repository">,
): boolean {
  return matchesHost(pattern, image.registry) && matchesPath(pattern, image);
}

/** Reports whether the path of a pattern is that of a repository, whatever their hosts. */
export function matchesPath({ path }: RepositoryPattern, { repository }: Pick<ImageReference, "repository">): boolean {
  return path === "" || `${repository}/`.startsWith(`${path}/`);
}

/** Returns a host with its port, which is `port` if it has none. */
export function withPort(authority: string, port: string): string {
  const split = splitPort(authority);
  return `${split.host}:${split.port ?? port}`;
}

/** Reports whether one of these patterns names the repository of an image; null names all. */
export function isInScope(patterns: readonly string[] | null, image: ImageReference): boolean {
  return patterns === null || patterns.some((pattern) => matchesRepository(parseRepositoryPattern(pattern), image));
}

/** Reports whether a pattern names a host; one without a port names all ports of it. */
export function matchesHost({ labels, port }: RepositoryPattern, authority: string): boolean {
  const target = splitPort(authority.toLowerCase());
  const targets = target.host.replace(/\.$/, "").split(".");
  if (port !== null && port !== target.port) return false;
  return (
    labels.length === targets.length && labels.every((label, index) => matchesLabel(label, targets[index] as string))
  );
}

/** Compares part by part between the stars, each at its first place: linear, unlike a regular expression. */
function matchesLabel(pattern: string, label: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return label === first;
  if (!label.startsWith(first) || !label.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = label.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= label.length - last.length;
}

/** The address of IPv6 has colons too, in brackets. */
function splitPort(authority: string): { readonly host: string; readonly port: string | null } {
  const colon = authority.lastIndexOf(":");
  if (colon === -1 || authority.endsWith("]")) return { host: authority, port: null };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}
