import { isAllowedFile } from "../../domain/git/select-files.ts";
import { type GitChange, GitRefused, type GitRepository } from "../../ports/git-repository.ts";
import type { ExpiringCache } from "../expiring-cache.ts";
import { createAppAccess } from "./app-access.ts";
import { createGitHubClient } from "./client.ts";
import { commitOn } from "./commit.ts";
import { closeProposal, listProposals, propose, readProposal } from "./proposals.ts";
import { mergeProposal } from "./merge.ts";
import { createHeadReader, readLog } from "./read-head.ts";
import { createSender, type SendGitHub } from "./send.ts";

export interface GitHubOptions {
  readonly name: string;
  readonly mode: GitRepository["mode"];
  readonly pageUrl?: string | null;
  /** Of GitHub Enterprise Server: `https://HOST/api/v3`. */
  readonly apiUrl?: string | undefined;
  /** OWNER/NAME. */
  readonly repository: string;
  readonly branch: string;
  /** Globs or folders of the files that may be read and written. */
  readonly paths: readonly string[];
  /** The text `{"appId": "…", "privateKey": "-----BEGIN…"}` of a GitHub App. */
  readonly secret: ExpiringCache<string>;
  readonly now: () => Date;
  readonly send?: SendGitHub;
}

/** Opens a branch of a repository on GitHub, without a request. */
export function openGitHub(options: GitHubOptions): GitRepository {
  const {
    name,
    mode,
    pageUrl = null,
    apiUrl = "https://api.github.com",
    repository,
    branch,
    paths,
    secret,
    now,
    send = createSender(),
  } = options;
  const { protocol, hostname } = new URL(apiUrl);
  if (protocol !== "https:" && hostname !== "127.0.0.1")
    throw new GitRefused(`${name}: ${apiUrl} would receive the token in clear text; use https:// in apiUrl`);
  const permissions = { contents: "write", ...(mode === "pullRequest" ? { pull_requests: "write" } : {}) } as const;
  const access = createAppAccess({ send, apiUrl, repository, secret, permissions, now });
  const client = createGitHubClient({ apiUrl, repository, access, now }, send);

  function assertAllowed({ files }: GitChange): void {
    const other = [...files.keys()].find((path) => !isAllowedFile(path, paths));
    if (other !== undefined)
      throw new GitRefused(`${repository}: ${other} is not in paths of the deployment; add it there`);
  }

  return {
    name,
    mode,
    pageUrl,
    readHead: createHeadReader(client, branch, paths),
    readLog: (head, since) => readLog(client, head, since),
    async commit(change) {
      assertAllowed(change);
      return commitOn(client, branch, change);
    },
    async propose(change) {
      assertAllowed(change);
      return propose(client, branch, change);
    },
    listProposals: () => listProposals(client, branch),
    readProposal: (url, head) => readProposal(client, branch, url, head),
    closeProposal: (url, reason) => closeProposal(client, url, reason),
    mergeProposal: (url) => mergeProposal(client, branch, url),
  };
}
