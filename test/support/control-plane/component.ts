import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** One process of the control plane. */
export interface Component {
  /** Rejects, with the end of the log, when the process ends without having been told to. Never resolves. */
  readonly died: Promise<never>;
  /** SIGKILL: the data is thrown away, and a graceful end takes kube-apiserver seconds. */
  stop(): Promise<void>;
}

/**
 * Starts a process that writes `<name>.log` into the first of the folders. It outlives a Ctrl-C, so that tests can
 * still tear down, but never this process: however that ends, a guard then kills it and removes the folders.
 */
export async function startComponent(
  command: string,
  args: readonly string[],
  folders: readonly [string, ...string[]],
): Promise<Component> {
  const name = basename(args.find((arg) => arg.endsWith(".ts")) ?? command);
  const log = join(folders[0], `${name}.log`);
  const output = openSync(log, "a");
  const child = spawn(command, args, { detached: true, stdio: ["ignore", output, output], cwd: folders[0] });
  closeSync(output);
  await once(child, "spawn");
  const watchdog = guard(child, folders);
  let stopping = false;
  const ended = once(child, "exit").finally(() => watchdog.kill("SIGKILL"));
  const died = ended.then(() => (stopping ? never : Promise.reject(new Error(`${name} ended:\n${tail(log)}`))));
  died.catch(() => {}); // whoever still waits for something of it hears of it by its own promise
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

/** A shell that reads a pipe which only this process holds: it ends by EOF when this process does, even by SIGKILL. */
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
