import { toSingleLine } from "../../domain/text/printable.ts";
import { truncate } from "../../domain/text/summarize-list.ts";
import { Forbidden, Throttled, Unreachable } from "../../ports/errors.ts";
import { GitRefused } from "../../ports/git-repository.ts";
import { parseRetryAfter, secondsUntil } from "../retry-after.ts";
import type { GitHubResponse } from "./send.ts";

/** What GitHub asks for if a secondary limit names no time. */
const secondaryLimitSeconds = 60;

/** Returns the error for a response of REST that is no success. `subject` is the prefix of its message. */
export function mapResponseError(response: GitHubResponse, subject: string, now: Date): Error {
  const { status, headers } = response;
  const reason = messageOf(response.body);
  const message = `${subject}: GitHub answered ${status}${reason === "" ? "" : `: ${reason}`}`;
  if (status >= 500) return new Unreachable(message);
  if (status === 429 || (status === 403 && isLimited(response, reason)))
    return new Throttled(`${message}; it is tried again`, limitSeconds(headers, now));
  if (status === 401) return new Forbidden(`${message}; check the App's id and its private key in the secret`);
  if (isRuleViolation(reason)) return refusedByRule(message);
  if (status === 403)
    return new Forbidden(`${message}; give the App the permissions contents and pull requests, both read and write`);
  if (status === 404)
    return new Forbidden(`${message}; check the name, and install the App in this repository with access to contents`);
  if (status >= 300 && status < 400)
    return new GitRefused(`${message}; it was renamed or moved: write its new name into the configuration`);
  return new GitRefused(`${message}; correct the repository, or its entry in the configuration`);
}

/** Returns the error for the first error of GraphQL, whose response has the status 200. */
export function mapGraphqlError(error: GraphqlError, subject: string): Error {
  const { type = "", message: text = "" } = error;
  const message = `${subject}: GitHub answered: ${clean(text)}`;
  if (type === "RATE_LIMITED" || /rate limit/i.test(text))
    return new Throttled(`${message}; it is tried again`, error.waitSeconds);
  if (type === "BRANCH_PROTECTION_RULE_VIOLATION" || isRuleViolation(text)) return refusedByRule(message);
  if (type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES")
    return new Forbidden(`${message}; give the App the permission contents, read and write`);
  if (type === "NOT_FOUND")
    return new Forbidden(`${message}; check the name of the repository and its branch, and where the App is installed`);
  // Without a type: "Something went wrong while executing your query".
  if (type === "" || /timed? ?out|something went wrong/i.test(text)) return new Unreachable(message);
  return new GitRefused(`${message}; correct the repository, or its entry in the configuration`);
}

export interface GraphqlError {
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  /** What to wait if it is a limit. */
  readonly waitSeconds: number;
}

/** Returns the message of an error body of REST, with the first of its details. */
export function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("message" in body)) return "";
  const details = "errors" in body && Array.isArray(body.errors) ? (body.errors as readonly unknown[]) : [];
  const texts = details.map((one) => (typeof one === "object" && one !== null && "message" in one ? one.message : one));
  return clean([body.message, ...texts].filter((one) => typeof one === "string").join(": "));
}

function clean(text: string): string {
  return truncate(toSingleLine(text));
}

function isRuleViolation(text: string): boolean {
  return /rule violation|protected branch|required status check|changes must be made through/i.test(text);
}

function refusedByRule(message: string): GitRefused {
  return new GitRefused(`${message}; let the App bypass this rule, or set mode: pullRequest`);
}

/** A secondary limit has the status 403 too, and may have no header. */
function isLimited({ headers }: GitHubResponse, reason: string): boolean {
  return (
    headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0" || /rate limit|abuse/i.test(reason)
  );
}

/** Returns what to wait by the headers of a response that is limited, also of GraphQL. */
export function limitSeconds(headers: GitHubResponse["headers"], now: Date): number {
  const wait = parseRetryAfter(headerOf(headers, "retry-after"), now);
  if (wait !== null) return wait;
  const reset = Number(headerOf(headers, "x-ratelimit-reset"));
  if (headers["x-ratelimit-remaining"] === "0" && reset > 0) return secondsUntil(reset * 1000, now);
  return secondaryLimitSeconds;
}

function headerOf(headers: GitHubResponse["headers"], name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}
