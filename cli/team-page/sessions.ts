import { createHash, randomBytes } from "node:crypto";
import type { Login, Tokens } from "./login.ts";
import type { Viewer } from "./viewer.ts";

/** A viewer who has logged in at one login. Its tokens exist here only. */
export interface Session {
  /** No secret: nobody finds a session by it. */
  readonly id: string;
  readonly login: string;
  readonly viewer: Viewer;
  readonly user: string;
}

interface Kept extends Session {
  readonly startedAt: number;
  tokens: Tokens;
  seenAt: number;
  isRefreshing: boolean;
}

interface Options {
  readonly logins: ReadonlyMap<string, Login>;
  readonly createViewer: (login: string, tokens: Tokens) => Viewer;
  readonly now: () => Date;
  readonly log: (line: string) => void;
}

const maxAgeMs = 12 * 3_600_000;
/** Without a page that is open. */
const maxIdleMs = 15 * 60_000;
/** Before the ID token expires. */
const refreshMs = 60_000;
const maxSessions = 500;
const maxSessionsOfUser = 5;

/** Keeps sessions in memory: they end with the process. */
export function createSessions({ logins, createViewer, now, log }: Options) {
  const kept = new Map<string, Kept>();

  function end(id: string, reason: string): void {
    const session = kept.get(id);
    if (session === undefined) return;
    kept.delete(id);
    session.viewer.close();
    log(`${session.login}: ${session.user}: session ended: ${reason}`);
    void revoke(session);
  }

  /** The session has ended, whatever the issuer answers. */
  async function revoke({ login, tokens }: Kept): Promise<void> {
    await logins
      .get(login)
      ?.revoke(tokens)
      .catch(() => undefined);
  }

  function endReason({ startedAt, seenAt, tokens }: Kept): string | null {
    const at = now().getTime();
    if (tokens.expiresAt.getTime() <= at) return "the ID token has expired";
    if (at - startedAt >= maxAgeMs) return "it is 12 h old";
    return at - seenAt >= maxIdleMs ? "no page was open for 15 min" : null;
  }

  async function refresh(session: Kept): Promise<void> {
    session.isRefreshing = true;
    try {
      session.tokens = await (logins.get(session.login) as Login).refresh(session.tokens);
      if (kept.get(session.id) === session) session.viewer.use(session.tokens);
      else await revoke(session);
    } catch (error) {
      log(`${session.login}: ${session.user}: not refreshed: ${(error as Error).message}`);
    } finally {
      session.isRefreshing = false;
    }
  }

  function endOldest(isCounted: (session: Kept) => boolean, max: number): void {
    const counted = [...kept].filter(([, session]) => isCounted(session));
    for (const [id] of counted.slice(0, Math.max(0, counted.length - max + 1))) end(id, "there are too many");
  }

  return {
    /** Returns the secret of the cookie of a new session. */
    start(login: string, tokens: Tokens): string {
      endOldest((one) => one.login === login && one.tokens.subject === tokens.subject, maxSessionsOfUser);
      endOldest(() => true, maxSessions);
      const secret = randomBytes(32).toString("base64url");
      const at = now().getTime();
      const viewer = createViewer(login, tokens);
      const { user } = tokens;
      const id = idOf(secret);
      kept.set(id, { id, login, user, viewer, tokens, startedAt: at, seenAt: at, isRefreshing: false });
      log(`${login}: ${user}: session started`);
      return secret;
    },
    /** Returns the session of a cookie's secret; null if it has ended, or is of another login. */
    find(login: string, secret: string): Session | null {
      const session = kept.get(idOf(secret));
      if (session?.login !== login || endReason(session) !== null) return null;
      session.seenAt = now().getTime();
      return session;
    },
    end: (secret: string) => end(idOf(secret), "signed out"),
    /** Ends the session with this id, if there is one. */
    replace: (id: string) => end(id, "signed in again"),
    /** Ends what has expired, and refreshes what is about to. Called again and again. */
    async tend(): Promise<void> {
      const expiring: Kept[] = [];
      for (const [id, session] of kept) {
        if (session.viewer.streams.isOpen()) session.seenAt = now().getTime();
        const reason = endReason(session);
        if (reason !== null) end(id, reason);
        else if (isExpiring(session, now())) expiring.push(session);
      }
      await Promise.all(expiring.map(refresh));
    },
    endAll: () => [...kept.keys()].forEach((id) => end(id, "the server stops")),
  };
}

function isExpiring({ tokens, isRefreshing }: Kept, now: Date): boolean {
  if (tokens.refreshToken === null || isRefreshing) return false;
  return tokens.expiresAt.getTime() - now.getTime() < refreshMs;
}

/** Secrets are looked up by their hash, so that the time of a comparison says nothing about them. */
function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
