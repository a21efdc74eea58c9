import type { ServerResponse } from "node:http";
import { json, secret } from "../scripted-server.ts";
import { sendChallenge, writeForever, type HostileCase, sendText, completeList } from "./case.ts";

/** A registry that requires tokens from its own endpoint, and accepts each of them. */
function withTokens(
  token: (response: ServerResponse, host: string, trusted: string) => unknown,
): HostileCase["respond"] {
  return (response, { path, authorization }, host, { trusted }) => {
    if (path.startsWith("/token")) return token(response, host, trusted);
    return authorization === null
      ? sendChallenge(response, `Bearer realm="http://${host}/token"`)
      : json(response, completeList);
  };
}

function withChallenge(value: (host: string, untrusted: string) => string): HostileCase["respond"] {
  return (response, _, host, { untrusted }) => sendChallenge(response, value(host, untrusted));
}

/** Hostile challenges and token endpoints. */
export const authenticationCases: readonly HostileCase[] = [
  {
    when: "its realm is a host without encryption",
    expected: "RegistryAnswerInvalid",
    respond: withChallenge((_, untrusted) => `Bearer realm="http://${untrusted}/token"`),
  },
  {
    when: "its realm is the instance metadata service",
    expected: "RegistryAnswerInvalid",
    respond: withChallenge(() => 'Bearer realm="http://169.254.169.254/latest/api/token"'),
  },
  {
    when: "its realm has no host",
    expected: "RegistryAnswerInvalid",
    respond: withChallenge(() => 'Bearer realm="/token"'),
  },
  { when: "it rejects every password", expected: "RegistryUnauthorized", respond: withChallenge(() => "Basic") },
  {
    when: "it rejects every token and issues a new one each time",
    expected: "RegistryUnauthorized",
    respond: (response, { path }, host) =>
      path.startsWith("/token")
        ? json(response, { token: `t${Math.random()}` })
        : sendChallenge(response, `Bearer realm="http://${host}/token"`),
  },
  {
    when: "its realm changes each time",
    expected: "RegistryUnauthorized",
    respond: (response, { path }, host) =>
      path.startsWith("/token")
        ? json(response, { token: "t" })
        : sendChallenge(response, `Bearer realm="http://${host}/token/${Math.random()}"`),
  },
  {
    when: "its token endpoint redirects",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response, _, trusted) => sendText(response, "", { location: `http://${trusted}/token` }, 307)),
  },
  {
    when: "its token endpoint requires a token itself",
    expected: "RegistryUnauthorized",
    respond: withTokens((response, host) => sendChallenge(response, `Bearer realm="http://${host}/token"`)),
  },
  {
    when: "its token endpoint's response never ends",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response) => writeForever(response.writeHead(200), "x".repeat(9000), 1)),
  },
  {
    when: "its token endpoint stalls",
    expected: "Unreachable",
    respond: withTokens((response) => response.writeHead(200).write('{"token":"')),
  },
  {
    when: "its token endpoint returns an HTML page",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response) => sendText(response, "<html>token</html>")),
  },
  {
    when: "its token contains a line break and another header",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response) => json(response, { token: `t\r\nx-evil: ${secret}` })),
  },
  {
    when: "its token is a list",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response) => json(response, { token: ["t"] })),
  },
  {
    when: "its token is longer than a header may be",
    expected: "RegistryAnswerInvalid",
    respond: withTokens((response) => json(response, { token: "t".repeat(17_000) })),
  },
  {
    when: "its token has a negative lifetime, which is ignored",
    expected: ["1.0.0"],
    respond: withTokens((response) => json(response, { token: "t", expires_in: -1e308 })),
  },
  {
    when: "it echoes the login in its error, which is not logged",
    expected: "RegistryUnauthorized",
    respond: (response, { authorization }) =>
      authorization === null
        ? sendChallenge(response, "Basic")
        : json(response, { errors: [{ code: secret, message: secret }] }, {}, 403),
  },
  {
    when: "it throttles without a time to retry",
    expected: "Throttled",
    respond: (response) => sendText(response, "", {}, 429),
  },
  {
    when: "it throttles with an overlong Retry-After",
    expected: "Throttled",
    respond: (response) => sendText(response, "", { "retry-after": "9".repeat(400) }, 429),
  },
];
