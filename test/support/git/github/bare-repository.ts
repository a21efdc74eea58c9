import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size?: number;
  readonly path: string;
}

/** A bare repository that the `git` binary reads and writes. */
export type BareRepository = ReturnType<typeof createBareRepository>;

/** No configuration of the user or the machine, and the same author and time at each run. */
const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "pawl"],
      [`GIT_${who}_EMAIL`, "pawl@example.com"],
      [`GIT_${who}_DATE`, "1700000000 +0000"],
    ]),
  ),
};

export function createBareRepository(now: () => Date) {
  const folder = mkdtempSync(join(tmpdir(), "pawl-git-"));
  const run = (args: readonly string[], input: string | Uint8Array = "", more = {}): Buffer =>
    execFileSync("git", ["-C", folder, ...args], {
      input,
      env: { ...environment, ...more },
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
    });
  const line = (...args: Parameters<typeof run>) =>
    run(...args)
      .toString()
      .trim();
  const orNull = <Result>(read: () => Result): Result | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };
  line(["init", "--bare", "--quiet", "--initial-branch=main"]);
  let commits = 0;
  // Nobody else writes, and a process for each of many reads would take seconds.
  const blobs = new Map<string, Buffer>();
  const heads = new Map<string, string | null>();

  /** Writes a commit on top of another one, by one process for all files; a null deletes a file. */
  function commit(
    parent: string | null,
    files: ReadonlyMap<string, string | Uint8Array | null>,
    message: string,
    modes: Readonly<Record<string, string>> = {},
  ): string {
    const ref = `refs/written/${(commits += 1)}`;
    const data = (content: string | Uint8Array) => {
      const bytes = Buffer.from(content);
      return [Buffer.from(`data ${bytes.byteLength}\n`), bytes, Buffer.from("\n")];
    };
    const changes = [...files].flatMap(([path, content]) =>
      content === null
        ? [Buffer.from(`D ${path}\n`)]
        : [Buffer.from(`M ${modes[path] ?? "100644"} inline ${path}\n`), ...data(content)],
    );
    const seconds = Math.floor(now().getTime() / 1000);
    const start = `commit ${ref}\ncommitter pawl <pawl@example.com> ${seconds} +0000\n`;
    const from = parent === null ? "" : `from ${parent}\n`;
    run(
      ["fast-import", "--quiet"],
      Buffer.concat([Buffer.from(start), ...data(message), Buffer.from(from), ...changes]),
    );
    return line(["rev-parse", ref]);
  }

  return {
    commit,
    head(branch: string): string | null {
      const ref = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`];
      const head = heads.has(branch) ? (heads.get(branch) ?? null) : orNull(() => line(ref));
      heads.set(branch, head);
      return head;
    },
    /** Moves a branch from one commit to another one. False if it is not there; a null is no branch. */
    moveRef(branch: string, to: string | null, from: string | null): boolean {
      const ref = `refs/heads/${branch}`;
      const args = to === null ? ["-d", ref, from ?? ""] : [ref, to, from ?? "0".repeat(40)];
      heads.delete(branch);
      return orNull(() => line(["update-ref", ...args])) !== null;
    },
    readBlob(sha: string): Buffer | null {
      const blob = blobs.get(sha) ?? orNull(() => run(["cat-file", "blob", sha]));
      if (blob !== null) blobs.set(sha, blob);
      return blob;
    },
    readFile: (branch: string, path: string) => orNull(() => run(["cat-file", "blob", `refs/heads/${branch}:${path}`])),
    listTree: (sha: string, isRecursive: boolean): readonly TreeEntry[] | null =>
      orNull(() =>
        line(["ls-tree", "-z", "-l", ...(isRecursive ? ["-r", "-t"] : []), sha])
          .split("\0")
          .filter((entry) => entry !== "")
          .map((entry) => {
            const [, mode = "", type = "", blob = "", size = "", path = ""] =
              /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(entry) ?? [];
            return { mode, type, sha: blob, path, ...(size === "-" ? {} : { size: Number(size) }) };
          }),
      ),
    aheadBy: (base: string, head: string) => Number(line(["rev-list", "--count", `${base}..${head}`])),
    resolve: (name: string) => orNull(() => line(["rev-parse", "--verify", "--quiet", `${name}^{commit}`])),
    /** Merges two commits. Null if they conflict. */
    merge: (base: string, head: string, message: string) =>
      orNull(() =>
        line(["commit-tree", line(["merge-tree", "--write-tree", base, head]), "-p", base, "-p", head], message),
      ),
    /** Reads the newest commits up to one, of those that are not older than a time. */
    history: (head: string, since: string, max: number) =>
      line(["log", `--max-count=${max}`, `--since=${since}`, "-z", "--format=%H%n%B", head])
        .split("\0")
        .filter((entry) => entry !== "")
        .map((entry) => ({ sha: entry.slice(0, 40), message: entry.slice(41) })),
    log: (branch: string) => line(["log", "--format=%s", "--first-parent", branch]).split("\n"),
    message: (branch: string) => run(["log", "-1", "--format=%B", branch]).toString(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
