import { type ParseError, invalid } from "../text/parse-error.ts";
import { toSingleLine } from "../text/printable.ts";
import type { EventGroup } from "./group.ts";
import { slackMessage } from "./slack.ts";
import type { NotificationTarget, WebhookTarget } from "./target.ts";
import { fillTokens, secretTokens, tokensOf } from "./tokens.ts";

/** What a target is sent. Contains its secret: it is neither logged nor part of a message. */
export interface NotificationRequest {
  readonly kind: "request";
  readonly method: WebhookTarget["method"];
  readonly url: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const userAgent = { "user-agent": "pawl" };
const json = { "content-type": "application/json" };

/** Returns the request that notifies a target of events, or why its secret allows none. */
export function createRequest(
  target: NotificationTarget,
  group: EventGroup,
  secret: string | null,
): NotificationRequest | ParseError {
  if (target.kind === "slack") {
    const body = JSON.stringify(slackMessage(group, target.pageUrl));
    return withUrl({ method: "POST", url: secret?.trim() ?? "", headers: { ...json, ...userAgent }, body });
  }
  const tokens = tokensOf(group);
  const secrets = secretTokens(secret);
  const fill: Fill = (template, encode = String) => {
    const filled = fillTokens(template, (name) =>
      Object.hasOwn(tokens, name) ? encode(tokens[name as keyof typeof tokens]) : secrets[name],
    );
    if (filled.kind === "invalid") problems.push(filled);
    return filled.kind === "invalid" ? "" : filled.text;
  };
  const problems: ParseError[] = [];
  const headers = Object.entries(target.headers).map(([name, value]) => [
    name.toLowerCase(),
    toHeaderValue(fill(value)),
  ]);
  const allHeaders = { ...contentType(target.body), ...Object.fromEntries(headers), ...userAgent };
  const request = {
    method: target.method,
    // Half of a surrogate pair, as in a text that was cut, has no encoding.
    url: fill(target.url, (value) => encodeURIComponent(value.toWellFormed())),
    headers: allHeaders,
    body: bodyText(target.body, target.grouped ? group : group[0], fill, isJson(allHeaders) ? escapeJson : String),
  };
  return problems[0] ?? withUrl(request);
}

function contentType(body: unknown): { readonly "content-type": string } {
  return typeof body === "string" ? { "content-type": "text/plain; charset=utf-8" } : json;
}

/** Replaces the tokens of a text. */
type Fill = (template: string, encode?: (value: string) => string) => string;

function isJson(headers: { readonly "content-type": string }): boolean {
  return /json/i.test(headers["content-type"]);
}

/** For a value between the quotes of a text that is sent as JSON. */
function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** In a body that is no text, values are replaced within its texts, so that it stays valid JSON. */
function bodyText(body: unknown, events: object, fill: Fill, encode: (value: string) => string): string {
  if (body === null) return JSON.stringify(events);
  return typeof body === "string" ? fill(body, encode) : JSON.stringify(fillValue(body, fill));
}

function fillValue(value: unknown, fill: Fill): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, fill)]));
}

/** A header has one line of Latin-1: other characters would end it, or the request. */
function toHeaderValue(text: string): string {
  return toSingleLine(text).replaceAll(/[^\u0020-\u007E\u00A0-\u00FF]/g, "?");
}

/** Sends secrets over TLS only. The message does not contain the address, which may be the secret. */
function withUrl(request: Omit<NotificationRequest, "kind">): NotificationRequest | ParseError {
  const parsed = URL.canParse(request.url) ? new URL(request.url) : null;
  if (parsed !== null && parsed.username + parsed.password !== "")
    return invalid("url", "has credentials, which are not sent; use headers.Authorization");
  const isAllowed = /^https:\/\/[^/]|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(request.url);
  return isAllowed && parsed !== null ? { kind: "request", ...request } : invalid("url", "is not an https:// address");
}
