import { RegistryAnswerInvalid, Unreachable } from "../errors.ts";
import type { Authorization } from "./authority.ts";
import { failureOf, type Identity } from "./failure.ts";
import { assertMayAsk } from "./places.ts";
import type { Asking } from "./settings.ts";
import { send, type Answer, type Request } from "./transport.ts";

export interface Reply extends Answer {
  readonly identity: Identity;
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
    if (location === null) throw failureOf(reply, asking.subject, reply.identity, asking.now());
    at = onward(location, reply, asking);
  }
  throw new RegistryAnswerInvalid(`${asking.subject}: ${at.host} redirects more than ${maxRedirects} times.`);
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
  const kept = await asking.authority.recall(url, asking.image);
  const first = await sendAs(asking, url, request, kept);
  // ECR Public answers 400 to a token that has expired.
  if (first.status !== 401 && !(first.status === 400 && kept !== null)) return first;
  const fresh = await asking.authority.renew(url, asking.image, first.headers.get("www-authenticate"), kept);
  // The same login again would be refused again, and counted against whoever has it.
  if (fresh.header === kept?.header) return first;
  return sendAs(asking, url, request, fresh);
}

async function sendAs(asking: Asking, url: URL, request: Request, as: Authorization | null): Promise<Reply> {
  const headers = as === null ? request.headers : { ...request.headers, authorization: as.header };
  const bounds = { seconds: secondsLeft(asking), bytes: asking.limits.answerBytes, subject: asking.subject };
  const answer = await send(url, { ...request, headers }, bounds);
  return { ...answer, identity: as?.identity ?? "nobody" };
}

function secondsLeft({ deadline, limits, subject }: Asking): number {
  const seconds = (deadline - performance.now()) / 1000;
  if (seconds > 0) return Math.min(limits.requestSeconds, seconds);
  throw new Unreachable(`${subject}: the registry did not come to an end within ${limits.operationSeconds} seconds.`);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
