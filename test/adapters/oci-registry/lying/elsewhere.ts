import { json } from "../scripted.ts";
import { challenge, type Lie, page, text } from "./lie.ts";

const metadata = "http://169.254.169.254/latest/meta-data/iam/security-credentials/";
const wants = 'Basic realm="registry"';

function redirect(response: Parameters<Lie["lies"]>[0], location: string): void {
  text(response, "", { location }, 307);
}

/** Lies that lead away from the registry. Wherever a login is wanted, it is there, and it works. */
export const liesElsewhere: readonly Lie[] = [
  {
    when: "having taken the login, it redirects to another host",
    promise: "RegistryAnswerInvalid",
    lies: (response, { authorization }, _, { friend }) =>
      authorization === null
        ? challenge(response, wants)
        : redirect(response, `http://${friend}/v2/team/app/tags/list`),
  },
  {
    when: "having taken the login, its next page is on another host",
    promise: "RegistryAnswerInvalid",
    lies: (response, { authorization }, _, { friend }) =>
      authorization === null
        ? challenge(response, wants)
        : page(response, ["1.0.0"], `http://${friend}/v2/x/tags/list`),
  },
  {
    when: "having taken the login, it redirects to the same host at another port of it",
    promise: "RegistryAnswerInvalid",
    lies: (response, { authorization }, _, { stranger }) =>
      authorization === null
        ? challenge(response, wants)
        : redirect(response, `https://${stranger}/v2/team/app/tags/list`),
  },
  {
    when: "having asked for nothing, it redirects to a host that asks for the login",
    promise: "RegistryRefused",
    lies: (response, _, __, { friend }) => redirect(response, `http://${friend}/asks`),
  },
  {
    when: "having asked for nothing, its next page asks for the login elsewhere",
    promise: "RegistryRefused",
    lies: (response, _, __, { friend }) => page(response, ["1.0.0"], `http://${friend}/asks`),
  },
  {
    when: "it redirects to a host without encryption",
    promise: "RegistryAnswerInvalid",
    lies: (response, _, __, { stranger }) => redirect(response, `http://${stranger}/v2/team/app/tags/list`),
  },
  {
    when: "its next page is on a host without encryption",
    promise: "RegistryAnswerInvalid",
    lies: (response, _, __, { stranger }) => page(response, ["1.0.0"], `http://${stranger}/v2/team/app/tags/list`),
  },
  {
    when: "it redirects to where machines keep their credentials",
    promise: "RegistryAnswerInvalid",
    lies: (response) => redirect(response, metadata),
  },
  {
    when: "its next page is where machines keep their credentials",
    promise: "RegistryAnswerInvalid",
    lies: (response) => page(response, ["1.0.0"], metadata),
  },
  {
    when: "it redirects to a file",
    promise: "RegistryAnswerInvalid",
    lies: (response) => redirect(response, "file:///etc/passwd"),
  },
  {
    when: "it redirects to an address with a login in it",
    promise: "RegistryAnswerInvalid",
    lies: (response, _, __, { friend }) => redirect(response, `http://pawl:pawl@${friend}/v2/team/app/tags/list`),
  },
  {
    when: "it redirects for ever",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) => redirect(response, `${path}?`),
  },
  {
    when: "two hosts redirect to each other",
    promise: "RegistryAnswerInvalid",
    lies: (response, _, host, { friend }) => redirect(response, `http://${friend}/back?${host}`),
  },
  {
    when: "it redirects nowhere",
    promise: "RegistryAnswerInvalid",
    lies: (response) => text(response, "", {}, 302),
  },
  {
    when: "it redirects to what has no tags",
    promise: "RegistryAnswerInvalid",
    lies: (response, { path }) =>
      path === "/v2/team/app/tags/list" ? redirect(response, "/elsewhere") : json(response, { name: "team/app" }),
  },
];
