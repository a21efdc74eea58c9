import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One process of the control plane. */
export interface Component {
  /** Rejects with the end of the log if the process exits unexpectedly. Never resolves. */
  readonly died: Promise<never>;
  /** Sends SIGKILL: the data is not needed, and a graceful shutdown of kube-apiserver takes seconds. */
  stop(): Promise<void>;
}

/**
 * Starts a process that logs to `<name>.log` in the first of the folders. It survives a Ctrl-C, so that tests can tear
 * down. When this process exits for any reason, a guard kills it and removes the folders. Programs in Go collect garbage less often than
 * by default: memory is cheaper than CPU time here.
 */
export async function startComponent(
  command: string,
  args: readonly string[],
  folders: readonly [string, ...string[]],
): Promise<Component> {
  const name = basename(args.find((arg) => arg.endsWith(".ts")) ?? command);
  const log = join(folders[0], `${name}.log`);
  const output = openSync(log, "a");
  const env = { GOGC: "400", ...process.env };
  const child = spawn(command, args, { detached: true, stdio: ["ignore", output, output], cwd: folders[0], env });
  closeSync(output);
  await once(child, "spawn");
  const watchdog = guard(child, folders);
  let stopping = false;
  const ended = once(child, "exit").finally(() => watchdog.kill("SIGKILL"));
  const died = ended.then(() => (stopping ? never : Promise.reject(new Error(`${name} ended:\n${tail(log)}`))));
  died.catch(() => {}); // callers that wait for the component use `died` themselves
  child.unref();
  return {
    died,
    stop: async () => {
      stopping = true;
      child.ref();
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const never = new Promise<never>(() => {});

/** Starts a shell that reads a pipe from this process, and gets EOF when this process exits, even by SIGKILL. */
function guard(child: ChildProcess, folders: readonly string[]): ChildProcess {
  const script = 'read -r _; kill -9 "$0"; sleep 0.5; rm -rf "$@"';
  const watchdog = spawn("/bin/sh", ["-c", script, String(child.pid), ...folders], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
  (watchdog.stdin as { unref?: () => void } | null)?.unref?.();
  return watchdog;
}

function tail(log: string): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-20).join("\n");
}
