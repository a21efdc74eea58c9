import type { AnswerHeaders } from "./answer-headers.ts";
import { RegistryAnswerInvalid, RegistryRefused, RepositoryNotFound, Throttled, Unreachable } from "../errors.ts";
import { parseJson } from "./json.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import type { Answer } from "./transport.ts";
import type { Identity } from "./visitor.ts";

/** The error that an answer other than 200 stands for. `subject` begins its message. */
export function failureOf(answer: Answer, subject: string, identity: Identity, now: Date): Error {
  const { status, url } = answer;
  const said = `${url.host} answered ${status}${codesOf(answer.body)}`;
  if (status === 401 || status === 403) return refused(`${subject}: ${said}`, url, identity);
  if (status === 404)
    return new RepositoryNotFound(`${subject}: ${said}; it is not there, or not for the login in use.`);
  if (status === 429) return throttled(`${subject}: ${said}`, answer.headers, now);
  if (status >= 500) return new Unreachable(`${subject}: ${said}.`);
  return new RegistryAnswerInvalid(`${subject}: ${said}, which is neither a result nor a known refusal.`);
}

function refused(what: string, url: URL, identity: Identity): RegistryRefused {
  const mend =
    identity === "login"
      ? "the login in use may not read this repository, or has expired. Renew it or give it the right to pull."
      : `it wants a login. Add one for ${url.host} to the docker config, or check the repository's name.`;
  return new RegistryRefused(`${what}: ${mend}`);
}

function throttled(what: string, headers: AnswerHeaders, now: Date): Throttled {
  const seconds = retryAfterSeconds(headers, now);
  const when = seconds === null ? "does not say when to come back" : `wants to be left alone for ${seconds} seconds`;
  return new Throttled(`${what}: too many requests; it ${when}. With a login the limit is often higher.`, seconds);
}

/** The codes of an OCI error body. Its free text stays out of messages: a registry may echo what it was sent. */
function codesOf(body: Uint8Array): string {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null || !("errors" in parsed) || !Array.isArray(parsed.errors))
    return "";
  const codes = parsed.errors
    .map((entry: unknown) => (typeof entry === "object" && entry !== null && "code" in entry ? entry.code : null))
    .filter((code) => typeof code === "string" && /^[A-Z_]{1,40}$/.test(code));
  return codes.length === 0 ? "" : ` (${codes.slice(0, 3).join(", ")})`;
}
