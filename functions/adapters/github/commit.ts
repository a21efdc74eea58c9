import * as v from "valibot";
import type { GitChange } from "../../ports/git-repository.ts";
import { type GitHubClient, parse } from "./client.ts";
import { mapGraphqlError } from "./errors.ts";

type Committed =
  | { readonly kind: "committed"; readonly commit: string; readonly url: string }
  | { readonly kind: "moved" };

const mutation =
  "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid url } } }";
const answer = v.object({
  createCommitOnBranch: v.object({ commit: v.object({ oid: v.string(), url: v.string() }) }),
});

/** Commits files to a branch that is still at `expectedHead`. GitHub signs the commit as the App. */
export async function commitOn(client: GitHubClient, branch: string, change: GitChange): Promise<Committed> {
  const { expectedHead, files, headline, body } = change;
  const additions = [...files].map(([path, text]) => ({ path, contents: Buffer.from(text).toString("base64") }));
  const input = {
    branch: { repositoryNameWithOwner: client.repository, branchName: branch },
    expectedHeadOid: expectedHead,
    message: { headline, body },
    fileChanges: { additions },
  };
  const { data, error } = await client.graphql(mutation, { input });
  if (error?.type === "STALE_DATA") return { kind: "moved" };
  if (error !== null) throw mapGraphqlError(error, client.repository);
  const { commit } = parse(answer, data, client.repository).createCommitOnBranch;
  return { kind: "committed", commit: commit.oid, url: commit.url };
}
