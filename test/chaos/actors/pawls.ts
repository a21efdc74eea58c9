import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type PawlProcess, startPawlLocal } from "../../support/pawl-process.ts";
import type { Random } from "../random.ts";
import { clockSpeed, namespace, type World } from "../world.ts";
import { repeat, sleep } from "./actor.ts";

/** The Pawl processes of a run. */
export interface Pawls {
  /** Kills processes and starts others. Exactly one runs when this resolves. */
  disturb(world: World, random: Random, signal: AbortSignal): Promise<void>;
  /** What failed for another reason than those that are expected, and how often. */
  failures(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts one process. `log` is the folder for the output of all. */
export function startPawls({ plane, registry }: World, since: Date, log: string | undefined): Pawls {
  const flags = Object.entries({
    "--kubeconfig": plane.kubeconfigPath,
    "--namespace": namespace,
    "--insecure-registry": registry.host,
    "--clock-speed": String(clockSpeed),
    "--clock-start": since.toISOString(),
    "--interval": "1m",
  }).flat();
  const running = new Set<PawlProcess>();
  const failed = new Map<string, number>();
  let started = 0;

  function start(): PawlProcess {
    started += 1;
    const pawl = startPawlLocal(flags);
    running.add(pawl);
    void supervise(pawl);
    return pawl;
  }

  /** Starts another process if one ends by itself. */
  async function supervise(pawl: PawlProcess): Promise<void> {
    await pawl.ended;
    if (!running.delete(pawl)) return;
    const reason = await pawl.succeeds().catch((error: Error) => error.message);
    count(`a process ended: ${reason ?? "nothing was left to do"}`);
    await sleep(1);
    if (running.size === 0) start();
  }

  function count(failure: string): void {
    failed.set(failure, (failed.get(failure) ?? 0) + 1);
  }

  async function kill(pawl: PawlProcess): Promise<void> {
    if (!running.delete(pawl)) return;
    pawl.kill();
    await pawl.ended;
    for (const failure of pawl.lines.map(unexpectedFailure)) if (failure !== null) count(failure);
    if (log === undefined) return;
    const text = pawl.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    appendFileSync(join(log, `pawl-${started}.jsonl`), text);
  }

  start();
  return {
    async disturb({ journal, recording }, random, signal) {
      const choices = random.fork();
      const killOne = async () => {
        // In half of the cases in the middle of its work.
        if (choices.chance(0.5)) await Promise.race([recording.nextRecord(), sleep(5)]);
        await sleep(choices.between(0, 0.3));
        const pawl = choices.pick([...running]);
        if (pawl === undefined) return;
        journal.add("kill", null, "SIGKILL");
        await kill(pawl);
        await sleep(choices.between(0, 3));
        if (running.size === 0) start();
      };
      const runSecond = async () => {
        journal.add("second process", null, "started");
        const pawl = start();
        await sleep(random.between(5, 40), signal);
        if (running.size > 1) await kill(pawl);
      };
      await Promise.all([
        repeat(signal, random.fork(), [3, 12], killOne),
        repeat(signal, random.fork(), [30, 90], runSecond),
      ]);
      for (const pawl of [...running].slice(1)) await kill(pawl);
      if (running.size === 0) start();
    },
    failures: () => failed,
    async close() {
      for (const pawl of running) await kill(pawl);
    },
  };
}

type Failure = PawlProcess["lines"][number] & { readonly error?: string; readonly cause?: string };

/** An end of an execution that no outage explains. */
function unexpectedFailure(line: Failure): string | null {
  if (line.kind !== "state" || line.type !== "ExecutionFailed") return null;
  const { error = "" } = line;
  return expectedEnds.has(error) ? null : `${error}: ${line.cause ?? ""}`;
}

const expectedEnds: ReadonlySet<string> = new Set(["RolledBack", "CircuitOpened", "ClusterUnreachable"]);
