import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kindOfWrite, type WriteKind } from "../support/bootc/writes.ts";
import { type Line, type PawlProcess, startPawlLocal } from "../support/pawl-process.ts";
import { startWriteProxy } from "../support/write-proxy.ts";
import type { NodeLab } from "./node-lab.ts";

/** "before" the API server hears of a write; "after" it has done it, and Pawl does not hear of that. */
export type Kill = `${"before" | "after"} ${WriteKind}`;

/** Runs `pawl local` on the pools of a lab, and takes its life at writes. */
export interface Killer {
  /** Every kill so far. */
  readonly kills: readonly Kill[];
  /** Every kind of write that was seen. */
  readonly seen: ReadonlySet<string>;
  /** Executions that ended in a failure, and polls in which something failed: none are expected. */
  readonly troubles: readonly string[];
  /**
   * Runs Pawl, again after every kill, until it finds nothing left to do: it is killed once at each of `kills`, whichever comes
   * first. `afterwards` is done while it is dead.
   */
  run(kills: readonly Kill[], afterwards?: Partial<Record<Kill, () => Promise<void>>>): Promise<void>;
  close(): Promise<void>;
}

export function both(kinds: readonly WriteKind[]): readonly Kill[] {
  return kinds.flatMap((kind) => [`before ${kind}`, `after ${kind}`] as const);
}

const failures = new Set(["RolloutBroken", "Interrupted"]);

export async function openKiller({ kubeConfig, namespace }: NodeLab, folder: string): Promise<Killer> {
  const kills: Kill[] = [];
  const seen = new Set<string>();
  const troubles: string[] = [];
  let wanted = new Set<string>();
  let victim: PawlProcess | undefined;
  let isDead = false;

  /** Whether it may live on. What a process had under way that is dead goes no further. */
  async function spares(moment: string): Promise<boolean> {
    if (isDead || victim === undefined) return false;
    if (!wanted.delete(moment)) return true;
    isDead = true;
    kills.push(moment as Kill);
    victim.kill();
    await victim.ended;
    return false;
  }

  const proxy = await startWriteProxy(kubeConfig, {
    before(write) {
      seen.add(kindOfWrite(write));
      return spares(`before ${kindOfWrite(write)}`);
    },
    after: (write) => spares(`after ${kindOfWrite(write)}`),
  });
  const file = join(folder, `${namespace}.kubeconfig`);
  await writeFile(file, proxy.kubeconfig, { mode: 0o600 });
  const flags = [
    ...["--kubeconfig", file, "--namespace", namespace, "--node-pools", "--exit-when-idle"],
    ...["--every", "30s", "--speed", "300", "--since", new Date().toISOString()],
  ];

  async function live(): Promise<Kill | null> {
    isDead = false;
    victim = startPawlLocal(flags);
    await victim.ended;
    if (!isDead) await victim.succeeds();
    troubles.push(...victim.lines.filter(isTrouble).map((line) => JSON.stringify(line)));
    return isDead ? (kills.at(-1) ?? null) : null;
  }

  return {
    kills,
    seen,
    troubles,
    async run(those, afterwards = {}) {
      wanted = new Set(those);
      for (let kill = await live(); kill !== null; kill = await live()) await afterwards[kill]?.();
    },
    async close() {
      isDead = true;
      victim?.kill();
      await victim?.ended;
      await proxy.close();
    },
  };
}

/** A poll that was not cut short tells what of it failed. */
function isTrouble(line: Line & { readonly pools?: { readonly failed: readonly unknown[] } }): boolean {
  if (line.kind === "poll") return line.pools === undefined || line.pools.failed.length > 0;
  return line.kind === "state" && failures.has(line.state ?? "");
}
