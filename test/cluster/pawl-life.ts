import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kindOfWrite } from "../support/bootc/writes.ts";
import { type Line, startPawlLocal } from "../support/pawl-process.ts";
import { startWriteProxy } from "../support/write-proxy.ts";
import type { NodeLab } from "./node-lab.ts";

/** One `pawl local`, from its start to its end. It hears nothing of the cluster until it is let go. */
export interface Life {
  letGo(): void;
  /** Resolves when it was killed, or found nothing left to do. Rejects where it failed by itself. */
  readonly ended: Promise<void>;
  /** Executions that ended in a failure, and polls in which something failed. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

export interface LifeOptions {
  readonly lab: Pick<NodeLab, "kubeConfig" | "namespace">;
  readonly folder: string;
  readonly since: Date;
  /**
   * Whether it lives on beyond a moment of a write, such as `before cordon`: the server has yet to hear of it, or has done
   * it. Asked too of what was under way when it was killed at another moment: that goes no further.
   */
  readonly spares: (moment: string) => boolean;
}

let lives = 0;

export async function beginLife({ lab, folder, since, spares }: LifeOptions): Promise<Life> {
  const { promise: opens, resolve: open } = Promise.withResolvers<void>();
  let isDead = false;
  let heldLines = 0;

  async function livesOn(moment: string): Promise<boolean> {
    if (spares(moment) && !isDead) return true;
    isDead = true;
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
  const flags = ["--kubeconfig", file, "--namespace", lab.namespace, "--node-pools", "--exit-when-idle"];
  const pawl = startPawlLocal([...flags, "--every", "30s", "--speed", "300", "--since", since.toISOString()]);
  return {
    letGo() {
      heldLines = pawl.lines.length;
      open();
    },
    ended: pawl.ended.then(() => (isDead ? undefined : pawl.succeeds())),
    troubles: () =>
      pawl.lines
        .slice(heldLines)
        .filter(isTrouble)
        .map((line) => JSON.stringify(line)),
    async close() {
      isDead = true;
      pawl.kill();
      await pawl.ended;
      open();
      await proxy.close();
    },
  };
}

const failures = new Set(["RolloutBroken", "Interrupted"]);

function isTrouble(line: Line & { readonly pools?: { readonly failed: readonly unknown[] } }): boolean {
  if (line.kind === "poll") return line.pools === undefined || line.pools.failed.length > 0;
  return line.kind === "state" && failures.has(line.state ?? "");
}
