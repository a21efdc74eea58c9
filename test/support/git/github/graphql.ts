import type { Answer, HostState } from "./routes.ts";

interface Query {
  readonly query: string;
  readonly variables: {
    readonly input?: CommitInput & { readonly pullRequestId?: string; readonly mergeMethod?: string };
    readonly number?: number;
  };
}

interface CommitInput {
  readonly branch: { readonly repositoryNameWithOwner: string; readonly branchName: string };
  readonly expectedHeadOid: string;
  readonly message: { readonly headline: string; readonly body: string };
  readonly fileChanges: { readonly additions: readonly { readonly path: string; readonly contents: string }[] };
}

/** GraphQL cuts longer texts. */
const maxTextBytes = 512_000;

/** Answers the queries of the adapter: texts of blobs, a commit, and auto-merge. */
export function answerGraphql(state: HostState, { query, variables }: Query): Answer {
  return { status: 200, body: answer(state, query, variables) };
}

function answer(state: HostState, query: string, { input, number }: Query["variables"]): unknown {
  if (number !== undefined) return readPull(state, number);
  if (input === undefined) return readBlobs(state, query);
  if (input.pullRequestId === undefined) return commit(state, input);
  if (query.includes("disablePullRequestAutoMerge")) return disableAutoMerge(state, input.pullRequestId);
  return enableAutoMerge(state, input.pullRequestId);
}

function readPull({ pulls, autoMerge, repository: git }: HostState, number: number): unknown {
  const pull = pulls[number - 1];
  const autoMergeRequest = pull?.isAutoMerged ? { enabledAt: "2026-01-01T00:00:00Z" } : null;
  const pullRequest =
    pull === undefined
      ? null
      : {
          id: `PR_${number}`,
          autoMergeRequest,
          headRefOid: git.head(pull.head),
          commits: { totalCount: git.aheadBy(pull.base, pull.head) },
        };
  const repository = { autoMergeAllowed: autoMerge !== null, viewerDefaultMergeMethod: "MERGE", pullRequest };
  return { data: { repository } };
}

function enableAutoMerge({ pulls, autoMerge }: HostState, id: string): unknown {
  const pull = pulls[Number(id.slice(3)) - 1];
  const fail = (message: string) => ({
    data: { enablePullRequestAutoMerge: null },
    errors: [{ type: "UNPROCESSABLE", path: ["enablePullRequestAutoMerge"], message }],
  });
  if (pull === undefined || autoMerge === null)
    return fail("Pull request Auto merge is not allowed for this repository");
  if (!autoMerge.hasRule)
    return fail(`Pull request Pull request is in ${autoMerge.isUnstable ? "unstable" : "clean"} status`);
  pull.isAutoMerged = true;
  return { data: { enablePullRequestAutoMerge: { clientMutationId: null } } };
}

function disableAutoMerge({ pulls }: HostState, id: string): unknown {
  Object.assign(pulls[Number(id.slice(3)) - 1] ?? {}, { isAutoMerged: false });
  return { data: { disablePullRequestAutoMerge: { clientMutationId: null } } };
}

function readBlobs({ repository }: HostState, query: string): unknown {
  const fields = [...query.matchAll(/(\w+): object\(oid: "(\w+)"\)/g)].map(([, alias = "", sha = ""]) => {
    const blob = repository.readBlob(sha);
    // Like GitHub's, it does not say what it changes in a text.
    const text = blob === null || blob.includes(0) ? null : blob.subarray(0, maxTextBytes).toString("utf8");
    return [alias, blob === null ? null : { text }];
  });
  return { data: { repository: Object.fromEntries(fields) } };
}

function commit(
  { repository, protection, name }: HostState,
  { branch, expectedHeadOid, message, fileChanges }: CommitInput,
): unknown {
  const fail = (type: string, text: string) => ({
    data: { createCommitOnBranch: null },
    errors: [{ type, path: ["createCommitOnBranch"], message: text }],
  });
  const { branchName, repositoryNameWithOwner } = branch;
  const head = repository.head(branchName);
  if (repositoryNameWithOwner !== name || head === null) return fail("NOT_FOUND", `No ref named ${branchName}`);
  if (branchName === "main" && protection !== null) return fail(protection.type, protection.message);
  const stale = () =>
    fail("STALE_DATA", `Expected branch to point to "${expectedHeadOid}" but it did not.  Pull and try again.`);
  if (head !== expectedHeadOid) return stale();
  const files = new Map(fileChanges.additions.map(({ path, contents }) => [path, Buffer.from(contents, "base64")]));
  const oid = repository.commit(head, files, `${message.headline}\n\n${message.body}`);
  if (!repository.moveRef(branchName, oid, head)) return stale();
  return { data: { createCommitOnBranch: { commit: { oid, url: `https://github.test/${name}/commit/${oid}` } } } };
}
