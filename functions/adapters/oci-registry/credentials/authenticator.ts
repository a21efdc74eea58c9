import { LRUCache } from "lru-cache";
import { RegistryAnswerInvalid, RegistryUnauthorized } from "../../../ports/errors.ts";
import { parseChallenge, type Challenge } from "./www-authenticate.ts";
import { basicAuthorization, type Credentials, type CredentialsFor } from "./credentials.ts";
import type { HostPolicy } from "../http/host-policy.ts";
import { isRegistryHost, repositoryName } from "../urls.ts";
import { createTokenCache, fetchToken, tokenKey, type Bearer } from "./token.ts";
import { computeCredentialId, type Principal, type RequestOrigin } from "./identity.ts";

/** Authenticates if a registry requires it, and caches its challenge. */
export interface Authenticator {
  /** Returns the principal for this URL; unauthenticated if its host has not sent a challenge yet. */
  cachedCredentials(url: URL, origin: RequestOrigin): Promise<Principal>;
  /** Returns the principal for a `WWW-Authenticate` challenge; `rejected` is the `Authorization` that was sent. */
  authenticate(url: URL, origin: RequestOrigin, challenge: string | null, rejected: string | null): Promise<Principal>;
}

export interface AuthenticatorOptions {
  readonly credentials: CredentialsFor;
  readonly hosts: HostPolicy;
  readonly bounds: { readonly seconds: number; readonly bytes: number };
  readonly now: () => Date;
}

const maxRepositories = 20_000;

export function createAuthenticator({ credentials, hosts, bounds, now }: AuthenticatorOptions): Authenticator {
  const challenges = new LRUCache<string, Challenge>({ max: maxRepositories });
  const tokens = createTokenCache(now);

  async function cachedCredentials(url: URL, origin: RequestOrigin): Promise<Principal> {
    const challenge = challenges.get(challengeKey(url, origin)) ?? hostChallenge(url, origin);
    if (challenge !== undefined) return createPrincipal(challenge, url, origin, null);
    return {
      identity: "unauthenticated",
      credentialId: "unauthenticated",
      expectedCredentialId: async () => computeCredentialId(await findLogin(url, origin)),
      authorizationHeader: async () => null,
    };
  }

  async function authenticate(
    url: URL,
    origin: RequestOrigin,
    header: string | null,
    rejected: string | null,
  ): Promise<Principal> {
    const key = challengeKey(url, origin);
    const challenge = header === null ? challenges.get(key) : parseChallenge(header);
    if (challenge === undefined || challenge === null) throw unsupportedChallenge(url, origin);
    challenges.set(key, challenge);
    if (challenge.kind === "bearer") challenges.set(url.origin, challenge);
    return createPrincipal(challenge, url, origin, rejected);
  }

  /** A host that requires tokens for one repository requires them for all: this saves a 401 for each. */
  function hostChallenge(url: URL, { image }: RequestOrigin): Challenge | undefined {
    const challenge = isRegistryHost(url, image) ? challenges.get(url.origin) : undefined;
    return challenge?.kind === "bearer" ? challenge : undefined;
  }

  /** The image's login is for the image's own registry, not for hosts that it redirects to. */
  async function findLogin(url: URL, { image, logins }: RequestOrigin): Promise<Credentials | null> {
    return isRegistryHost(url, image) ? credentials(image, logins) : null;
  }

  async function createPrincipal(
    challenge: Challenge,
    url: URL,
    origin: RequestOrigin,
    rejected: string | null,
  ): Promise<Principal> {
    const login = await findLogin(url, origin);
    const credentialId = computeCredentialId(login);
    return {
      identity: login === null ? "anonymous" : "login",
      credentialId,
      expectedCredentialId: async () => credentialId,
      authorizationHeader: async () =>
        challenge.kind === "basic"
          ? basicHeader(login, url, origin)
          : bearerHeader(challenge, url, origin, login, rejected),
    };
  }

  function bearerHeader(
    challenge: Bearer,
    url: URL,
    origin: RequestOrigin,
    login: Credentials | null,
    rejected: string | null,
  ): Promise<string> {
    // Not the scope of the challenge: a registry could ask for a token that is worth more than a list of tags.
    const request = { service: challenge.service, scope: `repository:${origin.image.repository}:pull` };
    const key = tokenKey([url.origin, challenge.realm, request, login]);
    if (rejected !== null) tokens.forget(key, rejected);
    return tokens.get(key, async () => {
      const subject = repositoryName(origin.image);
      const mayBePrivate = (target: URL) => hosts.mayBePrivate(target, origin.image);
      return fetchToken(parseRealm(challenge, subject), request, login, { ...bounds, subject, mayBePrivate }, now());
    });
  }

  function parseRealm(challenge: Bearer, subject: string): URL {
    const realm = URL.parse(challenge.realm);
    if (realm === null)
      throw new RegistryAnswerInvalid(`${subject}: the realm of the registry's challenge is not a valid URL.`);
    hosts.assertAllowed(realm, `${subject}: fetching a token`);
    return realm;
  }

  return { cachedCredentials, authenticate };
}

function basicHeader(login: Credentials | null, url: URL, { image }: RequestOrigin): string {
  if (login?.kind === "password") return basicAuthorization(login.username, login.password);
  throw new RegistryUnauthorized(
    `${repositoryName(image)}: ${url.host} requires a user name and a password, and none is configured; ` +
      `add an "auth" for ${url.host} to the docker config.`,
  );
}

function challengeKey(url: URL, { image }: RequestOrigin): string {
  return `${url.origin} ${repositoryName(image)}`;
}

function unsupportedChallenge(url: URL, { image }: RequestOrigin): RegistryUnauthorized {
  return new RegistryUnauthorized(
    `${repositoryName(image)}: ${url.host} requires authentication, but offers neither Bearer nor Basic.`,
  );
}
