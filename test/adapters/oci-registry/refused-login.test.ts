import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { basicHeader } from "../../../functions/adapters/oci-registry/credentials.ts";
import { adapterFor, failureOf, imageOn, json, login, scripted, secret } from "./scripted.ts";

type Case = {
  readonly promise: string;
  /** The WWW-Authenticate header; the host takes the place of HOST. */
  readonly challenge?: string;
  readonly token?: (response: ServerResponse) => void;
  readonly anonymous?: boolean;
  readonly status?: number;
  readonly error: string;
  readonly says: RegExp;
};

const bearer = 'Bearer realm="http://HOST/token",service="reg"';

test.for<Case>([
  {
    promise: "a login that is refused with its token is not tried for ever",
    error: "RegistryRefused",
    says: /answered 401.*may not read/,
  },
  {
    promise: "an anonymous token that is refused asks for a login",
    anonymous: true,
    error: "RegistryRefused",
    says: /wants a login\. Add one for/,
  },
  {
    promise: "a login that may not read is said to be so",
    status: 403,
    error: "RegistryRefused",
    says: /answered 403 \(DENIED\).*give it the right to pull/,
  },
  {
    promise: "a refused password is said to be so",
    challenge: "Basic",
    error: "RegistryRefused",
    says: /answered 401.*Renew it/,
  },
  {
    promise: "a missing password is said to be so",
    challenge: "Basic",
    anonymous: true,
    error: "RegistryRefused",
    says: /wants a user name and a password.*Add an "auth"/,
  },
  {
    promise: "a login that Pawl does not know is said to be so",
    challenge: "Negotiate abc==",
    error: "RegistryRefused",
    says: /offers neither/,
  },
  {
    promise: "a refusal that asks for nothing is one",
    challenge: "",
    error: "RegistryRefused",
    says: /offers neither/,
  },
  {
    promise: "a realm that is no URL is none",
    challenge: 'Bearer realm="token"',
    error: "RegistryAnswerInvalid",
    says: /no URL to fetch a token from/,
  },
  {
    promise: "a login goes to no realm without encryption",
    challenge: 'Bearer realm="http://tokens.example/token"',
    error: "RegistryAnswerInvalid",
    says: /http:\/\/tokens\.example, which is not encrypted/,
  },
  {
    promise: "a login goes to no realm that is not even HTTP",
    challenge: 'Bearer realm="ftp://tokens.example/"',
    error: "RegistryAnswerInvalid",
    says: /not encrypted/,
  },
  {
    promise: "a login in the realm is not used",
    challenge: 'Bearer realm="https://a:b@tokens.example/"',
    error: "RegistryAnswerInvalid",
    says: /with a login in it/,
  },
  {
    promise: "a token endpoint that refuses the login",
    token: (response) => json(response, {}, {}, 401),
    error: "RegistryRefused",
    says: /fetching a token.*401/,
  },
  {
    promise: "a token endpoint that does not take the login",
    token: (response) => json(response, {}, {}, 400),
    error: "RegistryRefused",
    says: /does not take the login/,
  },
  {
    promise: "a token endpoint that fails is unreachable",
    token: (response) => json(response, {}, {}, 503),
    error: "Unreachable",
    says: /fetching a token.*503/,
  },
  {
    promise: "a token endpoint that is not there is no missing repository",
    token: (response) => json(response, {}, {}, 404),
    error: "RegistryAnswerInvalid",
    says: /fetching a token.*404/,
  },
  {
    promise: "a token endpoint that wants rest gets it",
    token: (response) => json(response, {}, { "retry-after": "7" }, 429),
    error: "Throttled",
    says: /7 seconds/,
  },
  {
    promise: "a token endpoint that does not answer is not waited for",
    token: () => undefined,
    error: "Unreachable",
    says: /did not finish/,
  },
  {
    promise: "an answer without a token is none",
    token: (response) => json(response, { tokens: [] }),
    error: "RegistryAnswerInvalid",
    says: /without a token/,
  },
  {
    promise: "an empty token is none",
    token: (response) => json(response, { token: "" }),
    error: "RegistryAnswerInvalid",
    says: /without a token/,
  },
  {
    promise: "a token that no header can carry is none, and is not shown",
    token: (response) => json(response, { token: `${secret}\n` }),
    error: "RegistryAnswerInvalid",
    says: /without a token/,
  },
  {
    promise: "a token endpoint does not pass the login on",
    token: (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
    error: "RegistryAnswerInvalid",
    says: /answered 307/,
  },
])("$promise: $error", async ({ challenge = bearer, token, anonymous = false, status = 401, error, says }) => {
  await using server = await scripted(({ path, authorization }, response, host) => {
    if (path.startsWith("/token")) return token === undefined ? json(response, { token: secret }) : token(response);
    const asks = authorization === null || status === 401;
    const header = asks && challenge !== "" ? { "www-authenticate": challenge.replace("HOST", host) } : {};
    return json(response, { errors: [{ code: "DENIED", message: secret }] }, header, asks ? 401 : status);
  });
  const registry = adapterFor([server.host], { credentials: async () => (anonymous ? null : login) });
  const failure = await failureOf(registry.listTags(imageOn(server.host)));
  expect(failure).toMatchObject({ name: error, message: expect.stringMatching(says) });
  expect(failure.message + failure.logged).not.toContain(secret);
  expect(failure.message + failure.logged).not.toContain(basicHeader(login.username, secret).slice("Basic ".length));
  expect(server.heard.length).toBeLessThanOrEqual(3);
});
