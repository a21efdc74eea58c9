import { BudgetExceeded } from "../../../domain/budget/budget-exceeded.ts";
import { RegistryAnswerInvalid, RegistryNotAllowed, Unreachable } from "../../../ports/errors.ts";
import { describeConnectionCode } from "../../connection-failure.ts";
import { MemoryExceeded } from "../memory-budget.ts";
import { addressNotPublic } from "./public-address.ts";
import { BodyTooLarge, BodyTooSlow } from "./read-body.ts";

interface FailedRequest {
  /** The prefix of the message. */
  readonly subject: string;
  /** Its limits. */
  readonly seconds: number;
  readonly bytes: number;
}

/** The response is late. */
export function timeoutError(): DOMException {
  return new DOMException("The response did not arrive in time.", "TimeoutError");
}

/** Returns the error that `send` throws for what a request failed with. Names the host only: a URL may contain secrets. */
export function responseError(error: unknown, url: URL, request: FailedRequest): Error {
  const { bytes, subject } = request;
  if (error instanceof MemoryExceeded || error instanceof BudgetExceeded) return error;
  if (!(error instanceof BodyTooLarge)) return connectionError(error, url, request);
  return new RegistryAnswerInvalid(
    `${subject}: ${url.host} answered with more than ${bytes} bytes, which is the limit.`,
  );
}

/** How to fix a failed connection, by what its code means. */
const fixes: ReadonlyMap<string | null, string> = new Map([
  ["its certificate is not trusted", "; set NODE_EXTRA_CA_CERTS to the file of its CA"],
  [
    "it does not speak TLS",
    "; if plain HTTP is intended, add it to registries.insecureHosts, or to --insecure-registry of the command line",
  ],
]);

/** Describes why no response arrived. */
function connectionError(error: unknown, url: URL, { seconds, subject }: FailedRequest): Error {
  if (codeOf(error) === addressNotPublic) {
    const fix =
      `add ${url.host} to registries.allowed (--allowed-registry), or to registries.insecureHosts (--insecure-registry) if it uses ` +
      "plain HTTP";
    return new RegistryNotAllowed(
      `${subject}: ${url.host} has no public address, so it is not requested; if it is a registry of yours, ${fix}.`,
    );
  }
  return new Unreachable(`${subject}: ${url.host} ${connectionErrorReason(error, seconds)}.`, { cause: error });
}

/** Reports whether no name server answered, as opposed to an answer that there is no such name. */
export function isUnansweredName(error: unknown): boolean {
  return ["ETIMEOUT", "ECONNREFUSED", "ESERVFAIL", "EREFUSED"].includes(codeOf(error) ?? "") && isOfDns(error);
}

/** Errors of `dns` name the query. */
function isOfDns(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && String(error.syscall).startsWith("query");
}

function connectionErrorReason(error: unknown, seconds: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `did not answer completely within ${Math.max(0, Math.round(seconds * 10) / 10)} seconds`;
  }
  if (error instanceof BodyTooSlow) return "sends its answer too slowly";
  const code = codeOf(error);
  if (isUnansweredName(error))
    return `is not requested, because its name server does not answer (${code}); check the name, and the zone that has it`;
  if (code === null) return "closed the connection before its response was complete";
  const meaning = describeConnectionCode(code);
  return `does not answer (${code}${meaning === null ? "" : `: ${meaning}${fixes.get(meaning) ?? ""}`})`;
}

/** Returns the error code of the system; null for undici's own codes, which only say that the connection broke. */
function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") return null;
  return /^(UND_|Z_)/.test(error.code) ? null : error.code;
}
