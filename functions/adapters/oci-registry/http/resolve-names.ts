import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { createFairQueue } from "../../../domain/budget/fair-queue.ts";
import { LRUCache } from "lru-cache";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to its addresses, at least one. The error has a `code` of `dns`: `ENOTFOUND`, `ETIMEOUT`. */
export type ResolveName = (name: string, payer?: string) => Promise<readonly Address[]>;

export interface ResolverOptions {
  /** `address:port`; those of the system by default. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
  readonly tries?: number;
}

/** How long an answer is used: a poll asks for each name once, also for one that nobody answers. */
const cacheMs = 60_000;
const maxNames = 5000;

/** How many names are asked for at a time: the resolver of a VPC answers 1,024 packets a second. */
const maxConcurrentNames = 128;

/**
 * Creates a resolver of registry names by DNS queries. `getaddrinfo` would take one of the four threads of the process for each name, for as
 * long as nobody answers. `payer` is the namespace that asks: namespaces take turns. It reads no `/etc/hosts`, and adds no search domain.
 */
export function createNameResolver({ servers, timeoutMs = 2000, tries = 2 }: ResolverOptions = {}): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const queue = createFairQueue({ concurrency: maxConcurrentNames, clock: () => performance.now() });
  const known = new LRUCache<string, Promise<readonly Address[]>>({ max: maxNames, ttl: cacheMs });

  async function query(name: string): Promise<readonly Address[]> {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...toAddresses(v4, 4), ...toAddresses(v6, 6)];
    if (found.length > 0) return found;
    const reasons = [v4, v6].map((answer) => (answer.status === "rejected" ? (answer.reason as Error) : null));
    // No answer says more than that there is no address of the other family.
    throw reasons.find((reason) => codeOf(reason) === "ETIMEOUT") ?? reasons[0] ?? notFound(name);
  }

  return (name, payer = "") => {
    const literal = loopbackOrLiteral(name);
    if (literal !== null) return Promise.resolve([literal]);
    const answer = known.get(name) ?? queue.run(payer, () => query(name));
    if (!known.has(name)) known.set(name, answer);
    // It may be awaited later, or by nobody.
    answer.catch(() => undefined);
    return answer;
  };
}

function toAddresses(answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly Address[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}

/** Names below `localhost` are loopback (RFC 6761). */
function loopbackOrLiteral(name: string): Address | null {
  const text = name.replace(/^\[|\]$/g, "");
  const family = isIP(text);
  if (family === 4 || family === 6) return { address: text, family };
  return /(?:^|\.)localhost\.?$/i.test(name) ? { address: "127.0.0.1", family: 4 } : null;
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : null;
}

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" });
}
