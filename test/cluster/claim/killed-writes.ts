import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { everyNth } from "../../support/property-runs.ts";
import { startWriteProxy, type Write } from "../../support/write-proxy.ts";
import { type UpdateWrite, updateWriteOf } from "../auto-update/auto-update-writes.ts";
import type { ClusterHarness } from "../harness.ts";

/** Before a write, nothing of it reaches the server; after it, its answer does not reach the process. */
export interface KilledWrite {
  readonly at: "before" | "after";
  readonly write: UpdateWrite;
}

type Target = Pick<ClusterHarness, "flags" | "kubeConfig" | "namespace">;

/**
 * Runs one process after another, each killed at the next of every third of these writes, in a soak of all. The last process runs to the
 * end. `test/faults` interrupts every call of an update, but in memory.
 */
export async function killAtEach(target: Target, folder: string, killed: readonly KilledWrite[]): Promise<void> {
  for (const point of everyNth(3, killed)) await killAt(target, folder, point);
  await startPawlLocal([...target.flags, "--exit-when-idle"]).succeeds();
}

async function killAt({ kubeConfig, namespace, flags }: Target, folder: string, point: KilledWrite): Promise<void> {
  let isDead = false;

  async function survives(at: KilledWrite["at"], write: Write): Promise<boolean> {
    if (!isDead && (at !== point.at || updateWriteOf(write) !== point.write)) return true;
    isDead = true;
    pawl.kill();
    await pawl.ended;
    return false;
  }

  const proxy = await startWriteProxy(kubeConfig, {
    opens: Promise.resolve(),
    before: (write) => survives("before", write),
    after: (write) => survives("after", write),
  });
  const file = join(folder, `${namespace}.kubeconfig`);
  await writeFile(file, proxy.kubeconfig, { mode: 0o600 });
  const pawl = startPawlLocal([...flags, "--kubeconfig", file, "--exit-when-idle"]);
  await pawl.ended;
  await proxy.close();
  if (isDead) return;
  await pawl.succeeds();
  throw new Error(`pawl ended before it was killed ${point.at} "${point.write}"`);
}
