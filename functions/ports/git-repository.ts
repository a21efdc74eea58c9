/** One branch of one repository that the deployment allows, on its host. Every method may throw `Unreachable`, `Throttled`, `Forbidden` or `GitRefused`. */
export interface GitRepository {
  readonly name: string;
  readonly mode: "commit" | "pullRequest";
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
  /** Returns a proposal by its number. Null if there is none. */
  readProposal(number: number): Promise<GitProposal | null>;
  /** Closes an open proposal with a sentence that says why, and deletes its branch. */
  closeProposal(number: number, reason: string): Promise<void>;
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

export interface GitProposal {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "merged" | "closed";
}

/** The host refused the write for good, such as a protected branch. The message says what to do. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
}
