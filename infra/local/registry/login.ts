import { randomBytes } from "node:crypto";
import type { Reply } from "./reply.ts";

export interface Login {
  readonly kind: "basic" | "bearer";
  readonly username: string;
  readonly password: string;
}

/** Who may see what. */
export interface Gate {
  /** The refusal of a request for a repository; null where it may pass. */
  check(authorization: string | undefined, repository: string | null): Reply | null;
  /** The answer of the token endpoint. */
  issue(authorization: string | undefined, query: URLSearchParams): Reply;
}

export function gateFor(login: Login | null, url: string): Gate {
  const scopes = new Map<string, readonly string[]>();

  function check(authorization: string | undefined, repository: string | null): Reply | null {
    if (login === null) return null;
    if (login.kind === "basic") return isLogin(authorization, login) ? null : unauthorized(`Basic realm="pawl"`);
    const granted = scopes.get(authorization ?? "");
    const needed = repository === null ? null : `repository:${repository}:pull`;
    if (granted !== undefined && (needed === null || granted.includes(needed))) return null;
    const scope = needed === null ? "" : `,scope="${needed}"`;
    return unauthorized(`Bearer realm="${url}/token",service="pawl"${scope}`);
  }

  function issue(authorization: string | undefined, query: URLSearchParams): Reply {
    if (login === null || !isLogin(authorization, login)) return unauthorized(`Basic realm="pawl"`);
    const token = randomBytes(16).toString("hex");
    scopes.set(`Bearer ${token}`, query.getAll("scope"));
    return { status: 200, body: JSON.stringify({ token, expires_in: 300 }) };
  }

  return { check, issue };
}

function isLogin(authorization: string | undefined, { username, password }: Login): boolean {
  return authorization === `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function unauthorized(challenge: string): Reply {
  const body = JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] });
  return { status: 401, headers: { "www-authenticate": challenge }, body };
}
