import { LRUCache } from "lru-cache";
import { RegistryAnswerInvalid, RegistryRefused } from "../errors.ts";
import { parseChallenge, type Challenge } from "./challenge.ts";
import { basicHeader, type Credentials, type CredentialsFor } from "./credentials.ts";
import { assertMayAsk, isOwnHost, named } from "./places.ts";
import { fetchToken, type Bearer } from "./token.ts";
import { tokenCache, tokenKey } from "./token-cache.ts";
import { type Asker, type Visitor, whoseOf } from "./visitor.ts";

/** Logs in where a registry asks for it, and knows from then on that it does. */
export interface Authority {
  /** Who asks at this URL: nobody, where its host has not asked for a login before. */
  recall(url: URL, asker: Asker): Promise<Visitor>;
  /** Who asks after `refused` met with this `WWW-Authenticate`; `refused` is the `Authorization` that was sent. */
  renew(url: URL, asker: Asker, challenge: string | null, refused: string | null): Promise<Visitor>;
}

export interface AuthoritySettings {
  readonly credentials: CredentialsFor;
  readonly insecureHosts: ReadonlySet<string>;
  readonly bounds: { readonly seconds: number; readonly bytes: number };
  readonly now: () => Date;
}

const mostRepositories = 20_000;

export function createAuthority({ credentials, insecureHosts, bounds, now }: AuthoritySettings): Authority {
  const asked = new LRUCache<string, Challenge>({ max: mostRepositories });
  const tokens = tokenCache(now);

  async function recall(url: URL, asker: Asker): Promise<Visitor> {
    const challenge = asked.get(placeOf(url, asker)) ?? usualAt(url, asker);
    if (challenge !== undefined) return visit(challenge, url, asker, null);
    const wouldBe = async () => whoseOf(await loginAt(url, asker));
    return { identity: "nobody", whose: "nobody", wouldBe, header: async () => null };
  }

  async function renew(url: URL, asker: Asker, header: string | null, refused: string | null): Promise<Visitor> {
    const place = placeOf(url, asker);
    const challenge = header === null ? asked.get(place) : parseChallenge(header);
    if (challenge === undefined || challenge === null) throw unknownLogin(url, asker);
    asked.set(place, challenge);
    // The scope is the repository's own: without it, that of pulling from the next one is asked for.
    if (challenge.kind === "bearer") asked.set(url.origin, { ...challenge, scope: null });
    return visit(challenge, url, asker, refused);
  }

  /** A host that asks for a token for one repository does so for the next, whose 401 need not be waited for. */
  function usualAt(url: URL, { image }: Asker): Challenge | undefined {
    const usual = isOwnHost(url, image) ? asked.get(url.origin) : undefined;
    return usual?.kind === "bearer" ? usual : undefined;
  }

  /** The image's login is for the image's own registry, not for hosts that one leads to. */
  async function loginAt(url: URL, { image, logins }: Asker): Promise<Credentials | null> {
    return isOwnHost(url, image) ? credentials(image, logins) : null;
  }

  async function visit(challenge: Challenge, url: URL, asker: Asker, refused: string | null): Promise<Visitor> {
    const login = await loginAt(url, asker);
    const whose = whoseOf(login);
    const header = async () =>
      challenge.kind === "basic" ? basic(login, url, asker) : bearer(challenge, url, asker, login, refused);
    return { identity: login === null ? "anonymous" : "login", whose, wouldBe: async () => whose, header };
  }

  function bearer(challenge: Bearer, url: URL, asker: Asker, login: Credentials | null, refused: string | null) {
    const request = { service: challenge.service, scopes: scopesOf(challenge, asker) };
    const key = tokenKey([url.origin, challenge.realm, request, login]);
    if (refused !== null) tokens.forget(key, refused);
    return tokens.get(key, async () => {
      const subject = named(asker.image);
      return fetchToken(realmOf(challenge, subject), request, login, { ...bounds, subject }, now());
    });
  }

  function realmOf(challenge: Bearer, subject: string): URL {
    const realm = URL.parse(challenge.realm);
    if (realm === null) throw new RegistryAnswerInvalid(`${subject}: the registry names no URL to fetch a token from.`);
    assertMayAsk(realm, insecureHosts, `${subject}: fetching a token`);
    return realm;
  }

  return { recall, renew };
}

function basic(login: Credentials | null, url: URL, { image }: Asker): string {
  if (login?.kind === "password") return basicHeader(login.username, login.password);
  throw new RegistryRefused(
    `${named(image)}: ${url.host} wants a user name and a password, and there is none for it. ` +
      `Add an "auth" for ${url.host} to the docker config.`,
  );
}

function scopesOf({ scope }: Bearer, { image }: Asker): readonly string[] {
  return scope?.split(" ").filter((one) => one !== "") ?? [`repository:${image.repository}:pull`];
}

function placeOf(url: URL, { image }: Asker): string {
  return `${url.origin} ${named(image)}`;
}

function unknownLogin(url: URL, { image }: Asker): RegistryRefused {
  return new RegistryRefused(
    `${named(image)}: ${url.host} wants a login and offers neither bearer tokens nor a user name and password for it.`,
  );
}
