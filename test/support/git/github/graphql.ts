import type { Answer, HostState } from "./routes.ts";

interface Query {
  readonly query: string;
  readonly variables: { readonly input?: CommitInput };
}

interface CommitInput {
  readonly branch: { readonly repositoryNameWithOwner: string; readonly branchName: string };
  readonly expectedHeadOid: string;
  readonly message: { readonly headline: string; readonly body: string };
  readonly fileChanges: { readonly additions: readonly { readonly path: string; readonly contents: string }[] };
}

/** GraphQL cuts longer texts. */
const maxTextBytes = 512_000;

/** Answers the two queries of the adapter: texts of blobs, and a commit. */
export function answerGraphql(state: HostState, { query, variables }: Query): Answer {
  return {
    status: 200,
    body: variables.input === undefined ? readBlobs(state, query) : commit(state, variables.input),
  };
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
