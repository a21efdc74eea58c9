import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createFlows, maxFlowSeconds } from "../../../cli/team-page/flow.ts";
import { createLogin, refusalReason, type Tokens } from "../../../cli/team-page/login.ts";
import { signToken } from "../../support/real/issuer.ts";

const issuer = "https://issuer.example.com";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const secrets = { state: "state", nonce: "nonce", verifier: "v".repeat(43) };
const now = Math.floor(Date.now() / 1000);
const valid = {
  iss: issuer,
  aud: "page",
  sub: "alice",
  email: "a@example.com",
  iat: now,
  exp: now + 3600,
  nonce: "nonce",
};

/** Creates a login at an issuer whose token endpoint answers this. */
function loginWith(answer: object, asked: URLSearchParams[] = []) {
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
    "/token": answer,
    "/revoke": {},
  };
  const config = { name: "company", issuer, clientId: "page", clientSecret: null, scope: "openid", parameters: {} };
  return createLogin(config, "https://pawl.example.com", async (url, { body }) => {
    if (body !== undefined && body !== null) asked.push(new URLSearchParams(body as string));
    return Response.json(documents[new URL(url).pathname]);
  });
}

async function refusalOf(answer: object, query = "?code=one&state=state"): Promise<string> {
  return loginWith(answer)
    .finish(query, secrets)
    .then(() => "accepted", refusalReason);
}

const answerOf = (claims: object, key = privateKey) => ({
  token_type: "bearer",
  access_token: "access",
  refresh_token: "refresh",
  id_token: signToken(key, { ...valid, ...claims }),
});

describe("an ID token", () => {
  test("is accepted with its nonce, and the code is exchanged with the verifier of PKCE and the fixed address", async () => {
    const asked: URLSearchParams[] = [];
    const tokens = await loginWith(answerOf({}), asked).finish("?code=one&state=state", secrets);
    expect(tokens).toMatchObject({ subject: "alice", user: "a@example.com", refreshToken: "refresh" });
    expect(tokens.expiresAt).toEqual(new Date((now + 3600) * 1000));
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      code_verifier: secrets.verifier,
      redirect_uri: "https://pawl.example.com/callback/company",
    });
  });

  test.for([
    { when: "it is of another issuer", claims: { iss: "https://evil.example" }, reason: '"iss"' },
    { when: "it is for another audience", claims: { aud: "other" }, reason: '"aud"' },
    { when: "it has expired", claims: { iat: now - 7200, exp: now - 3600 }, reason: '"exp"' },
    { when: "it answers another login", claims: { nonce: "other" }, reason: 'ID Token "nonce"' },
    { when: "it has no nonce", claims: { nonce: undefined }, reason: "(nonce) claim missing" },
    { when: "somebody else has signed it", claims: {}, key: stranger, reason: "signature verification failed" },
  ])("is refused if $when", async ({ claims, key, reason }) => {
    expect(await refusalOf(answerOf(claims, key))).toContain(reason);
  });

  test("is refused without a signature", async () => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const unsigned = { ...answerOf({}), id_token: `${encode({ alg: "none" })}.${encode(valid)}.` };
    expect(await refusalOf(unsigned)).toContain("alg");
  });

  test.for([
    ["?code=one", 'response parameter "state" missing'],
    ["?code=one&state=other", 'unexpected "state"'],
    ["?error=access_denied&state=state", "is an error: access_denied"],
    ["?state=state", "no authorization code"],
    ["", 'response parameter "state" missing'],
  ] as const)("the answer %j is refused", async ([query, reason]) => {
    expect(await refusalOf(answerOf({}), query)).toContain(reason);
  });
});

describe("a refresh", () => {
  const tokens: Tokens = {
    idToken: "old",
    refreshToken: "old",
    expiresAt: new Date(0),
    subject: "alice",
    user: "alice",
  };

  test("replaces the ID token, and keeps a refresh token that is not replaced", async () => {
    const { refresh_token: _, ...answer } = answerOf({ nonce: undefined });
    const refreshed = await loginWith(answer).refresh(tokens);
    expect(refreshed).toMatchObject({ idToken: answer.id_token, refreshToken: "old" });
  });

  test("is refused without an ID token, and with one of somebody else", async () => {
    const { id_token: _, ...without } = answerOf({});
    await expect(loginWith(without).refresh(tokens)).rejects.toThrow("the issuer returned no ID token");
    await expect(loginWith(answerOf({ nonce: undefined, sub: "bob" })).refresh(tokens)).rejects.toThrow(
      "another subject",
    );
  });

  test("is revoked at the issuer", async () => {
    const asked: URLSearchParams[] = [];
    await loginWith({}, asked).revoke(tokens);
    expect(asked.map((one) => one.get("token"))).toEqual(["old"]);
  });
});

test("the secrets of a login are of its cookie, its name, its process, and ten minutes", () => {
  const at = new Date("2026-11-20T12:00:00Z");
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const flows = createFlows();
  const { cookie, ...begun } = flows.begin("company", at);
  expect(flows.secretsOf(cookie, "company", after(maxFlowSeconds - 1))).toEqual(begun);
  expect(new Set(Object.values(begun)).size).toBe(3);
  expect(flows.secretsOf(cookie, "company", after(maxFlowSeconds))).toBeNull();
  expect(flows.secretsOf(cookie, "company", after(-1))).toBeNull();
  expect(flows.secretsOf(cookie, "other", at)?.state).not.toBe(begun.state);
  expect(createFlows().secretsOf(cookie, "company", at)?.state).not.toBe(begun.state);
  expect(
    flows.secretsOf(
      cookie.replace(/\d$/, (digit) => `${9 - Number(digit)}`),
      "company",
      after(60),
    )?.state,
  ).not.toBe(begun.state);
  for (const forged of ["", "x", `${cookie}x`, `.${at.getTime()}`])
    expect(flows.secretsOf(forged, "company", at)).toBeNull();
});
