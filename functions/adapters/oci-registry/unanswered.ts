import { Unreachable } from "../errors.ts";
import type { Bounds } from "./transport.ts";

const hints = [
  [
    /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    "its certificate is not trusted; name the file of its CA in NODE_EXTRA_CA_CERTS",
  ],
  [/ERR_SSL|EPROTO/, "it does not speak TLS; if plain HTTP is meant, name it among the insecure hosts"],
  [/ENOTFOUND|EAI_AGAIN/, "its name does not resolve"],
  [/ECONNREFUSED/, "nothing listens there"],
] as const;

/** Says why no answer came. Names the host only: a URL may carry what is not for logs. */
export function unanswered(error: unknown, url: URL, { seconds, subject }: Bounds): Unreachable {
  return new Unreachable(`${subject}: ${url.host} ${why(error, seconds)}.`, { cause: error });
}

function why(error: unknown, seconds: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `did not finish its answer within ${Math.max(0, Math.round(seconds * 10) / 10)} seconds`;
  }
  const code = codeOf(error);
  if (code === null) return "broke off its answer";
  const hint = hints.find(([pattern]) => pattern.test(code));
  return `does not answer (${code}${hint === undefined ? "" : `: ${hint[1]}`})`;
}

/** The client's own codes say that the connection broke, and no more. */
function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") return null;
  return /^(UND_|Z_)/.test(error.code) ? null : error.code;
}
