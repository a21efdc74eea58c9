import * as oidc from "openid-client";
import type { LoginConfig } from "./config.ts";
import type { FlowSecrets } from "./flow.ts";

export type CustomFetch = oidc.CustomFetch;

/** What an issuer has said about a viewer. It never leaves this process but to the API servers of the login, and to the issuer. */
export interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string | null;
  /** Of the ID token. */
  readonly expiresAt: Date;
  readonly subject: string;
  /** For people. */
  readonly user: string;
}

/** Logs viewers in at one issuer, as one client. Each function throws if the issuer does not answer, or its answer is not valid. */
export interface Login {
  /** Returns where the browser goes. */
  begin(secrets: FlowSecrets): Promise<URL>;
  /** Exchanges the answer that the browser brings, the query of its address. */
  finish(query: string, secrets: FlowSecrets): Promise<Tokens>;
  refresh(tokens: Tokens): Promise<Tokens>;
  /** Revokes the refresh token, if the issuer can. */
  revoke(tokens: Tokens): Promise<void>;
}

/** `url` is that of the page: the address that an issuer returns to never follows from a request. */
export function createLogin(
  { name, issuer, clientId, clientSecret, scope, parameters }: LoginConfig,
  url: string,
  customFetch?: CustomFetch,
): Login {
  const redirectUri = `${url}/callback/${name}`;
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  let discovered: Promise<oidc.Configuration> | null = null;

  function discover(): Promise<oidc.Configuration> {
    return oidc.discovery(new URL(issuer), clientId, {}, authentication, {
      // The signature of an ID token is verified, although it comes from the issuer itself.
      execute: [oidc.enableNonRepudiationChecks],
      ...(customFetch === undefined ? {} : { [oidc.customFetch]: customFetch }),
    });
  }

  /** Asks again after a failure. */
  function configuration(): Promise<oidc.Configuration> {
    discovered ??= discover().catch((error: unknown) => {
      discovered = null;
      throw error;
    });
    return discovered;
  }

  return {
    async begin({ state, nonce, verifier }) {
      return oidc.buildAuthorizationUrl(await configuration(), {
        ...parameters,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },
    async finish(query, { state, nonce, verifier }) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      return tokensOf(
        await oidc.authorizationCodeGrant(await configuration(), new URL(`${redirectUri}${query}`), checks),
      );
    },
    async refresh(tokens) {
      const answer = await oidc.refreshTokenGrant(await configuration(), tokens.refreshToken ?? "");
      const refreshed = tokensOf(answer);
      if (refreshed.subject !== tokens.subject) throw new Error("the refreshed ID token is of another subject");
      return { ...refreshed, refreshToken: refreshed.refreshToken ?? tokens.refreshToken };
    },
    async revoke({ refreshToken }) {
      const found = await configuration();
      if (refreshToken === null || found.serverMetadata().revocation_endpoint === undefined) return;
      await oidc.tokenRevocation(found, refreshToken);
    },
  };
}

type Answer = Pick<
  Awaited<ReturnType<typeof oidc.refreshTokenGrant>>,
  "claims" | "id_token" | "refresh_token" | "token_type"
>;

function tokensOf(answer: Answer): Tokens {
  const claims = answer.claims();
  if (claims === undefined || answer.id_token === undefined) throw new Error("the issuer returned no ID token");
  const { sub, exp, email, preferred_username: preferred } = claims;
  const named = [email, preferred].find((one): one is string => typeof one === "string");
  return {
    idToken: answer.id_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: new Date(exp * 1000),
    subject: sub,
    user: named ?? sub,
  };
}

/** Returns why a login was refused: the client of OpenID Connect says in the cause what is wrong. */
export function refusalReason(error: unknown): string {
  const { message, cause, error: code } = error as Error & { readonly error?: unknown };
  if (cause instanceof Error) return `${message}: ${cause.message}`;
  // A code of OAuth, which the address of a callback may have invented.
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? `${message}: ${code}` : message;
}
