import { openGitHub } from "../../../functions/adapters/github/repository.ts";
import { secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import { createExpiringCache } from "../../../functions/adapters/expiring-cache.ts";
import type { GitRepository } from "../../../functions/ports/git-repository.ts";
import { parse } from "yaml";
import { startGitHub } from "../../support/git/github/server.ts";
import { appSecret } from "../../support/git/github/tokens.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A repository with the manifest of `web`. */
export interface Repository {
  /** Opens it as a new process does: without a token, and without files. */
  open(): GitRepository;
  /** How many commits follow the first one. */
  commits(): number;
  close(): Promise<void>;
}

const name = "config";
const path = "apps/web.yaml";
const secondsBetweenSyncs = 60;

/** Starts a stand-in of GitHub, and a controller that applies each commit to a cluster. */
export async function startRepository(manifest: string, url: () => string, time: VirtualTime): Promise<Repository> {
  const { state, apiUrl, name: repository, read, stop } = await startGitHub({ [path]: manifest }, time.now);
  const head = () => state.repository.head("main");
  let applied = head();

  async function sync(): Promise<void> {
    time.schedule(secondsBetweenSyncs, () => void sync());
    const next = head();
    if (next === applied) return;
    const { ok } = await fetch(`${url()}/apis/apps/v1/namespaces/shop/deployments/web`, {
      method: "PATCH",
      headers: { "content-type": "application/strategic-merge-patch+json" },
      body: JSON.stringify(parse((await read(path)) ?? "")),
    });
    if (ok) applied = next;
  }

  time.schedule(secondsBetweenSyncs, () => void sync());
  return {
    open() {
      const secret = async () => ({ value: appSecret, expiresAt: secondsAfter(time.now(), 300) });
      return openGitHub({
        name,
        mode: "commit",
        apiUrl,
        repository,
        branch: "main",
        paths: ["*"],
        secret: createExpiringCache(secret, time.now),
        now: time.now,
      });
    },
    commits: () => state.repository.log("main").length - 1,
    close: stop,
  };
}
