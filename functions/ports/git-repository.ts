/** One branch of one repository that the deployment allows, on its host. Every method may throw `Unreachable`, `Throttled`, `Forbidden` or `GitRefused`. */
export interface GitRepository {
  readonly name: string;
  readonly mode: "commit" | "pullRequest";
  /** The address of the page for a team, if there is one. */
  readonly pageUrl?: string | null;
  /** Reads the head of the branch: its commit, and the YAML files under the allowed paths that have a marker of an image, or are kustomizations. */
  readHead(): Promise<GitHead>;
  /** Reads the newest commits up to one, newest first: at least 100, or all since a time. */
  readLog(head: string, since: Date): Promise<readonly GitCommit[]>;
  /** Writes the files in one commit, if the branch is still at `expectedHead`. `moved`: it is not, and nothing is written. */
  commit(
    change: GitChange,
  ): Promise<
    { readonly kind: "committed"; readonly commit: string; readonly url: string } | { readonly kind: "moved" }
  >;
  /** Opens the pull request of this branch name, or returns the one that exists, open or closed. The branch is created from `expectedHead`. */
  propose(change: GitChange & { readonly branch: string }): Promise<GitProposal>;
  /** Lists the proposals of Pawl to the branch, newest first: all that are open, and those of the newest 100 that are not. */
  listProposals(): Promise<readonly GitProposal[]>;
  /** Returns a proposal, with how it stands to a head of the branch that was read before. Null if there is none. */
  readProposal(url: string, head: string): Promise<GitMerge | null>;
  /** Closes an open proposal, adds a sentence to its body that says why, and deletes its branch. */
  closeProposal(url: string, reason: string): Promise<void>;
  /** Merges an open proposal as soon as the rules of the branch allow it. Returns why a person has to; null if none does. */
  mergeProposal(url: string): Promise<string | null>;
}

export interface GitHead {
  readonly commit: string;
  /** Path to text, as it is stored: line ends and byte order mark included. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths that were left out, with the reason, such as a file above 1 MiB or a symbolic link. */
  readonly skipped: ReadonlyMap<string, string>;
}

export interface GitCommit {
  readonly commit: string;
  readonly message: string;
}

export interface GitChange {
  readonly expectedHead: string;
  /** Path to the whole new text. */
  readonly files: ReadonlyMap<string, string>;
  readonly headline: string;
  readonly body: string;
}

/** A pull request. */
export interface GitProposal {
  /** Of two, the later one has the higher number. */
  readonly number: number;
  readonly url: string;
  /** "withdrawn": `closeProposal` closed it. "closed": a person did. */
  readonly state: "open" | "merged" | "closed" | "withdrawn";
  readonly body: string;
}

export interface GitMerge extends GitProposal {
  /** The head has its merge, or had it: the branch may have been moved back. */
  readonly isIncluded: boolean;
  /** It is open, and cannot be merged into the branch as that is now. */
  readonly isConflicting: boolean;
  /** The branch that a person has chosen in place of this one; null if none has. */
  readonly otherBase: string | null;
}

/** The host refused the write for good, such as a protected branch. The message says what to do. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
}
