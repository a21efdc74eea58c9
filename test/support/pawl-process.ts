import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";

/** One line of `pawl local --json`. */
export interface Line {
  readonly kind: "event" | "state" | "poll" | "result";
  readonly type?: string;
  readonly state?: string | null;
  readonly execution?: string;
  /** JSON. */
  readonly output?: string;
  readonly detail?: { readonly workload: { readonly name: string }; readonly version: string | null };
}

export interface PawlProcess {
  /** Every line so far. */
  readonly lines: readonly Line[];
  /** The first line, past or to come, that `matches`; rejects where the process ends without one. */
  until(what: string, matches: (line: Line) => boolean): Promise<Line>;
  /** SIGKILL: no chance to tidy up. */
  kill(): void;
  /** Its exit status, null where it was killed. Rejects never. */
  readonly ended: Promise<number | null>;
  /** Resolves when it has ended with status 0; throws with what it wrote to stderr where it ends otherwise. */
  succeeds(): Promise<void>;
}

const pawl = fileURLToPath(new URL("../../cli/pawl.ts", import.meta.url));

/** Runs the real command: `pawl local --json` with `flags`. */
export function startPawlLocal(flags: readonly string[]): PawlProcess {
  const child = spawn(process.execPath, [pawl, "local", "--json", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const lines: Line[] = [];
  const watchers = new Set<() => void>();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push(JSON.parse(text) as Line);
    for (const check of watchers) check();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (status) => resolve(status)));
  const until = (what: string, matches: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const check = () => {
        const found = lines.find(matches);
        if (found === undefined) return;
        watchers.delete(check);
        resolve(found);
      };
      watchers.add(check);
      check();
      void ended.then(() => reject(new Error(`pawl ended before ${what}\n${errors}`)));
    });
  const succeeds = async () => {
    const status = await ended;
    if (status !== 0) throw new Error(`pawl ended with status ${status}\n${errors}`);
  };
  return { lines, until, ended, succeeds, kill: () => child.kill("SIGKILL") };
}
