import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

const command = fileURLToPath(new URL("../../cli/pawl.ts", import.meta.url));

/** Runs the real command to its end, in an environment that has nothing of Pawl, Kubernetes or colours in it. */
export async function runPawl(
  args: readonly string[],
  { stdin = "", env = {} }: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [command, ...args], { env: { PATH: process.env["PATH"], ...env } });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  // A command that refuses its arguments ends without reading.
  child.stdin.on("error", () => undefined).end(stdin);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), promise]);
  return { stdout, stderr, status };
}
