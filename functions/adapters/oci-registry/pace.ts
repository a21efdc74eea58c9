import type { AnswerHeaders } from "./answer-headers.ts";
import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { Throttled } from "../errors.ts";
import { type Allowance, allowanceIn, longestRestSeconds, nextAfter, paceOf } from "./allowance.ts";
import type { Request } from "./transport.ts";
import type { Visitor } from "./visitor.ts";

/** Keeps from asking what a registry would refuse, and from using up what it lets somebody ask. */
export interface Pace {
  /** Returns when the request may be sent. Throws `Throttled` where it may not be: nothing is sent then. */
  admit(url: URL, request: Request, visitor: Visitor, subject: string): Promise<void>;
  /** Takes note of what an answer says is left. */
  learn(url: URL, whose: string, headers: AnswerHeaders): void;
  /** Leaves a host alone in this login's name, for as long as it said; null where it did not say. */
  rest(url: URL, whose: string, seconds: number | null): void;
}

export interface PaceSettings {
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly longestWaitSeconds: number;
}

interface Ledger {
  restsUntil: number;
  allowance: Allowance | null;
  nextAt: number;
}

const unsaidRestSeconds = 60;
// Many polls that were sent away in the same second do not come back in the same second: a quarter more, a minute at most.
const jitter = { share: 0.25, mostMilliseconds: 60_000 };
const mostLedgers = 5000;

export function createPace({ now, random, longestWaitSeconds }: PaceSettings): Pace {
  const ledgers = new LRUCache<string, Ledger>({ max: mostLedgers });
  const resting = new LRUCache<string, number>({ max: mostLedgers });

  async function admit(url: URL, request: Request, visitor: Visitor, subject: string): Promise<void> {
    const time = now().getTime();
    // Whoever is not known to need a login yet may turn out to be somebody who is to leave this host alone.
    if ((resting.get(url.host) ?? 0) > time) assertRested(url, [visitor.whose, await visitor.wouldBe()], subject, time);
    const ledger = ledgers.get(keyOf(url, visitor.whose));
    if (!ledger?.allowance || (ledger.allowance.counts === "pulls" && !isPull(url, request))) return;
    const pace = paceOf(ledger.allowance, ledger.nextAt, time, longestWaitSeconds * 1000);
    if (pace.kind === "refuse") throw spent(url, subject, ledger.allowance, pace.untilMilliseconds - time);
    ledger.nextAt = nextAfter(ledger.allowance, Math.max(time, ledger.nextAt));
    if (pace.kind === "wait") await delay(pace.milliseconds);
  }

  function assertRested(url: URL, names: readonly string[], subject: string, time: number): void {
    const until = Math.max(...names.map((whose) => ledgers.get(keyOf(url, whose))?.restsUntil ?? 0));
    if (until > time) throw leftAlone(url, subject, until - time);
  }

  function learn(url: URL, whose: string, headers: AnswerHeaders): void {
    const allowance = allowanceIn(headers, url.host, now());
    if (allowance !== null) ledgerOf(url, whose).allowance = allowance;
  }

  function rest(url: URL, whose: string, seconds: number | null): void {
    const milliseconds = Math.min(seconds ?? unsaidRestSeconds, longestRestSeconds) * 1000;
    const later = random() * Math.min(milliseconds * jitter.share, jitter.mostMilliseconds);
    const until = now().getTime() + milliseconds + later;
    const ledger = ledgerOf(url, whose);
    ledger.restsUntil = Math.max(ledger.restsUntil, until);
    resting.set(url.host, Math.max(resting.get(url.host) ?? 0, until));
  }

  function ledgerOf(url: URL, whose: string): Ledger {
    const key = keyOf(url, whose);
    const ledger = ledgers.get(key) ?? { restsUntil: 0, allowance: null, nextAt: 0 };
    ledgers.set(key, ledger);
    return ledger;
  }

  return { admit, learn, rest };
}

/** What Docker Hub counts: it lets HEAD and lists of tags pass. */
function isPull(url: URL, { method }: Request): boolean {
  return method === "GET" && url.pathname.includes("/manifests/");
}

function keyOf({ host }: URL, whose: string): string {
  return `${host} ${whose}`;
}

function leftAlone(url: URL, subject: string, milliseconds: number): Throttled {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Throttled(
    `${subject}: ${url.host} has answered 429, too many requests; it is left alone for another ${seconds} seconds.`,
    seconds,
  );
}

function spent(url: URL, subject: string, { remaining, limit, counts }: Allowance, milliseconds: number): Throttled {
  const seconds = Math.ceil(milliseconds / 1000);
  const left = `${remaining}${limit === null ? "" : ` of ${limit}`} ${counts}`;
  const why = counts === "pulls" ? "which are left to the nodes" : "which are spread over its window";
  return new Throttled(
    `${subject}: ${url.host} allows ${left} more, ${why}; it is not asked for another ${seconds} seconds. ` +
      "With a login the limit is often higher.",
    seconds,
  );
}
