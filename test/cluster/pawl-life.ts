import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kindOfWrite } from "../support/bootc/writes.ts";
import { type Line, startPawlLocal } from "../support/pawl-process.ts";
import { startWriteProxy } from "../support/write-proxy.ts";
import type { NodeLab } from "./node-lab.ts";

/** One `pawl local`, from its start to its end. It hears nothing of the cluster until it is let go. */
export interface Life {
  letGo(): void;
  /**
   * The moment at which it was killed, such as `before cordon`; null where it found nothing left to do. Rejects where it
   * failed by itself.
   */
  readonly ended: Promise<string | null>;
  /** Executions that ended in a failure, and polls in which something failed. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

export interface LifeOptions {
  readonly lab: Pick<NodeLab, "kubeConfig" | "namespace">;
  readonly folder: string;
  readonly since: Date;
  /** Whether it lives on beyond a moment of a write: "before" the server hears of it, "after" the server has done it. */
  readonly spares: (moment: string) => boolean;
}

let lives = 0;

export async function beginLife({ lab, folder, since, spares }: LifeOptions): Promise<Life> {
  const { promise: opens, resolve: open } = Promise.withResolvers<void>();
  let killedAt: string | null = null;
  let heldLines = 0;

  /** What it had under way when it died goes no further. */
  async function livesOn(moment: string): Promise<boolean> {
    if (killedAt !== null) return false;
    if (spares(moment)) return true;
    killedAt = moment;
    pawl.kill();
    await pawl.ended;
    return false;
  }

  const proxy = await startWriteProxy(lab.kubeConfig, {
    opens,
    before: (write) => livesOn(`before ${kindOfWrite(write)}`),
    after: (write) => livesOn(`after ${kindOfWrite(write)}`),
  });
  const file = join(folder, `${(lives += 1)}.kubeconfig`);
  await writeFile(file, proxy.kubeconfig, { mode: 0o600 });
  const pawl = startPawlLocal([
    ...["--kubeconfig", file, "--namespace", lab.namespace, "--node-pools", "--exit-when-idle"],
    ...["--every", "30s", "--speed", "300", "--since", since.toISOString()],
  ]);
  return {
    letGo() {
      heldLines = pawl.lines.length;
      open();
    },
    ended: pawl.ended.then(async () => {
      if (killedAt === null) await pawl.succeeds();
      return killedAt;
    }),
    troubles: () =>
      pawl.lines
        .slice(heldLines)
        .filter(isTrouble)
        .map((line) => JSON.stringify(line)),
    async close() {
      killedAt ??= "the end of the test";
      pawl.kill();
      await pawl.ended;
      await proxy.close();
    },
  };
}

const failures = new Set(["RolloutBroken", "Interrupted"]);

function isTrouble(line: Line & { readonly pools?: { readonly failed: readonly unknown[] } }): boolean {
  if (line.kind === "poll") return line.pools === undefined || line.pools.failed.length > 0;
  return line.kind === "state" && failures.has(line.state ?? "");
}
