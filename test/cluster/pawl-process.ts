import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kindOfWrite } from "../support/bootc/writes.ts";
import { type Line, startPawlLocal } from "../support/pawl-process.ts";
import { startWriteProxy } from "../support/write-proxy.ts";
import type { NodeHarness } from "./node-pool/node-harness.ts";

/** One `pawl local` process. The API server does not answer it until `connect` is called. */
export interface PawlProcess {
  connect(): void;
  /** Resolves if the process was killed, or ended with no work left. Rejects if it failed by itself. */
  readonly ended: Promise<void>;
  /** Returns the executions that failed, and the polls with failures. */
  failures(): readonly string[];
  close(): Promise<void>;
}

export interface PawlProcessOptions {
  readonly harness: Pick<NodeHarness, "kubeConfig" | "namespace">;
  readonly folder: string;
  readonly since: Date;
  /**
   * Returns false to kill the process at a moment of a write, such as `before cordon`. Also called for writes that were in progress
   * when the process was killed; those do not continue.
   */
  readonly shouldSurvive: (moment: string) => boolean;
}

let processCount = 0;

export async function startPawlProcess({
  harness,
  folder,
  since,
  shouldSurvive,
}: PawlProcessOptions): Promise<PawlProcess> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let isDead = false;
  let firstLine = 0;

  async function survives(moment: string): Promise<boolean> {
    if (shouldSurvive(moment) && !isDead) return true;
    isDead = true;
    pawl.kill();
    await pawl.ended;
    return false;
  }

  const proxy = await startWriteProxy(harness.kubeConfig, {
    opens: opened,
    before: (write) => survives(`before ${kindOfWrite(write)}`),
    after: (write) => survives(`after ${kindOfWrite(write)}`),
  });
  const file = join(folder, `${(processCount += 1)}.kubeconfig`);
  await writeFile(file, proxy.kubeconfig, { mode: 0o600 });
  const flags = ["--kubeconfig", file, "--namespace", harness.namespace, "--node-pools", "--exit-when-idle"];
  const pawl = startPawlLocal([
    ...flags,
    "--interval",
    "30s",
    "--clock-speed",
    "300",
    "--clock-start",
    since.toISOString(),
  ]);
  return {
    connect() {
      firstLine = pawl.lines.length;
      open();
    },
    ended: pawl.ended.then(() => (isDead ? undefined : pawl.succeeds())),
    failures: () =>
      pawl.lines
        .slice(firstLine)
        .filter(isFailure)
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

const failureStates = new Set(["RolloutFailed", "ClusterUnreachable"]);

function isFailure(line: Line & { readonly pools?: { readonly failed: readonly unknown[] } }): boolean {
  if (line.kind === "poll") return line.pools === undefined || line.pools.failed.length > 0;
  return line.kind === "state" && failureStates.has(line.state ?? "");
}
