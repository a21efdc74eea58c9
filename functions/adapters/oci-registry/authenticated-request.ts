import { RegistryAnswerInvalid, Throttled, Unreachable } from "../../ports/errors.ts";
import { mapResponseError } from "./http/map-error.ts";
import type { RequestContext } from "./options.ts";
import { send, type HttpRequest, type HttpResponse } from "./http/http.ts";
import type { Identity, Principal } from "./credentials/identity.ts";

export interface AuthenticatedResponse extends HttpResponse {
  readonly identity: Identity;
  readonly credentialId: string;
}

const maxRedirects = 3;

/**
 * Sends a request to a registry, authenticates if it requires that, and follows redirects. Returns responses with status
 * 200 or one of `alsoReturned` only. Throws every error that the port `Registry` documents. Content, which its digest proves, may be at
 * another host: registries redirect to their storage. It gets no login.
 */
export async function sendAuthenticated(
  context: RequestContext,
  url: URL,
  request: HttpRequest,
  alsoReturned: readonly number[] = [],
  of: "registry" | "content" = "registry",
): Promise<AuthenticatedResponse> {
  let target = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await sendWithAuthentication(context, target, request);
    if (response.status === 200 || alsoReturned.includes(response.status)) return response;
    const location = isRedirect(response.status) ? response.headers.get("location") : null;
    if (location === null) throw mapError(response, context);
    target = resolveRedirect(location, of === "content" ? { ...response, identity: "anonymous" } : response, context);
  }
  throw new RegistryAnswerInvalid(`${context.subject}: ${target.host} redirects more than ${maxRedirects} times.`);
}

function mapError(response: AuthenticatedResponse, { subject, now, rateLimiter }: RequestContext): Error {
  const error = mapResponseError(response, subject, response.identity, now());
  if (error instanceof Throttled) rateLimiter.backOff(response.url, response.credentialId, error.retryAfterSeconds);
  return error;
}

/** Resolves a URL that a response names. Throws `RegistryAnswerInvalid` if a host that received a login names another host. */
export function resolveRedirect(location: string, response: AuthenticatedResponse, { subject }: RequestContext): URL {
  const url = URL.parse(location, response.url.href);
  if (url === null) throw new RegistryAnswerInvalid(`${subject}: ${response.url.host} redirects to an invalid URL.`);
  if (response.identity !== "login" || url.host === response.url.host) return url;
  throw new RegistryAnswerInvalid(
    `${subject}: ${response.url.host} accepted the login and redirects to ${url.host}, which is not followed: ` +
      `a login is for one host. If ${url.host} is the registry, use it in the image reference.`,
  );
}

async function sendWithAuthentication(
  context: RequestContext,
  url: URL,
  request: HttpRequest,
): Promise<AuthenticatedResponse> {
  context.hosts.assertAllowed(url, context.subject);
  const cached = await context.authenticator.cachedCredentials(url, context);
  const sent = await acquireAuthorization(context, url, request, cached);
  const first = await sendAs(context, url, request, cached, sent);
  // ECR Public answers 400 to an expired token.
  if (first.status !== 401 && !(first.status === 400 && sent !== null)) return first;
  const challenge = first.headers.get("www-authenticate");
  const principal = await context.authenticator.authenticate(url, context, challenge, sent);
  const header = await acquireAuthorization(context, url, request, principal);
  // The same login would be rejected again, and count as a failed login.
  return header === sent ? first : sendAs(context, url, request, principal, header);
}

/** Returns the `Authorization` once the request may be sent. A throttled token endpoint makes the registry back off too. */
async function acquireAuthorization(
  { rateLimiter, subject }: RequestContext,
  url: URL,
  request: HttpRequest,
  principal: Principal,
): Promise<string | null> {
  await rateLimiter.acquire(url, request, principal, subject);
  return principal.authorizationHeader().catch((error: unknown) => {
    if (error instanceof Throttled) rateLimiter.backOff(url, principal.credentialId, error.retryAfterSeconds);
    throw error;
  });
}

async function sendAs(
  context: RequestContext,
  url: URL,
  request: HttpRequest,
  { identity, credentialId }: Principal,
  authorization: string | null,
): Promise<AuthenticatedResponse> {
  const { responseCache, limits, rateLimiter, subject, hosts, memory, image } = context;
  const mayBePrivate = (target: URL) => hosts.mayBePrivate(target, image);
  const cached = request.method === "GET" ? responseCache.find(url, credentialId) : undefined;
  const headers = {
    ...request.headers,
    ...(authorization !== null && { authorization }),
    ...(cached !== undefined && { "if-none-match": cached.etag }),
  };
  const bounds = { seconds: remainingSeconds(context), bytes: limits.responseBytes, subject, mayBePrivate, memory };
  const response = await send(url, { ...request, headers }, bounds);
  rateLimiter.observeHeaders(url, credentialId, response.headers);
  if (response.status !== 304 || cached === undefined) return { ...response, identity, credentialId };
  return { url, status: 200, headers: cached.headers, body: cached.body, identity, credentialId };
}

function remainingSeconds({ deadline, limits, subject }: RequestContext): number {
  const seconds = (deadline - performance.now()) / 1000;
  if (seconds > 0) return Math.min(limits.requestSeconds, seconds);
  throw new Unreachable(
    `${subject}: the registry did not answer completely within ${limits.operationSeconds} seconds.`,
  );
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
