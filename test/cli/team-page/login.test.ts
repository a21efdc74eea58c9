import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createFlows, maxFlowSeconds } from "../../../cli/team-page/flow.ts";
import { createLogin, refusalReason, type Tokens } from "../../../cli/team-page/login.ts";
import { answerOf, fetchOf, issuer, valid } from "./issuer.ts";

const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const secrets = { state: "state", nonce: "nonce", verifier: "v".repeat(43) };
const { iat: now } = valid;

/** Creates a login at an issuer whose token endpoint answers this. */
function loginWith(answer: object, asked: URLSearchParams[] = []) {
  const config = { name: "company", issuer, clientId: "page", clientSecret: null, scope: "openid", parameters: {} };
  return createLogin(config, "https://pawl.example.com", fetchOf(answer, asked));
}

async function refusalOf(answer: object, query = "?code=one&state=state"): Promise<string> {
  return loginWith(answer)
    .finish(query, secrets)
    .then(() => "accepted", refusalReason);
}

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

test("the secrets of a login are of its cookie with the session that it replaces, its name, its process, and ten minutes", () => {
  const at = new Date("2026-11-20T12:00:00Z");
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const flows = createFlows();
  const { cookie, ...begun } = flows.begin("company", at, "old-session");
  expect(flows.find(cookie, "company", after(maxFlowSeconds - 1))).toEqual(begun);
  expect(new Set(Object.values(begun)).size).toBe(4);
  expect(flows.find(cookie, "company", after(maxFlowSeconds))).toBeNull();
  expect(flows.find(cookie, "company", after(-1))).toBeNull();
  expect(flows.find(cookie, "other", at)?.state).not.toBe(begun.state);
  expect(createFlows().find(cookie, "company", at)?.state).not.toBe(begun.state);
  const forgedTime = cookie.replace(/\d\./, (end) => `${9 - Number(end[0])}.`);
  for (const forged of [forgedTime, `${cookie}x`])
    expect(flows.find(forged, "company", after(60))?.state).not.toBe(begun.state);
  for (const forged of ["", "x", `${cookie}.x`, `.${at.getTime()}.`])
    expect(flows.find(forged, "company", at)).toBeNull();
});
