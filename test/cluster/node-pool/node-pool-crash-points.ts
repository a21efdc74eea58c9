import type { WriteKind } from "../../support/bootc/writes.ts";
import { startPawlProcess, type PawlProcess, type PawlProcessOptions } from "../pawl-process.ts";

/** "before": the API server does not receive the write. "after": it applies the write, but Pawl does not receive the response. */
export type WriteCrashPoint = `${"before" | "after"} ${WriteKind}`;

/** Runs `pawl local` on the pools of a harness, and kills it at writes. */
export interface CrashRunner {
  /** Every crash point at which Pawl was killed so far. */
  readonly crashes: readonly string[];
  /** Every kind of write that was observed. */
  readonly seenKinds: ReadonlySet<string>;
  /** Failed executions and polls. Always expected to be empty. */
  readonly failures: readonly string[];
  /**
   * Runs Pawl, again after every kill, until no work is left. Kills it once at each of `crashPoints`, in the order of the writes.
   * Runs the function in `afterCrash` before the next start. Throws if a crash point was never reached.
   */
  run(
    crashPoints: readonly WriteCrashPoint[],
    afterCrash?: Partial<Record<WriteCrashPoint, () => Promise<void>>>,
  ): Promise<void>;
  close(): Promise<void>;
}

export function beforeAndAfter(kinds: readonly WriteKind[]): readonly WriteCrashPoint[] {
  return kinds.flatMap((kind) => [`before ${kind}`, `after ${kind}`] as const);
}

/** Most of the run time of a process is its start, so a few are started in advance. */
const maxPrestarted = 3;

export function openCrashRunner(options: Pick<PawlProcessOptions, "harness" | "folder">): CrashRunner {
  const since = new Date();
  const crashes: string[] = [];
  const seenKinds = new Set<string>();
  const failures: string[] = [];
  const prestarted: Promise<PawlProcess>[] = [];
  let pending = new Set<string>();
  let current: PawlProcess | undefined;
  let isClosed = false;

  function shouldSurvive(moment: string): boolean {
    seenKinds.add(moment.slice(moment.indexOf(" ") + 1));
    if (!pending.delete(moment)) return true;
    crashes.push(moment);
    return false;
  }

  /**
   * Runs one process to its end. Returns the crash points at which it was killed: none if it ended by itself, and more than one if
   * parallel writes were in progress.
   */
  async function runOnce(): Promise<readonly string[]> {
    const firstIndex = crashes.length;
    // One for each pending crash point, and one that runs to the end.
    while (prestarted.length < Math.min(maxPrestarted, pending.size + 1))
      prestarted.push(startPawlProcess({ ...options, since, shouldSurvive }));
    const pawl = (await prestarted.shift()) as PawlProcess;
    current = pawl;
    pawl.connect();
    try {
      await pawl.ended;
    } finally {
      await pawl.close();
    }
    failures.push(...pawl.failures());
    return crashes.slice(firstIndex);
  }

  return {
    crashes,
    seenKinds,
    failures,
    async run(crashPoints, afterCrash: Readonly<Record<string, () => Promise<void>>> = {}) {
      pending = new Set(crashPoints);
      for (let crashed = await runOnce(); crashed.length > 0; crashed = await runOnce()) {
        for (const crash of crashed) await afterCrash[crash]?.();
      }
      if (pending.size > 0 && !isClosed)
        throw new Error(`Pawl never reached the crash points ${[...pending].join(", ")}`);
    },
    async close() {
      isClosed = true;
      await current?.close();
      for (const pawl of prestarted.splice(0)) await (await pawl).close();
    },
  };
}
