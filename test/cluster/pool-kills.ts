import type { WriteKind } from "../support/bootc/writes.ts";
import { beginLife, type Life, type LifeOptions } from "./pawl-life.ts";

/** "before" the API server hears of a write; "after" it has done it, and Pawl does not hear of that. */
export type Kill = `${"before" | "after"} ${WriteKind}`;

/** Runs `pawl local` on the pools of a lab, and takes its life at writes. */
export interface Killer {
  /** Every kill so far. */
  readonly kills: readonly string[];
  /** Every kind of write that was seen. */
  readonly seen: ReadonlySet<string>;
  /** None are expected, ever. */
  readonly troubles: readonly string[];
  /**
   * Runs Pawl, again after every kill, until it finds nothing left to do. It is killed once at each of `those`, whichever comes
   * first, and what is to be done `afterwards` is done while it is dead. Throws where it came to one of them never.
   */
  run(those: readonly Kill[], afterwards?: Partial<Record<Kill, () => Promise<void>>>): Promise<void>;
  close(): Promise<void>;
}

export function both(kinds: readonly WriteKind[]): readonly Kill[] {
  return kinds.flatMap((kind) => [`before ${kind}`, `after ${kind}`] as const);
}

/** Most of a life goes into its start: so many are started before it is their turn. */
const mostAhead = 3;

export function openKiller(options: Pick<LifeOptions, "lab" | "folder">): Killer {
  const since = new Date();
  const kills: string[] = [];
  const seen = new Set<string>();
  const troubles: string[] = [];
  const ahead: Promise<Life>[] = [];
  let wanted = new Set<string>();
  let current: Life | undefined;
  let isClosed = false;

  function spares(moment: string): boolean {
    seen.add(moment.slice(moment.indexOf(" ") + 1));
    if (!wanted.delete(moment)) return true;
    kills.push(moment);
    return false;
  }

  /** One whole life; the moments of its violent end, none of a natural one. What was under way then makes it more than one. */
  async function live(): Promise<readonly string[]> {
    const before = kills.length;
    // As many as are killed yet, and the one that goes on to the end.
    while (ahead.length < Math.min(mostAhead, wanted.size + 1)) ahead.push(beginLife({ ...options, since, spares }));
    const life = (await ahead.shift()) as Life;
    current = life;
    life.letGo();
    try {
      await life.ended;
    } finally {
      await life.close();
    }
    troubles.push(...life.troubles());
    return kills.slice(before);
  }

  return {
    kills,
    seen,
    troubles,
    async run(those, afterwards: Readonly<Record<string, () => Promise<void>>> = {}) {
      wanted = new Set(those);
      for (let ends = await live(); ends.length > 0; ends = await live()) {
        for (const end of ends) await afterwards[end]?.();
      }
      if (wanted.size > 0 && !isClosed) throw new Error(`Pawl did not come to ${[...wanted].join(", ")}`);
    },
    async close() {
      isClosed = true;
      await current?.close();
      for (const life of ahead.splice(0)) await (await life).close();
    },
  };
}
