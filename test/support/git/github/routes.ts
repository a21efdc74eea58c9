import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import { maxBodyLength } from "../memory-git.ts";
import type { BareRepository } from "./bare-repository.ts";
import { appSlug } from "./tokens.ts";

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PullRequest {
  readonly number: number;
  readonly head: string;
  base: string;
  /** Of its author. */
  readonly login: string;
  title: string;
  body: string | null;
  state: "open" | "closed";
  mergedAs: string | null;
  mergedAt?: Date;
  /** GitHub merges it once its rules are met. */
  isAutoMerged: boolean;
}

/** What the host has beside the repository. */
export interface HostState {
  readonly repository: BareRepository;
  readonly now: () => Date;
  /** OWNER/NAME. */
  readonly name: string;
  readonly pulls: PullRequest[];
  /** How GitHub says that the branch is protected; null if it is not. */
  protection: { readonly type: string; readonly message: string } | null;
  /** Trees with more entries are truncated. */
  maxTreeEntries: number;
  /** What the repository allows. With a rule, a pull request waits for it. */
  autoMerge: { readonly hasRule: boolean; readonly isUnstable?: boolean } | null;
}

const appLogin = `${appSlug}[bot]`;

type Fields = Readonly<Record<string, unknown>>;

/** Merges a pull request. Null if it conflicts. */
export function mergePull({ repository, now }: HostState, pull: PullRequest): string | null {
  const [head, from] = [repository.head(pull.base), repository.head(pull.head)];
  const commit = repository.merge(head ?? "", from ?? "", `Merge pull request #${pull.number}`);
  if (commit === null) return null;
  repository.moveRef(pull.base, commit, head);
  Object.assign(pull, { state: "closed", mergedAs: commit, mergedAt: now() });
  return commit;
}

const notFound: Answer = { status: 404, body: { message: "Not Found" } };

export function refuse(message: string, ...errors: unknown[]): Answer {
  return { status: 422, body: { message, errors } };
}

/** Answers what is below /repos/OWNER/NAME. */
export function answerRest(
  state: HostState,
  method: string,
  path: string,
  query: URLSearchParams,
  body: Fields,
): Answer {
  const { repository } = state;
  const [, area = "", rest = ""] = /^\/([a-z]+)\/?(.*)$/.exec(path) ?? [];
  const branch = rest.replace(/^refs?\/heads\//, "");
  if (area === "git" && rest.startsWith("trees/")) return answerTree(state, rest.slice(6), query.has("recursive"));
  if (area === "git" && rest.startsWith("blobs/")) {
    const blob = repository.readBlob(rest.slice(6));
    return blob === null ? notFound : { status: 200, body: { content: blob.toString("base64"), encoding: "base64" } };
  }
  if (area === "git" && rest === "refs") return createRef(state, String(body["ref"]).slice(11), String(body["sha"]));
  if (area === "git") return answerRef(state, method, branch, String(body["sha"]), body["force"] === true);
  if (area === "commits") {
    const [head = "", since = "", max] = ["sha", "since", "per_page"].map((key) => query.get(key) ?? "");
    const found = repository.history(head, since, Number(max));
    return { status: 200, body: found.map(({ sha, message }) => ({ sha, commit: { message } })) };
  }
  if (area === "compare") return compare(state, rest);
  return area === "pulls" ? answerPulls(state, method, rest, query, body) : notFound;
}

function answerTree({ repository, maxTreeEntries }: HostState, sha: string, isRecursive: boolean): Answer {
  const tree = repository.listTree(sha, isRecursive);
  if (tree === null) return notFound;
  return { status: 200, body: { sha, tree: tree.slice(0, maxTreeEntries), truncated: tree.length > maxTreeEntries } };
}

function createRef({ repository }: HostState, branch: string, sha: string): Answer {
  if (repository.head(branch) !== null) return refuse("Reference already exists");
  return repository.moveRef(branch, sha, null)
    ? { status: 201, body: { object: { sha } } }
    : refuse("Object does not exist");
}

function answerRef({ repository }: HostState, method: string, branch: string, sha: string, isForced: boolean): Answer {
  const head = repository.head(branch);
  if (head === null) return method === "GET" ? notFound : refuse("Reference does not exist");
  if (method === "GET") return { status: 200, body: { object: { sha: head } } };
  if (method === "DELETE") return { status: repository.moveRef(branch, null, head) ? 204 : 422 };
  if (!isForced && repository.aheadBy(sha, head) > 0) return refuse("Update is not a fast forward");
  return repository.moveRef(branch, sha, head)
    ? { status: 200, body: { object: { sha } } }
    : refuse("Reference cannot be updated");
}

function compare({ repository }: HostState, rest: string): Answer {
  const [base, head] = decodeURIComponent(rest)
    .split("...")
    .map((name) => repository.resolve(name));
  if (base === null || base === undefined || head === null || head === undefined) return notFound;
  return { status: 200, body: { ahead_by: repository.aheadBy(base, head), behind_by: repository.aheadBy(head, base) } };
}

function answerPulls(state: HostState, method: string, rest: string, query: URLSearchParams, body: Fields): Answer {
  const { pulls } = state;
  if (rest === "" && method === "POST") return openPull(state, body);
  if (rest === "") {
    const [owner] = state.name.split("/");
    const found = pulls.filter(
      ({ head, base }) => [null, `${owner}:${head}`].includes(query.get("head")) && base === query.get("base"),
    );
    const wantedState = query.get("state") ?? "open";
    const wanted = found.filter((pull) => wantedState === "all" || pull.state === wantedState).reverse();
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 30)];
    const shown = wanted.slice((page - 1) * size, page * size);
    return { status: 200, body: shown.map((pull) => view(state, pull)) };
  }
  const pull = pulls[Number.parseInt(rest, 10) - 1];
  if (pull === undefined) return notFound;
  if (rest.endsWith("/merge"))
    return mergePull(state, pull) === null
      ? { status: 405, body: { message: "Pull Request is not mergeable" } }
      : { status: 200, body: { merged: true } };
  if (method === "PATCH") Object.assign(pull, body);
  return { status: 200, body: view(state, pull) };
}

function openPull(state: HostState, { title, body, head, base }: Fields): Answer {
  const { repository, pulls, name } = state;
  if (String(body).length > maxBodyLength)
    return refuse("Validation Failed", { field: "body", message: "body is too long (maximum is 65536 characters)" });
  const [from, to] = [repository.head(String(head)), repository.head(String(base))];
  if (from === null || to === null)
    return refuse("Validation Failed", { resource: "PullRequest", field: "head", code: "invalid" });
  if (pulls.some((pull) => pull.head === head && pull.state === "open"))
    return refuse("Validation Failed", {
      message: `A pull request already exists for ${name.split("/")[0]}:${String(head)}.`,
    });
  if (repository.aheadBy(to, from) === 0)
    return refuse("Validation Failed", { message: `No commits between ${String(base)} and ${String(head)}` });
  const pull: PullRequest = {
    number: pulls.length + 1,
    head: String(head),
    base: String(base),
    login: appLogin,
    title: String(title),
    body: String(body),
    state: "open",
    mergedAs: null,
    isAutoMerged: false,
  };
  pulls.push(pull);
  return { status: 201, body: view(state, pull) };
}

function view({ name, repository }: HostState, pull: PullRequest): Fields {
  const { number, head, base, login, state, body, mergedAs, mergedAt } = pull;
  const [to, from] = [repository.head(base), repository.head(head)];
  return {
    number,
    html_url: `https://github.test/${name}/pull/${number}`,
    state,
    body,
    merged_at: mergedAt === undefined ? null : formatRfc3339(mergedAt),
    merge_commit_sha: mergedAs,
    base: { ref: base },
    user: { login, type: login === appLogin ? "Bot" : "User" },
    head: { ref: head, repo: { full_name: name } },
    mergeable: state === "open" && repository.merge(to ?? "", from ?? "", "test") !== null,
  };
}
