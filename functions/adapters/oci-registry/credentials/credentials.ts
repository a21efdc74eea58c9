import type { ImageReference } from "../../../domain/image/reference.ts";
import type { PullLogins } from "../../../ports/registry.ts";

/** A login for a registry or its token endpoint. An identity token is exchanged for access tokens by OAuth 2. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "identity-token"; readonly token: string };

/**
 * Finds the login for an image's registry; null if there is none. `logins` are the pull secrets of the workload that runs the
 * image. It is called for each challenge, so an implementation with remote calls needs its own cache. May throw
 * `RegistryUnauthorized` if a login exists that cannot be obtained.
 */
export type CredentialsFor = (image: ImageReference, logins?: PullLogins) => Promise<Credentials | null>;

/** The credentials of registries that need no login. */
export async function anonymous(): Promise<null> {
  return null;
}

/** Returns the first login of any source: the order is the precedence, and later sources are not called then. */
export function chainCredentials(sources: readonly CredentialsFor[]): CredentialsFor {
  return async (image, logins) => {
    for (const find of sources) {
      const login = await find(image, logins);
      if (login !== null) return login;
    }
    return null;
  };
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
