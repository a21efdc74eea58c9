import { json } from "../scripted-server.ts";
import { sendChallenge, type HostileCase, sendPage, sendText } from "./case.ts";

const metadata = "http://169.254.169.254/latest/meta-data/iam/security-credentials/";
const basicChallenge = 'Basic realm="registry"';

function redirect(response: Parameters<HostileCase["respond"]>[0], location: string): void {
  sendText(response, "", { location }, 307);
}

/** Redirects and links to other hosts. A login is configured and accepted if one is required. */
export const redirectCases: readonly HostileCase[] = [
  {
    when: "after a login, it redirects to another host",
    expected: "RegistryAnswerInvalid",
    respond: (response, { authorization }, _, { trusted }) =>
      authorization === null
        ? sendChallenge(response, basicChallenge)
        : redirect(response, `http://${trusted}/v2/team/app/tags/list`),
  },
  {
    when: "after a login, its next page is on another host",
    expected: "RegistryAnswerInvalid",
    respond: (response, { authorization }, _, { trusted }) =>
      authorization === null
        ? sendChallenge(response, basicChallenge)
        : sendPage(response, ["1.0.0"], `http://${trusted}/v2/x/tags/list`),
  },
  {
    when: "after a login, it redirects to the same host at another port",
    expected: "RegistryAnswerInvalid",
    respond: (response, { authorization }, _, { untrusted }) =>
      authorization === null
        ? sendChallenge(response, basicChallenge)
        : redirect(response, `https://${untrusted}/v2/team/app/tags/list`),
  },
  {
    when: "without a login, it redirects to a host that requires one",
    expected: "RegistryUnauthorized",
    respond: (response, _, __, { trusted }) => redirect(response, `http://${trusted}/asks`),
  },
  {
    when: "without a login, its next page is on a host that requires one",
    expected: "RegistryUnauthorized",
    respond: (response, _, __, { trusted }) => sendPage(response, ["1.0.0"], `http://${trusted}/asks`),
  },
  {
    when: "it redirects to a host without encryption",
    expected: "RegistryAnswerInvalid",
    respond: (response, _, __, { untrusted }) => redirect(response, `http://${untrusted}/v2/team/app/tags/list`),
  },
  {
    when: "its next page is on a host without encryption",
    expected: "RegistryAnswerInvalid",
    respond: (response, _, __, { untrusted }) =>
      sendPage(response, ["1.0.0"], `http://${untrusted}/v2/team/app/tags/list`),
  },
  {
    when: "it redirects to the instance metadata service",
    expected: "RegistryAnswerInvalid",
    respond: (response) => redirect(response, metadata),
  },
  {
    when: "its next page is on the instance metadata service",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendPage(response, ["1.0.0"], metadata),
  },
  {
    when: "it redirects to a file",
    expected: "RegistryAnswerInvalid",
    respond: (response) => redirect(response, "file:///etc/passwd"),
  },
  {
    when: "it redirects to a URL that contains a login",
    expected: "RegistryAnswerInvalid",
    respond: (response, _, __, { trusted }) => redirect(response, `http://pawl:pawl@${trusted}/v2/team/app/tags/list`),
  },
  {
    when: "it redirects endlessly",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) => redirect(response, `${path}?`),
  },
  {
    when: "two hosts redirect to each other",
    expected: "RegistryAnswerInvalid",
    respond: (response, _, host, { trusted }) => redirect(response, `http://${trusted}/back?${host}`),
  },
  {
    when: "it redirects without a Location",
    expected: "RegistryAnswerInvalid",
    respond: (response) => sendText(response, "", {}, 302),
  },
  {
    when: "it redirects to a response without tags",
    expected: "RegistryAnswerInvalid",
    respond: (response, { path }) =>
      path === "/v2/team/app/tags/list" ? redirect(response, "/elsewhere") : json(response, { name: "team/app" }),
  },
];
