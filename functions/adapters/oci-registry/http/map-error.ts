import type { ResponseHeaders } from "./response-headers.ts";
import {
  RegistryAnswerInvalid,
  RegistryUnauthorized,
  RepositoryNotFound,
  Throttled,
  Unreachable,
} from "../../../ports/errors.ts";
import { parseJson } from "./read-body.ts";
import { retryAfterSeconds } from "../rate-limit-headers.ts";
import type { HttpResponse } from "./http.ts";
import type { Identity } from "../credentials/identity.ts";

/** Returns the error for a response whose status is not 200. `subject` is the prefix of its message. */
export function mapResponseError(response: HttpResponse, subject: string, identity: Identity, now: Date): Error {
  const { status, url } = response;
  const summary = `${url.host} answered ${status}${formatErrorCodes(response.body)}`;
  if (status === 401 || status === 403) return unauthorizedError(`${subject}: ${summary}`, url, identity);
  if (status === 404)
    return new RepositoryNotFound(`${subject}: ${summary}; it does not exist, or the login may not see it.`);
  if (status === 429) return throttledError(`${subject}: ${summary}`, response.headers, now);
  if (status >= 500) return new Unreachable(`${subject}: ${summary}.`);
  const hint = url.protocol === "http:" && status === 400 ? "; if it speaks TLS, it is no insecure host" : "";
  return new RegistryAnswerInvalid(`${subject}: ${summary}, which is neither a result nor a known error${hint}.`);
}

function unauthorizedError(message: string, url: URL, identity: Identity): RegistryUnauthorized {
  const remedy =
    identity === "login"
      ? "the login may not read this repository, or has expired; renew it or grant it pull access."
      : `it requires a login; add one for ${url.host} to the docker config, or check the repository's name.`;
  return new RegistryUnauthorized(`${message}: ${remedy}`);
}

function throttledError(message: string, headers: ResponseHeaders, now: Date): Throttled {
  const seconds = retryAfterSeconds(headers, now);
  const when = seconds === null ? "it names no time to retry" : `retry after ${seconds} seconds`;
  return new Throttled(
    `${message}: too many requests; ${when}. Configure a login: its limit is often higher.`,
    seconds,
  );
}

/** Returns the codes of an OCI error body. Its free text is left out: a registry may echo what it received. */
function formatErrorCodes(body: Uint8Array): string {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null || !("errors" in parsed) || !Array.isArray(parsed.errors))
    return "";
  const codes = parsed.errors
    .map((entry: unknown) => (typeof entry === "object" && entry !== null && "code" in entry ? entry.code : null))
    .filter((code) => typeof code === "string" && /^[A-Z_]{1,40}$/.test(code));
  return codes.length === 0 ? "" : ` (${codes.slice(0, 3).join(", ")})`;
}
