import { generateKeyPairSync } from "node:crypto";
import type { CustomFetch } from "../../../cli/team-page/login.ts";
import { signToken } from "../../support/real/issuer.ts";

export const issuer = "https://issuer.example.com";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const now = Math.floor(Date.now() / 1000);
export const valid = {
  iss: issuer,
  aud: "page",
  sub: "alice",
  email: "a@example.com",
  iat: now,
  exp: now + 3600,
  nonce: "nonce",
};

export const answerOf = (claims: object, key = privateKey) => ({
  token_type: "bearer",
  access_token: "access",
  refresh_token: "refresh",
  id_token: signToken(key, { ...valid, ...claims }),
});

/** Answers as an issuer whose token endpoint answers this. */
export function fetchOf(answer: object | (() => object), asked: URLSearchParams[] = []): CustomFetch {
  const documents: Readonly<Record<string, object>> = {
    "/.well-known/openid-configuration": {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    },
    "/keys": { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "key-of-the-issuer", alg: "RS256" }] },
    "/revoke": {},
  };
  return async (url, { body }) => {
    if (body !== undefined && body !== null) asked.push(new URLSearchParams(body as string));
    const path = new URL(url).pathname;
    return Response.json(path === "/token" ? (typeof answer === "function" ? answer() : answer) : documents[path]);
  };
}
