import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import { Provider } from "oidc-provider";

interface Options {
  readonly port: number;
  readonly certificate: { readonly key: string; readonly cert: string };
  /** Their redirect URIs by client id. */
  readonly clients: Readonly<Record<string, string>>;
}

interface Issuer {
  readonly url: string;
  /** Signs an ID token as the issuer does. `claims` replace those of a valid one for `audience`. */
  sign(audience: string, claims?: object): string;
  close(): Promise<void>;
}

export const clientSecret = "secret-of-the-client";
const keyId = "key-of-the-issuer";

/** Starts an issuer of OpenID Connect on loopback, which believes everybody who they say they are. */
export async function startIssuer({ port, certificate, clients }: Options): Promise<Issuer> {
  const url = `https://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(url, {
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: keyId, use: "sig", alg: "RS256" }] },
    cookies: { keys: ["cookies"] },
    clients: Object.entries(clients).map(([id, redirectUri]) => ({
      client_id: id,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
    })),
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    // The ID token has the claims itself, as Kubernetes reads them.
    conformIdTokenClaims: false,
    features: { revocation: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true }),
    }),
  });
  const server = createServer(certificate, provider.callback()).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url,
    sign: (audience, claims = {}) => signToken(privateKey, { ...validClaims(url, audience), ...claims }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function validClaims(iss: string, aud: string) {
  const iat = Math.floor(Date.now() / 1000);
  return { iss, aud, sub: "alice", email: "alice@example.com", email_verified: true, iat, exp: iat + 3600 };
}

/** Signs a JSON Web Token with RS256. */
export function signToken(key: KeyObject, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg: "RS256", kid: keyId })}.${encode(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}
