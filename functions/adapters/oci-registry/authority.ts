import { createHash } from "node:crypto";
import type { ImageReference } from "../../domain/image-reference.ts";
import { RegistryAnswerInvalid, RegistryRefused } from "../errors.ts";
import { parseChallenge, type Challenge } from "./challenge.ts";
import { basicHeader, type Credentials, type CredentialsFor } from "./credentials.ts";
import type { Identity } from "./failure.ts";
import { assertMayAsk, isOwnHost, named } from "./places.ts";
import { fetchToken, type Bearer } from "./token.ts";
import { tokenCache } from "./token-cache.ts";

export interface Authorization {
  readonly header: string;
  readonly identity: Identity;
}

/** Logs in where a registry asks for it, and knows from then on that it does. */
export interface Authority {
  /** What to send to a host that has asked before; null to one that has not. */
  recall(url: URL, image: ImageReference): Promise<Authorization | null>;
  /** What to send after `refused` met with this `WWW-Authenticate`. */
  renew(
    url: URL,
    image: ImageReference,
    challenge: string | null,
    refused: Authorization | null,
  ): Promise<Authorization>;
}

export interface AuthoritySettings {
  readonly credentials: CredentialsFor;
  readonly insecureHosts: ReadonlySet<string>;
  readonly bounds: { readonly seconds: number; readonly bytes: number };
  readonly now: () => Date;
}

export function createAuthority({ credentials, insecureHosts, bounds, now }: AuthoritySettings): Authority {
  const asked = new Map<string, Challenge>();
  const tokens = tokenCache(now);

  async function recall(url: URL, image: ImageReference): Promise<Authorization | null> {
    const challenge = asked.get(placeOf(url, image));
    return challenge === undefined ? null : authorize(challenge, url, image, null);
  }

  async function renew(url: URL, image: ImageReference, header: string | null, refused: Authorization | null) {
    const challenge = header === null ? asked.get(placeOf(url, image)) : parseChallenge(header);
    if (challenge === undefined || challenge === null) throw unknownLogin(url, image);
    asked.set(placeOf(url, image), challenge);
    return authorize(challenge, url, image, refused);
  }

  async function authorize(challenge: Challenge, url: URL, image: ImageReference, refused: Authorization | null) {
    // The image's login is for the image's own registry, not for hosts that one leads to.
    const login = isOwnHost(url, image) ? await credentials(image) : null;
    if (challenge.kind === "basic") return basic(login, url, image);
    const key = keyOf(challenge, url, image, login);
    if (refused !== null) tokens.forget(key, refused.header);
    const header = await tokens.get(key, () => fetchFor(challenge, image, login));
    return { header, identity: login === null ? "anonymous" : "login" } satisfies Authorization;
  }

  async function fetchFor(challenge: Bearer, image: ImageReference, login: Credentials | null) {
    const subject = named(image);
    const realm = URL.parse(challenge.realm);
    if (realm === null) throw new RegistryAnswerInvalid(`${subject}: the registry names no URL to fetch a token from.`);
    assertMayAsk(realm, insecureHosts, `${subject}: fetching a token`);
    const request = { service: challenge.service, scopes: scopesOf(challenge, image) };
    return fetchToken(realm, request, login, { ...bounds, subject }, now());
  }

  return { recall, renew };
}

function basic(login: Credentials | null, url: URL, image: ImageReference): Authorization {
  if (login?.kind === "password") return { header: basicHeader(login.username, login.password), identity: "login" };
  throw new RegistryRefused(
    `${named(image)}: ${url.host} wants a user name and a password, and there is none for it. ` +
      `Add an "auth" for ${url.host} to the docker config.`,
  );
}

function scopesOf({ scope }: Bearer, image: ImageReference): readonly string[] {
  return scope?.split(" ").filter((one) => one !== "") ?? [`repository:${image.repository}:pull`];
}

function placeOf(url: URL, image: ImageReference): string {
  return `${url.origin} ${named(image)}`;
}

function keyOf(challenge: Bearer, url: URL, image: ImageReference, login: Credentials | null): string {
  const parts = [url.origin, challenge.realm, challenge.service, scopesOf(challenge, image), login];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function unknownLogin(url: URL, image: ImageReference): RegistryRefused {
  return new RegistryRefused(
    `${named(image)}: ${url.host} wants a login and offers neither bearer tokens nor a user name and password for it.`,
  );
}
