import { createHash } from "node:crypto";
import { isAllowedFile, mayNameImage } from "../../../functions/domain/git/select-files.ts";
import {
  type GitChange,
  type GitMerge,
  type GitProposal,
  GitRefused,
  type GitRepository,
} from "../../../functions/ports/git-repository.ts";

/** What people and the host do with a repository. */
export interface GitHost {
  /** Commits these files to the branch, as a person; null deletes one. Returns the commit. */
  push(files: Readonly<Record<string, string | null>>): Promise<string>;
  /** Returns a file at the head of the branch; null if there is none. */
  read(path: string): Promise<string | null>;
  /** Merges a proposal. Returns the commit. */
  merge(number: number): Promise<string>;
  /** Closes a proposal, as a person. */
  close(number: number): Promise<void>;
  reopen(number: number): Promise<void>;
  /** Lets a proposal change another branch, which is created. */
  retarget(number: number, branch: string): Promise<void>;
  /** Lets the host refuse every commit to the branch. */
  protect(): Promise<void>;
  /** Lets the repository merge by itself what the rules of the branch allow. A rule makes it wait for `pass`. */
  allowAutoMerge(options: { readonly hasRule: boolean }): Promise<void>;
  /** Meets the rules of a proposal. */
  pass(number: number): Promise<void>;
  /** Returns the headlines of the commits on the branch, newest first. */
  log(): Promise<readonly string[]>;
}

interface MemoryCommit {
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
  readonly headline: string;
  readonly body: string;
}

interface MemoryProposal extends GitChange {
  readonly branch: string;
  body: string;
  readonly number: number;
  state: GitProposal["state"];
  /** It merges as soon as it can be. */
  isMergedByHost: boolean;
  otherBase: string | null;
  /** How many commits the branch had when it was merged. */
  mergedAt: number;
}

export interface MemoryGitOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: GitRepository["mode"];
  readonly paths?: readonly string[];
}

/** Of GitHub. */
export const maxBodyLength = 65_536;

/** Creates a repository in memory, with its host. */
export function createMemoryGit(options: MemoryGitOptions = {}): {
  readonly git: GitRepository;
  readonly host: GitHost;
} {
  const { files = {}, mode = "commit", paths = ["*"] } = options;
  const commits: MemoryCommit[] = [];
  const proposals: MemoryProposal[] = [];
  let isProtected = false;
  let autoMerge: { readonly hasRule: boolean } | null = null;

  const head = () => commits.at(-1) as MemoryCommit;
  const indexOf = (id: string) => commits.findIndex((commit) => commit.id === id);

  function append(changed: ReadonlyMap<string, string | null>, headline: string, body = ""): string {
    const next = new Map(commits.at(-1)?.files);
    for (const [path, text] of changed)
      if (text === null) next.delete(path);
      else next.set(path, text);
    const id = createHash("sha1")
      .update(JSON.stringify([commits.length, headline, ...next]))
      .digest("hex");
    commits.push({ id, files: next, headline, body });
    return id;
  }

  function find(number: number): MemoryProposal {
    const found = proposals.find((one) => one.number === number);
    if (found === undefined) throw new Error(`there is no proposal ${number}`);
    return found;
  }

  /** Another text at the head than the proposal began with. */
  function isConflicting({ expectedHead, files: changed }: MemoryProposal): boolean {
    const base = commits[indexOf(expectedHead)]?.files;
    return [...changed.keys()].some((path) => head().files.get(path) !== base?.get(path));
  }

  const git: GitRepository = {
    name: "memory",
    mode,
    async readHead() {
      const { id, files: all } = head();
      const allowed = [...all].filter(([path, text]) => isAllowedFile(path, paths) && mayNameImage(path, text));
      return { commit: id, files: new Map(allowed), skipped: new Map() };
    },
    readLog: async (until) =>
      commits
        .slice(0, indexOf(until) + 1)
        .map(({ id, headline, body }) => ({ commit: id, message: `${headline}\n\n${body}` }))
        .reverse(),
    async commit({ expectedHead, files: changed, headline, body }) {
      if (expectedHead !== head().id) return { kind: "moved" };
      if (isProtected)
        throw new GitRefused("memory: the branch is protected; let Pawl bypass the rule, or use mode: pullRequest");
      const commit = append(changed, headline, body);
      return { kind: "committed", commit, url: `https://git.test/commit/${commit}` };
    },
    async propose(change) {
      if (change.body.length > maxBodyLength) throw new GitRefused("memory: body is too long");
      const since = indexOf(change.expectedHead);
      const known = proposals.findLast(
        ({ branch, state, mergedAt, otherBase }) =>
          branch === change.branch &&
          otherBase === null &&
          state !== "withdrawn" &&
          (state !== "merged" || mergedAt > since),
      );
      if (known !== undefined) return view(known);
      const created: MemoryProposal = {
        ...change,
        number: proposals.length + 1,
        state: "open",
        isMergedByHost: false,
        otherBase: null,
        mergedAt: -1,
      };
      proposals.push(created);
      return view(created);
    },
    listProposals: async () =>
      proposals
        .filter(({ otherBase }) => otherBase === null)
        .map(view)
        .reverse(),
    async readProposal(url, at) {
      const found = proposals.find((one) => view(one).url === url);
      if (found === undefined) return null;
      const isIncluded = found.state === "merged" && found.mergedAt <= indexOf(at);
      return {
        ...view(found),
        isIncluded,
        isConflicting: found.state === "open" && isConflicting(found),
        otherBase: found.otherBase,
      } satisfies GitMerge;
    },
    async closeProposal(url, reason) {
      const found = proposals.find((one) => view(one).url === url);
      if (found?.state === "open") Object.assign(found, { state: "withdrawn", body: `${found.body}\n${reason}\n` });
    },
    async mergeProposal(url) {
      const found = proposals.find((one) => view(one).url === url);
      if (found === undefined || found.otherBase !== null) return "it is no pull request of Pawl for main";
      if (autoMerge === null) return "the repository does not allow auto-merge";
      if (found.state !== "open") return null;
      found.isMergedByHost = true;
      if (!autoMerge.hasRule) await host.merge(found.number);
      return null;
    },
  };

  const host: GitHost = {
    push: async (changed) => append(new Map(Object.entries(changed)), "a person"),
    read: async (path) => head().files.get(path) ?? null,
    async merge(number) {
      const proposal = find(number);
      if (proposal.otherBase !== null) {
        Object.assign(proposal, { state: "merged", mergedAt: Infinity });
        return proposal.otherBase;
      }
      const id = append(proposal.files, proposal.headline, proposal.body);
      Object.assign(proposal, { state: "merged", mergedAt: indexOf(id) });
      return id;
    },
    close: async (number) => void (find(number).state = "closed"),
    reopen: async (number) => void (find(number).state = "open"),
    retarget: async (number, branch) => void (find(number).otherBase = branch),
    protect: async () => void (isProtected = true),
    allowAutoMerge: async (allowed) => void (autoMerge = allowed),
    async pass(number) {
      if (find(number).isMergedByHost) await host.merge(number);
    },
    log: async () => commits.map(({ headline }) => headline).reverse(),
  };

  append(new Map(Object.entries(files)), "initial");
  return { git, host };
}

function view({ number, state, body }: MemoryProposal): GitProposal {
  return { number, state, body, url: `https://git.test/pull/${number}` };
}
