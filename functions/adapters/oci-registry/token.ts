import { RegistryAnswerInvalid, RegistryRefused, RepositoryNotFound } from "../errors.ts";
import type { Challenge } from "./challenge.ts";
import { basicHeader, type Credentials } from "./credentials.ts";
import { failureOf } from "./failure.ts";
import { parseJson } from "./json.ts";
import { send, type Bounds, type Request } from "./transport.ts";

export type Bearer = Extract<Challenge, { readonly kind: "bearer" }>;

export interface Token {
  readonly value: string;
  readonly lifetimeSeconds: number;
}

// No server takes headers longer than this.
const longestToken = 16_384;

// What a token endpoint means that does not say (distribution/distribution, token specification).
const unsaidLifetimeSeconds = 60;

/**
 * Fetches an access token from the realm of a challenge; an identity token by OAuth 2, everything else by GET.
 * The realm must have been found fit to be asked. Redirects are not followed: the request carries the login.
 */
export async function fetchToken(
  realm: URL,
  { service, scopes }: { readonly service: string | null; readonly scopes: readonly string[] },
  credentials: Credentials | null,
  bounds: Bounds,
  now: Date,
): Promise<Token> {
  const query = new URLSearchParams();
  if (service !== null) query.append("service", service);
  const answer =
    credentials?.kind === "identity-token"
      ? await send(realm, exchange(credentials.token, query, scopes), bounds)
      : await send(withQuery(realm, query, scopes), simple(credentials), bounds);
  if (answer.status === 200) return tokenOf(answer.body, realm, bounds.subject);
  const subject = `${bounds.subject}: fetching a token`;
  if (answer.status === 400)
    throw new RegistryRefused(`${subject}: ${realm.host} does not take the login in use (400). Renew it.`);
  const failure = failureOf(answer, subject, credentials === null ? "anonymous" : "login", now);
  throw failure instanceof RepositoryNotFound ? new RegistryAnswerInvalid(failure.message) : failure;
}

function simple(credentials: Extract<Credentials, { kind: "password" }> | null): Request {
  if (credentials === null) return { method: "GET", headers: {} };
  return { method: "GET", headers: { authorization: basicHeader(credentials.username, credentials.password) } };
}

function withQuery(realm: URL, query: URLSearchParams, scopes: readonly string[]): URL {
  const url = new URL(realm);
  for (const [name, value] of query) url.searchParams.append(name, value);
  for (const scope of scopes) url.searchParams.append("scope", scope);
  return url;
}

function exchange(token: string, form: URLSearchParams, scopes: readonly string[]): Request {
  form.append("grant_type", "refresh_token");
  form.append("client_id", "pawl");
  form.append("refresh_token", token);
  form.append("scope", scopes.join(" "));
  return { method: "POST", headers: {}, form };
}

function tokenOf(body: Uint8Array, realm: URL, subject: string): Token {
  const parsed = parseJson(body);
  const fields: Record<string, unknown> = typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  // Harbor writes both names, one of them empty.
  const value = fields["token"] || fields["access_token"];
  // Anything that cannot stand in a header would be quoted in the error that fetch makes of it.
  if (typeof value !== "string" || value.length > longestToken || !/^[\x21-\x7e]+$/.test(value)) {
    throw new RegistryAnswerInvalid(`${subject}: the token endpoint on ${realm.host} answered without a token.`);
  }
  const lifetime = fields["expires_in"];
  return { value, lifetimeSeconds: typeof lifetime === "number" && lifetime > 0 ? lifetime : unsaidLifetimeSeconds };
}
