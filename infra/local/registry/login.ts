import { randomBytes } from "node:crypto";
import type { RegistryResponse } from "./reply.ts";

export interface Login {
  readonly kind: "basic" | "bearer";
  readonly username: string;
  readonly password: string;
}

/** Authenticates requests. */
export interface Authorizer {
  /** Returns the error response to an unauthorized request for a repository; null if it is authorized. */
  authorize(authorization: string | undefined, repository: string | null): RegistryResponse | null;
  /** Returns the response of the token endpoint. */
  issueToken(authorization: string | undefined, query: URLSearchParams): RegistryResponse;
}

export function createAuthorizer(login: Login | null, url: string): Authorizer {
  const scopes = new Map<string, readonly string[]>();

  function authorize(authorization: string | undefined, repository: string | null): RegistryResponse | null {
    if (login === null) return null;
    if (login.kind === "basic") return hasCredentials(authorization, login) ? null : unauthorized(`Basic realm="pawl"`);
    const granted = scopes.get(authorization ?? "");
    const needed = repository === null ? null : `repository:${repository}:pull`;
    if (granted !== undefined && (needed === null || granted.includes(needed))) return null;
    const scope = needed === null ? "" : `,scope="${needed}"`;
    return unauthorized(`Bearer realm="${url}/token",service="pawl"${scope}`);
  }

  function issueToken(authorization: string | undefined, query: URLSearchParams): RegistryResponse {
    if (login === null || !hasCredentials(authorization, login)) return unauthorized(`Basic realm="pawl"`);
    const token = randomBytes(16).toString("hex");
    scopes.set(`Bearer ${token}`, query.getAll("scope"));
    return { status: 200, body: JSON.stringify({ token, expires_in: 300 }) };
  }

  return { authorize, issueToken };
}

function hasCredentials(authorization: string | undefined, { username, password }: Login): boolean {
  return authorization === `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function unauthorized(challenge: string): RegistryResponse {
  const body = JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] });
  return { status: 401, headers: { "www-authenticate": challenge }, body };
}
