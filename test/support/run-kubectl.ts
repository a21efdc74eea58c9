import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { findBinaries } from "./control-plane/binaries.ts";

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reports whether kubectl is beside the control plane. build.sh builds none. */
export function hasKubectl(): boolean {
  return existsSync(kubectlPath());
}

/** Runs kubectl as the administrator of the real cluster. `input` is an object for `-f -`. */
export async function runKubectl(args: readonly string[], input?: object): Promise<Output> {
  const env = { KUBECONFIG: inject("kubeconfig") ?? "", HOME: "/nonexistent" };
  const child = spawn(kubectlPath(), args, { env });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  child.stdin.end(input === undefined ? "" : JSON.stringify(input));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

function kubectlPath(): string {
  const binaries = findBinaries();
  return join(binaries.kind === "found" ? binaries.folder : "", "kubectl");
}
