import { formatImageReference, type ImageReference } from "./reference.ts";
import {
  matchesHost,
  matchesPath,
  parseRepositoryPattern,
  type RepositoryPattern,
  withPort,
} from "./repository-pattern.ts";

/** The pattern that allows every registry with a public address. */
export const anyPublicRegistry = "*";

/** The registries and repositories that a deployment may request. */
export interface RegistryPolicy {
  /** Returns why an image's repository must not be requested; null if it may. */
  repositoryRefusal(image: ImageReference): string | null;
  /** Returns why a host that a registry names must not be requested: for tokens, or by a redirect. null if it may. */
  hostRefusal(host: string): string | null;
  /** Reports whether the deployment itself names the registry of an image: only such a host may have a private address. */
  isNamed(image: ImageReference): boolean;
  /** Reports whether the deployment names a host together with its port, and without a wildcard. */
  isNamedWithPort(authority: string): boolean;
}

/**
 * Creates a policy. `denied` takes precedence over `allowed`; both are patterns as `parseRepositoryPattern` reads them. A denied host
 * is denied on every port, unless it has one; an allowed one without a port is allowed on 443, or on 80 if it is insecure.
 */
export function createRegistryPolicy(
  allowed: readonly string[],
  denied: readonly string[],
  insecureHosts: readonly string[] = [],
): RegistryPolicy {
  const insecure = new Set(insecureHosts.map((host) => host.toLowerCase()));
  const allowsAny = allowed.includes(anyPublicRegistry);
  const named = allowed.filter((pattern) => pattern !== anyPublicRegistry).map(parseRepositoryPattern);
  const refused = denied.map(parseRepositoryPattern);
  const authorityOf = ({ registry }: ImageReference) => withPort(registry, defaultPort(registry, insecure));
  const isAllowed = (pattern: RepositoryPattern, image: ImageReference) =>
    matchesHost({ ...pattern, port: pattern.port ?? defaultPort(image.registry, insecure) }, authorityOf(image));
  return {
    repositoryRefusal(image) {
      const authority = authorityOf(image);
      const name = formatImageReference({ ...image, tag: null, digest: null });
      if (refused.some((one) => matchesHost(one, authority) && matchesPath(one, image)))
        return `${name} is in registries.denied of the deployment`;
      if (allowsAny || named.some((one) => isAllowed(one, image) && matchesPath(one, image))) return null;
      return `${name} is not in registries.allowed of the deployment; add its host or a prefix of it`;
    },
    hostRefusal: (host) =>
      refused.some((one) => one.path === "" && matchesHost(one, host))
        ? `${host.replace(/:443$/, "")} is in registries.denied of the deployment`
        : null,
    isNamed: (image) => named.some((one) => isAllowed(one, image)),
    isNamedWithPort: (authority) =>
      named.some((one) => one.port !== null && !one.labels.join().includes("*") && matchesHost(one, authority)),
  };
}

/** Returns the port of a host that names none: its pattern without a port is for this one. */
function defaultPort(registry: string, insecure: ReadonlySet<string>): string {
  return insecure.has(registry.toLowerCase()) ? "80" : "443";
}
