import { spawn } from "node:child_process";
import { Console } from "node:console";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { run } from "../../cli/program.ts";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

interface Options {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const command = fileURLToPath(new URL("../../cli/pawl.ts", import.meta.url));

/** Returns an environment without variables of Pawl, Kubernetes or colours. */
function environment(env: Options["env"] = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], ...env };
}

/** Runs the command in its own process, which takes a second of CPU time; use it for behaviour that `runPawl` does not cover. */
export async function spawnPawl(args: readonly string[], { stdin = "", env }: Options = {}): Promise<Ran> {
  const child = spawn(process.execPath, [command, ...args], { env: environment(env) });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  // A command that rejects its arguments ends without reading.
  child.stdin.on("error", () => undefined).end(stdin);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), promise]);
  return { stdout, stderr, status };
}

let previous: Promise<unknown> = Promise.resolve();

/** Runs the command in this process. The commands of concurrent tests run one after the other. */
export function runPawl(args: readonly string[], options: Options = {}): Promise<Ran> {
  const ran = previous.then(() => runHere(args, options));
  previous = ran.catch(() => undefined);
  return ran;
}

async function runHere(args: readonly string[], { stdin = "", env }: Options): Promise<Ran> {
  const stdout = collect();
  const stderr = collect();
  const replaced = {
    stdin: Readable.from([stdin]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: environment(env),
  };
  const own = Object.keys(replaced).map((key) => [key, Object.getOwnPropertyDescriptor(process, key)] as const);
  const { exitCode } = process;
  const ownConsole = globalThis.console;
  try {
    process.exitCode = undefined;
    for (const [key, value] of Object.entries(replaced)) {
      Object.defineProperty(process, key, { value, configurable: true, enumerable: true, writable: true });
    }
    globalThis.console = new Console(stdout.stream, stderr.stream);
    await run(args);
    return { stdout: stdout.text(), stderr: stderr.text(), status: exitStatus() };
  } finally {
    process.exitCode = exitCode;
    globalThis.console = ownConsole;
    for (const [key, descriptor] of own) if (descriptor !== undefined) Object.defineProperty(process, key, descriptor);
  }
}

function exitStatus(): number {
  return Number(process.exitCode ?? 0);
}

/** Creates a stream that is not a terminal and collects the text written to it. */
function collect() {
  let written = "";
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written += chunk.toString();
      done();
    },
  });
  return { stream, text: () => written };
}
