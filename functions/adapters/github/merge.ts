import * as v from "valibot";
import { type GitHubClient, parse } from "./client.ts";
import { mapGraphqlError, mapResponseError, messageOf } from "./errors.ts";
import { numberOf, readPull } from "./proposals.ts";

const query =
  "query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) " +
  "{ autoMergeAllowed viewerDefaultMergeMethod pullRequest(number: $number) " +
  "{ id autoMergeRequest { enabledAt } headRefOid commits { totalCount } } } }";
const enable =
  "mutation($input: EnablePullRequestAutoMergeInput!) { enablePullRequestAutoMerge(input: $input) { clientMutationId } }";
const disable =
  "mutation($input: DisablePullRequestAutoMergeInput!) { disablePullRequestAutoMerge(input: $input) { clientMutationId } }";
const answer = v.object({
  repository: v.object({
    autoMergeAllowed: v.boolean(),
    viewerDefaultMergeMethod: v.picklist(["MERGE", "REBASE", "SQUASH"]),
    pullRequest: v.object({
      id: v.string(),
      autoMergeRequest: v.nullable(v.unknown()),
      headRefOid: v.string(),
      commits: v.object({ totalCount: v.number() }),
    }),
  }),
});

/** Lets GitHub merge a pull request once its rules are met, if the repository allows that. What meets them already is merged at once. */
export async function mergeProposal(client: GitHubClient, base: string, url: string): Promise<string | null> {
  const [owner, name] = client.repository.split("/");
  const number = numberOf(url);
  // Its number is of a status, which others may write.
  if ((await readPull(client, number))?.base.ref !== base) return `it is no pull request of Pawl for ${base}`;
  const found = await client.graphql(query, { owner, name, number });
  if (found.error !== null) throw mapGraphqlError(found.error, client.repository);
  const { repository } = parse(answer, found.data, client.repository);
  const { autoMergeAllowed, viewerDefaultMergeMethod: mergeMethod, pullRequest } = repository;
  const { headRefOid: head, commits } = pullRequest;
  if (!autoMergeAllowed) return "the repository does not allow auto-merge";
  const isEnabled = pullRequest.autoMergeRequest !== null;
  if (commits.totalCount !== 1) {
    // What was pushed since that would be merged too.
    const stopped = isEnabled ? await client.graphql(disable, { input: { pullRequestId: pullRequest.id } }) : null;
    if (stopped !== null && stopped.error !== null) throw mapGraphqlError(stopped.error, client.repository);
    return "its branch has other commits than that of Pawl";
  }
  if (isEnabled) return null;
  const { error } = await client.graphql(enable, {
    input: { pullRequestId: pullRequest.id, mergeMethod, expectedHeadOid: head },
  });
  if (error === null) return null;
  // GitHub's words for one that waits for no rule, also while a check that is not required runs or has failed.
  if (!/(?:clean|unstable) status/i.test(error.message ?? "")) {
    const failure = mapGraphqlError(error, client.repository);
    if (failure.name === "Throttled" || failure.name === "Unreachable") throw failure;
    return failure.message;
  }
  const response = await client.rest("PUT", `/pulls/${number}/merge`, {
    merge_method: mergeMethod.toLowerCase(),
    sha: head,
  });
  if (response.status === 200) return null;
  // Not mergeable now, or its head has moved.
  if (response.status === 405 || response.status === 409) return messageOf(response.body);
  throw mapResponseError(response, client.repository, client.now());
}
