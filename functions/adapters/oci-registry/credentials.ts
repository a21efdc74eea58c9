import type { ImageReference } from "../../domain/image-reference.ts";

/** A login as a registry or its token endpoint takes it. An identity token is exchanged for access tokens by OAuth 2. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "identity-token"; readonly token: string };

/**
 * Finds the login for an image's registry; null is anonymous. It is asked each time a registry wants a login, so an
 * implementation that talks to somebody caches for itself. May throw `RegistryRefused` where a login exists that
 * cannot be had.
 */
export type CredentialsFor = (image: ImageReference) => Promise<Credentials | null>;

/** The login of a registry that needs none. */
export async function anonymous(): Promise<null> {
  return null;
}

export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
