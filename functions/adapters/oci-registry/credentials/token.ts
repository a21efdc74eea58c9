import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import { createHash } from "node:crypto";
import { RegistryAnswerInvalid, RegistryUnauthorized, RepositoryNotFound } from "../../../ports/errors.ts";
import { createKeyedExpiringCache } from "../../expiring-cache.ts";
import type { Challenge } from "./www-authenticate.ts";
import { basicAuthorization, type Credentials } from "./credentials.ts";
import { mapResponseError } from "../http/map-error.ts";
import { parseJson } from "../http/read-body.ts";
import { send, type Bounds, type HttpRequest } from "../http/http.ts";

// A token has a few kilobytes.
const maxTokens = 5000;

export type Bearer = Extract<Challenge, { readonly kind: "bearer" }>;

export interface RegistryToken {
  readonly value: string;
  readonly lifetimeSeconds: number;
}

// The limit of common servers for one header.
const maxTokenLength = 16_384;

// Applies if the endpoint omits `expires_in` (distribution/distribution, token specification).
const defaultLifetimeSeconds = 60;

/**
 * Fetches an access token from the realm of a challenge: an identity token by OAuth 2, all other credentials by GET.
 * The caller has checked the realm. Redirects are not followed, because the request carries the login.
 */
export async function fetchToken(
  realm: URL,
  { service, scope }: { readonly service: string | null; readonly scope: string },
  credentials: Credentials | null,
  bounds: Bounds,
  now: Date,
): Promise<RegistryToken> {
  const query = new URLSearchParams();
  if (service !== null) query.append("service", service);
  const response =
    credentials?.kind === "identity-token"
      ? await send(realm, identityTokenRequest(credentials.token, query, scope), bounds)
      : await send(withQuery(realm, query, scope), passwordRequest(credentials), bounds);
  if (response.status === 200) return parseToken(response.body, realm, bounds.subject);
  const subject = `${bounds.subject}: fetching a token`;
  if (response.status === 400)
    throw new RegistryUnauthorized(`${subject}: ${realm.host} rejects the configured login (400); renew it.`);
  const error = mapResponseError(response, subject, credentials === null ? "anonymous" : "login", now);
  throw error instanceof RepositoryNotFound ? new RegistryAnswerInvalid(error.message) : error;
}

function passwordRequest(credentials: Extract<Credentials, { kind: "password" }> | null): HttpRequest {
  if (credentials === null) return { method: "GET", headers: {} };
  return { method: "GET", headers: { authorization: basicAuthorization(credentials.username, credentials.password) } };
}

function withQuery(realm: URL, query: URLSearchParams, scope: string): URL {
  const url = new URL(realm);
  for (const [name, value] of query) url.searchParams.append(name, value);
  url.searchParams.append("scope", scope);
  return url;
}

function identityTokenRequest(token: string, form: URLSearchParams, scope: string): HttpRequest {
  form.append("grant_type", "refresh_token");
  form.append("client_id", "pawl");
  form.append("refresh_token", token);
  form.append("scope", scope);
  return { method: "POST", headers: {}, form };
}

function parseToken(body: Uint8Array, realm: URL, subject: string): RegistryToken {
  const parsed = parseJson(body);
  const fields: Record<string, unknown> = typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  // Harbor sends both names, one of them empty.
  const value = fields["token"] || fields["access_token"];
  // An invalid header value would be quoted in the error of the HTTP client.
  if (typeof value !== "string" || value.length > maxTokenLength || !/^[\x21-\x7e]+$/.test(value)) {
    throw new RegistryAnswerInvalid(`${subject}: the token endpoint on ${realm.host} answered without a token.`);
  }
  const lifetime = fields["expires_in"];
  return { value, lifetimeSeconds: typeof lifetime === "number" && lifetime > 0 ? lifetime : defaultLifetimeSeconds };
}

export interface TokenCache {
  /** Returns the `Authorization` header with the token of this key. */
  get(key: string, fetch: () => Promise<RegistryToken>): Promise<string>;
  /** Drops a token that was rejected. Keeps a token that was fetched since. */
  forget(key: string, header: string): void;
}

/** Keeps each token for four fifths of its lifetime, by the local clock, from before it was requested. */
export function createTokenCache(now: () => Date): TokenCache {
  const cache = createKeyedExpiringCache<string>(maxTokens, now);
  return {
    get: (key, fetch) =>
      cache.get(key, async () => {
        const requestedAt = now();
        const { value, lifetimeSeconds } = await fetch();
        return { value: `Bearer ${value}`, expiresAt: secondsAfter(requestedAt, lifetimeSeconds * 0.8) };
      }),
    forget: (key, header) => cache.forget(key, header),
  };
}

/** Returns one key for everything that distinguishes tokens, including the login, which it does not reveal. */
export function tokenKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
