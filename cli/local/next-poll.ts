import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { formatRfc3339, parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";

/** What `pawl local` says about itself, for the other commands of the same user on this machine. */
interface LocalPolls {
  readonly pid: number;
  readonly nextPoll: string;
  /** Its EventBridge API, and the access key of requests to it. */
  readonly url: string;
  readonly accessKeyId: string;
}

/** Returns the file about the cluster with this API server. */
function fileFor(server: string): string {
  const hash = createHash("sha256").update(server).digest("hex").slice(0, 16);
  return join(tmpdir(), `pawl-${userInfo().username}`, `${hash}.json`);
}

/** Writes when this process polls next, and where it is asked to. It is only a hint, so an error of the file system is ignored. */
export async function announceNextPoll(
  server: string,
  at: Date,
  { url, accessKeyId }: Pick<LocalPolls, "url" | "accessKeyId">,
): Promise<void> {
  const file = fileFor(server);
  const polls: LocalPolls = { pid: process.pid, nextPoll: formatRfc3339(at), url, accessKeyId };
  try {
    await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(polls), { mode: 0o600 });
  } catch {
    // Without the hint, commands say only that the next poll handles a request.
  }
}

export async function withdrawNextPoll(server: string): Promise<void> {
  await rm(fileFor(server), { force: true }).catch(() => undefined);
}

/** Describes the next poll. Its time is known only for a `pawl local` on this machine: not for a schedule in AWS. */
export async function describeNextPoll(server: string): Promise<string> {
  const local = await readLocalPolls(server);
  return local === null ? "the next poll handles it" : `the next poll, at ${local.nextPoll}, handles it`;
}

/** Returns what a `pawl local` of this user that polls this cluster says about itself; null if there is none. */
export async function readLocalPolls(server: string): Promise<LocalPolls | null> {
  try {
    const polls = JSON.parse(await readFile(fileFor(server), "utf8")) as LocalPolls;
    process.kill(polls.pid, 0);
    const at = parseRfc3339(polls.nextPoll);
    return at === null ? null : { ...polls, nextPoll: formatRfc3339(at) };
  } catch {
    return null;
  }
}
