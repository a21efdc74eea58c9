import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { basicAuthorization } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import {
  createAdapter,
  catchError,
  imageAt,
  json,
  login,
  secret,
  shortTimeout,
  startScriptedServer,
} from "./scripted-server.ts";

type Case = {
  readonly when: string;
  /** The WWW-Authenticate header; HOST is replaced by the host. */
  readonly challenge?: string;
  readonly token?: (response: ServerResponse) => void;
  readonly anonymous?: boolean;
  readonly status?: number;
  readonly error: string;
  readonly message: RegExp;
};

const bearer = 'Bearer realm="http://HOST/token",service="reg"';

test.for<Case>([
  {
    when: "a login is rejected with its token",
    error: "RegistryUnauthorized",
    message: /answered 401.*may not read/,
  },
  {
    when: "an anonymous token is rejected",
    anonymous: true,
    error: "RegistryUnauthorized",
    message: /requires a login; add one for/,
  },
  {
    when: "a login may not read",
    status: 403,
    error: "RegistryUnauthorized",
    message: /answered 403 \(DENIED\).*grant it pull access/,
  },
  {
    when: "a password is rejected",
    challenge: "Basic",
    error: "RegistryUnauthorized",
    message: /answered 401.*renew it/,
  },
  {
    when: "a password is missing",
    challenge: "Basic",
    anonymous: true,
    error: "RegistryUnauthorized",
    message: /requires a user name and a password.*add an "auth"/,
  },
  {
    when: "the scheme is not supported",
    challenge: "Negotiate abc==",
    error: "RegistryUnauthorized",
    message: /offers neither/,
  },
  {
    when: "a 401 has no challenge",
    challenge: "",
    error: "RegistryUnauthorized",
    message: /offers neither/,
  },
  {
    when: "the realm is not a URL",
    challenge: 'Bearer realm="token"',
    error: "RegistryAnswerInvalid",
    message: /is not a valid URL/,
  },
  {
    when: "the realm is not encrypted",
    challenge: 'Bearer realm="http://tokens.example/token"',
    error: "RegistryAnswerInvalid",
    message: /http:\/\/tokens\.example, which is not encrypted/,
  },
  {
    when: "the realm is not HTTP",
    challenge: 'Bearer realm="ftp://tokens.example/"',
    error: "RegistryAnswerInvalid",
    message: /not encrypted/,
  },
  {
    when: "the realm contains a login",
    challenge: 'Bearer realm="https://a:b@tokens.example/"',
    error: "RegistryAnswerInvalid",
    message: /that contains a login/,
  },
  {
    when: "the token endpoint answers 401",
    token: (response) => json(response, {}, {}, 401),
    error: "RegistryUnauthorized",
    message: /fetching a token.*401/,
  },
  {
    when: "the token endpoint answers 400",
    token: (response) => json(response, {}, {}, 400),
    error: "RegistryUnauthorized",
    message: /rejects the configured login/,
  },
  {
    when: "the token endpoint fails",
    token: (response) => json(response, {}, {}, 503),
    error: "Unreachable",
    message: /fetching a token.*503/,
  },
  {
    when: "the token endpoint does not exist",
    token: (response) => json(response, {}, {}, 404),
    error: "RegistryAnswerInvalid",
    message: /fetching a token.*404/,
  },
  {
    when: "the token endpoint throttles",
    token: (response) => json(response, {}, { "retry-after": "7" }, 429),
    error: "Throttled",
    message: /7 seconds/,
  },
  {
    when: "the token endpoint does not answer",
    token: () => undefined,
    error: "Unreachable",
    message: /did not answer completely/,
  },
  {
    when: "the response has no token",
    token: (response) => json(response, { tokens: [] }),
    error: "RegistryAnswerInvalid",
    message: /without a token/,
  },
  {
    when: "the token is empty",
    token: (response) => json(response, { token: "" }),
    error: "RegistryAnswerInvalid",
    message: /without a token/,
  },
  {
    when: "the token is not a valid header value, and is not shown",
    token: (response) => json(response, { token: `${secret}\n` }),
    error: "RegistryAnswerInvalid",
    message: /without a token/,
  },
  {
    when: "the token endpoint redirects",
    token: (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
    error: "RegistryAnswerInvalid",
    message: /answered 307/,
  },
])("$when: $error", async ({ challenge = bearer, token, anonymous = false, status = 401, error, message }) => {
  await using server = await startScriptedServer(({ path, authorization }, response, host) => {
    if (path.startsWith("/token")) return token === undefined ? json(response, { token: secret }) : token(response);
    const isUnauthorized = authorization === null || status === 401;
    const header = isUnauthorized && challenge !== "" ? { "www-authenticate": challenge.replace("HOST", host) } : {};
    return json(response, { errors: [{ code: "DENIED", message: secret }] }, header, isUnauthorized ? 401 : status);
  });
  const registry = createAdapter([server.host], {
    credentials: async () => (anonymous ? null : login),
    limits: error === "Unreachable" ? shortTimeout : {},
  });
  const failure = await catchError(registry.listTags(imageAt(server.host)));
  expect(failure).toMatchObject({ name: error, message: expect.stringMatching(message) });
  expect(failure.message + failure.logged).not.toContain(secret);
  expect(failure.message + failure.logged).not.toContain(
    basicAuthorization(login.username, secret).slice("Basic ".length),
  );
  expect(server.requests.length).toBeLessThanOrEqual(3);
});
