import { formatImageReference, type ImageReference } from "./reference.ts";
import {
  matchesHost,
  matchesRepository,
  parseRepositoryPattern,
  type RepositoryPattern,
} from "./repository-pattern.ts";

/** The pattern that allows every registry with a public address. */
export const anyPublicRegistry = "*";

/** The registries and repositories that a deployment may request. */
export interface RegistryPolicy {
  /** Returns why an image's repository must not be requested; null if it may. */
  repositoryRefusal(image: ImageReference): string | null;
  /** Returns why a host that a registry names must not be requested: for tokens, or by a redirect. null if it may. */
  hostRefusal(host: string): string | null;
  /** Reports whether the deployment itself names a host: only such a host may have a private address. */
  isNamed(host: string): boolean;
}

/** Creates a policy. `denied` takes precedence over `allowed`; both are patterns as `parseRepositoryPattern` reads them. */
export function createRegistryPolicy(allowed: readonly string[], denied: readonly string[]): RegistryPolicy {
  const allowsAny = allowed.includes(anyPublicRegistry);
  const named = allowed.filter((pattern) => pattern !== anyPublicRegistry).map(parseRepositoryPattern);
  const refused = denied.map(parseRepositoryPattern);
  const isDeniedHost = (host: string) => refused.some((one) => one.path === "" && matchesHost(one, host));
  return {
    repositoryRefusal(image) {
      const matches = (one: RepositoryPattern) => matchesRepository(one, image);
      const name = formatImageReference({ ...image, tag: null, digest: null });
      if (refused.some(matches)) return `${name} is in registries.denied of the deployment`;
      if (allowsAny || named.some(matches)) return null;
      return `${name} is not in registries.allowed of the deployment; add its host or a prefix of it`;
    },
    hostRefusal: (host) => (isDeniedHost(host) ? `${host} is in registries.denied of the deployment` : null),
    isNamed: (host) => named.some((one) => matchesHost(one, host)),
  };
}
