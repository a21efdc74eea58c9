import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Lets requests through that have the token of the URL and come from the page itself. */
export interface Session {
  /** Of the URL's fragment, which no browser sends to a server. */
  readonly token: string;
  /** `Set-Cookie` for the right token; null for another. */
  exchange(token: string): string | null;
  /** Why the request is refused, as a status; null if it is not. */
  refusal(request: IncomingMessage, needsCookie: boolean): 401 | 403 | null;
}

/** `host` is `127.0.0.1:PORT`. Cookies are shared by all ports of a host, so the cookie is named after the port. */
export function createSession(host: string): Session {
  const token = randomBytes(32).toString("base64url");
  const secret = randomBytes(32).toString("base64url");
  const port = host.slice(host.lastIndexOf(":") + 1);
  const cookie = `pawl-${port}`;
  const origins = [`http://${host}`, `http://localhost:${port}`];

  return {
    token,
    exchange(given) {
      return isEqual(given, token) ? `${cookie}=${secret}; HttpOnly; SameSite=Strict; Path=/` : null;
    },
    refusal(request, needsCookie) {
      if (isForeign(request, origins, needsCookie)) return 403;
      return !needsCookie || isEqual(readCookie(request.headers.cookie, cookie), secret) ? null : 401;
    },
  };
}

/** Reports whether a request may come from another page than that of these origins. */
export function isForeign(
  { headers, method }: IncomingMessage,
  origins: readonly string[],
  isOfPageOnly: boolean,
): boolean {
  // Against DNS rebinding: the name that the browser asked for is that of an attacker's page.
  if (!origins.some((one) => new URL(one).host === headers.host)) return true;
  const { origin } = headers;
  if (origin === undefined ? method !== "GET" : !origins.includes(origin)) return true;
  const site = headers["sec-fetch-site"];
  return isOfPageOnly && site !== undefined && site !== "same-origin" && site !== "none";
}

export function readCookie(header: string | undefined, name: string): string {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

export function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
