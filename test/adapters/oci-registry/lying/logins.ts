import type { ServerResponse } from "node:http";
import { json, secret } from "../scripted.ts";
import { challenge, endlessly, type Lie, text, whole } from "./lie.ts";

/** A registry that wants tokens from its own token endpoint, and takes whichever it gives. */
function tokens(token: (response: ServerResponse, host: string, friend: string) => unknown): Lie["lies"] {
  return (response, { path, authorization }, host, { friend }) => {
    if (path.startsWith("/token")) return token(response, host, friend);
    return authorization === null ? challenge(response, `Bearer realm="http://${host}/token"`) : json(response, whole);
  };
}

function asking(value: (host: string, stranger: string) => string): Lie["lies"] {
  return (response, _, host, { stranger }) => challenge(response, value(host, stranger));
}

/** Lies on the way to a login. */
export const liesAboutLogins: readonly Lie[] = [
  {
    when: "it wants its token from a host without encryption",
    promise: "RegistryAnswerInvalid",
    lies: asking((_, stranger) => `Bearer realm="http://${stranger}/token"`),
  },
  {
    when: "it wants its token from where machines keep their credentials",
    promise: "RegistryAnswerInvalid",
    lies: asking(() => 'Bearer realm="http://169.254.169.254/latest/api/token"'),
  },
  {
    when: "it wants its token from nowhere",
    promise: "RegistryAnswerInvalid",
    lies: asking(() => 'Bearer realm="/token"'),
  },
  { when: "it never takes a password", promise: "RegistryRefused", lies: asking(() => "Basic") },
  {
    when: "it never takes a token, and gives a new one each time",
    promise: "RegistryRefused",
    lies: (response, { path }, host) =>
      path.startsWith("/token")
        ? json(response, { token: `t${Math.random()}` })
        : challenge(response, `Bearer realm="http://${host}/token"`),
  },
  {
    when: "it wants its token from another place each time",
    promise: "RegistryRefused",
    lies: (response, { path }, host) =>
      path.startsWith("/token")
        ? json(response, { token: "t" })
        : challenge(response, `Bearer realm="http://${host}/token/${Math.random()}"`),
  },
  {
    when: "its token endpoint redirects",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response, _, friend) => text(response, "", { location: `http://${friend}/token` }, 307)),
  },
  {
    when: "its token endpoint wants a login in turn",
    promise: "RegistryRefused",
    lies: tokens((response, host) => challenge(response, `Bearer realm="http://${host}/token"`)),
  },
  {
    when: "its token endpoint floods",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response) => endlessly(response.writeHead(200), "x".repeat(9000), 1)),
  },
  {
    when: "its token endpoint stalls",
    promise: "Unreachable",
    lies: tokens((response) => response.writeHead(200).write('{"token":"')),
  },
  {
    when: "its token endpoint answers with a page",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response) => text(response, "<html>token</html>")),
  },
  {
    when: "its token has a line end and another header in it",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response) => json(response, { token: `t\r\nx-evil: ${secret}` })),
  },
  {
    when: "its token is a list",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response) => json(response, { token: ["t"] })),
  },
  {
    when: "its token is longer than a header may be",
    promise: "RegistryAnswerInvalid",
    lies: tokens((response) => json(response, { token: "t".repeat(17_000) })),
  },
  {
    when: "its token lives for less than no time: it serves all the same",
    promise: ["1.0.0"],
    lies: tokens((response) => json(response, { token: "t", expires_in: -1e308 })),
  },
  {
    when: "it repeats the login in its refusal, which is not repeated",
    promise: "RegistryRefused",
    lies: (response, { authorization }) =>
      authorization === null
        ? challenge(response, "Basic")
        : json(response, { errors: [{ code: secret, message: secret }] }, {}, 403),
  },
  {
    when: "it wants rest and does not say for how long",
    promise: "Throttled",
    lies: (response) => text(response, "", {}, 429),
  },
  {
    when: "it wants rest for longer than there is time",
    promise: "Throttled",
    lies: (response) => text(response, "", { "retry-after": "9".repeat(400) }, 429),
  },
];
