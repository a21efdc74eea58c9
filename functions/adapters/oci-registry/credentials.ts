import type { ImageReference } from "../../domain/image-reference.ts";
import type { PullLogins } from "../../ports/registry.ts";

/** A login as a registry or its token endpoint takes it. An identity token is exchanged for access tokens by OAuth 2. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "identity-token"; readonly token: string };

/**
 * Finds the login for an image's registry; null where it has none. `logins` are the pull secrets of the workload that
 * asks. It is asked each time a registry wants a login, so an implementation that talks to somebody caches for itself.
 * May throw `RegistryRefused` where a login exists that cannot be had.
 */
export type CredentialsFor = (image: ImageReference, logins?: PullLogins) => Promise<Credentials | null>;

/** The login of a registry that needs none. */
export async function anonymous(): Promise<null> {
  return null;
}

/** The first login that any of them has: the order of the list is the precedence. Later ones are not asked then. */
export function firstOf(sources: readonly CredentialsFor[]): CredentialsFor {
  return async (image, logins) => {
    for (const find of sources) {
      const found = await find(image, logins);
      if (found !== null) return found;
    }
    return null;
  };
}

export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
