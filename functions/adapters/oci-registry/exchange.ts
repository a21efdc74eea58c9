import { RegistryAnswerInvalid, Throttled, Unreachable } from "../errors.ts";
import { failureOf } from "./failure.ts";
import { assertMayAsk } from "./places.ts";
import type { Asking } from "./settings.ts";
import { send, type Answer, type Request } from "./transport.ts";
import type { Identity, Visitor } from "./visitor.ts";

export interface Reply extends Answer {
  readonly identity: Identity;
  readonly whose: string;
}

const maxRedirects = 3;

/**
 * Asks a registry, logged in as far as it wants that and led on by redirects. Returns answers with status 200 only;
 * throws everything that the port `Registry` promises to throw.
 */
export async function ask(asking: Asking, url: URL, request: Request): Promise<Reply> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const reply = await askLoggedIn(asking, at, request);
    if (reply.status === 200) return reply;
    const location = isRedirect(reply.status) ? reply.headers.get("location") : null;
    if (location === null) throw failed(reply, asking);
    at = onward(location, reply, asking);
  }
  throw new RegistryAnswerInvalid(`${asking.subject}: ${at.host} redirects more than ${maxRedirects} times.`);
}

function failed(reply: Reply, { subject, now, pace }: Asking): Error {
  const failure = failureOf(reply, subject, reply.identity, now());
  if (failure instanceof Throttled) pace.rest(reply.url, reply.whose, failure.retryAfterSeconds);
  return failure;
}

/** Where a reply leads. Throws `RegistryAnswerInvalid` where a host that was given a login leads to another. */
export function onward(target: string, reply: Reply, { subject }: Asking): URL {
  const url = URL.parse(target, reply.url.href);
  if (url === null) throw new RegistryAnswerInvalid(`${subject}: ${reply.url.host} leads to what is no URL.`);
  if (reply.identity !== "login" || url.host === reply.url.host) return url;
  throw new RegistryAnswerInvalid(
    `${subject}: ${reply.url.host} took the login and leads to ${url.host}, which is not followed: ` +
      `a login is for one host. If ${url.host} is the registry, name it in the image.`,
  );
}

async function askLoggedIn(asking: Asking, url: URL, request: Request): Promise<Reply> {
  assertMayAsk(url, asking.insecureHosts, asking.subject);
  const known = await asking.authority.recall(url, asking);
  const sent = await admit(asking, url, request, known);
  const first = await sendAs(asking, url, request, known, sent);
  // ECR Public answers 400 to a token that has expired.
  if (first.status !== 401 && !(first.status === 400 && sent !== null)) return first;
  const fresh = await asking.authority.renew(url, asking, first.headers.get("www-authenticate"), sent);
  const header = await admit(asking, url, request, fresh);
  // The same login again would be refused again, and counted against whoever has it.
  return header === sent ? first : sendAs(asking, url, request, fresh, header);
}

/** The `Authorization` of a visitor who may ask now. One whose token is throttled leaves the registry alone too. */
async function admit({ pace, subject }: Asking, url: URL, request: Request, visitor: Visitor): Promise<string | null> {
  await pace.admit(url, request, visitor, subject);
  return visitor.header().catch((error: unknown) => {
    if (error instanceof Throttled) pace.rest(url, visitor.whose, error.retryAfterSeconds);
    throw error;
  });
}

async function sendAs(asking: Asking, url: URL, request: Request, as: Visitor, authorization: string | null) {
  const { answers, limits, pace, subject } = asking;
  const { identity, whose } = as;
  const kept = request.method === "GET" ? answers.find(url, whose) : undefined;
  const headers = {
    ...request.headers,
    ...(authorization !== null && { authorization }),
    ...(kept !== undefined && { "if-none-match": kept.etag }),
  };
  const answer = await send(
    url,
    { ...request, headers },
    { seconds: secondsLeft(asking), bytes: limits.answerBytes, subject },
  );
  pace.learn(url, whose, answer.headers);
  if (answer.status !== 304 || kept === undefined) return { ...answer, identity, whose };
  return { url, status: 200, headers: kept.headers, body: kept.body, identity, whose };
}

function secondsLeft({ deadline, limits, subject }: Asking): number {
  const seconds = (deadline - performance.now()) / 1000;
  if (seconds > 0) return Math.min(limits.requestSeconds, seconds);
  throw new Unreachable(`${subject}: the registry did not come to an end within ${limits.operationSeconds} seconds.`);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
