import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import * as v from "valibot";
import { parseJson } from "../../domain/text/parse-json.ts";
import { Forbidden, SecretUnreadable } from "../../ports/errors.ts";
import { secondsAfter } from "../../domain/text/rfc3339.ts";
import { createExpiringCache, type ExpiringCache } from "../expiring-cache.ts";
import { mapResponseError } from "./errors.ts";
import type { GitHubResponse, SendGitHub } from "./send.ts";

/** The access of an App to one repository. */
export interface AppAccess {
  readonly token: string;
  /** The login of what it opens. No person has one with brackets. */
  readonly login: string;
}

export interface AppAccessOptions {
  readonly send: SendGitHub;
  readonly apiUrl: string;
  /** OWNER/NAME. */
  readonly repository: string;
  /** The text `{"appId": "…", "privateKey": "-----BEGIN…"}`. */
  readonly secret: ExpiringCache<string>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly now: () => Date;
}

/** Clocks differ: GitHub refuses a token from its future, and one that is valid for more than ten minutes. */
const issuedBeforeSeconds = 60;
const validSeconds = 9 * 60;

/** A token is not used in the last minutes of its hour. */
const reserveSeconds = 5 * 60;

const appSecret = v.object({ appId: v.union([v.string(), v.number()]), privateKey: v.string() });
const installation = v.object({ id: v.number(), app_slug: v.string() });
const accessToken = v.object({ token: v.string(), expires_at: v.string() });

/** Creates the cache of an installation's token, which is valid for one repository and these permissions only. */
export function createAppAccess({
  send,
  apiUrl,
  repository,
  secret,
  permissions,
  now,
}: AppAccessOptions): ExpiringCache<AppAccess> {
  /** A secret that GitHub rejects may have been replaced since it was read. */
  async function sendAsApp(method: "GET" | "POST", path: string, body?: unknown): Promise<GitHubResponse> {
    const used = await secret.get();
    const attempt = (text: string) => send({ method, url: `${apiUrl}${path}`, token: signAppToken(text, now()), body });
    const response = await attempt(used);
    if (response.status !== 401) return response;
    secret.forget(used);
    const next = await secret.get();
    return next === used ? response : attempt(next);
  }

  return createExpiringCache(async () => {
    const found = await sendAsApp("GET", `/repos/${repository}/installation`);
    if (found.status === 404)
      throw new Forbidden(`${repository}: the GitHub App is not installed there; install it for this repository`);
    const { id, app_slug: slug } = parseAs(installation, found, repository, now());
    const [, name] = repository.split("/");
    const answer = await sendAsApp("POST", `/app/installations/${id}/access_tokens`, {
      repositories: [name],
      permissions,
    });
    if (answer.status === 422)
      throw new Forbidden(
        `${repository}: the GitHub App has not all of ${Object.keys(permissions).join(", ")} (write); give it these permissions, and accept them in its installation`,
      );
    const { token, expires_at: expiresAt } = parseAs(accessToken, answer, repository, now());
    const value = { token, login: `${slug}[bot]` };
    return { value, expiresAt: secondsAfter(new Date(expiresAt), -reserveSeconds) };
  }, now);
}

function parseAs<Schema extends v.GenericSchema>(
  schema: Schema,
  response: GitHubResponse,
  subject: string,
  now: Date,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, response.body);
  if (response.status < 300 && parsed.success) return parsed.output;
  throw mapResponseError(response.status < 300 ? { ...response, status: 502 } : response, subject, now);
}

/** Signs the token of the App itself (RS256). Throws `SecretUnreadable`, which never has a part of the secret. */
function signAppToken(text: string, now: Date): string {
  const parsed = v.safeParse(appSecret, parseJson(text));
  if (!parsed.success)
    throw new SecretUnreadable('the secret of the GitHub App is not {"appId": "…", "privateKey": "…"}');
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = { iat: seconds - issuedBeforeSeconds, exp: seconds + validSeconds, iss: String(parsed.output.appId) };
  const content = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => encode(JSON.stringify(part))).join(".");
  return `${content}.${encode(sign("sha256", Buffer.from(content), keyOf(parsed.output.privateKey)))}`;
}

function keyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new SecretUnreadable(
      "the secret of the GitHub App has no private key in PEM; download one in the App's settings",
    );
  }
}

function encode(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64url");
}
