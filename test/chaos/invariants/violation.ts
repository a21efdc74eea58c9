import type { Releases } from "../releases.ts";
import type { Member } from "../fleet.ts";
import type { Fact, Observed } from "../record/facts.ts";

/** What a run did to one workload, and what became of it. */
export interface Story {
  readonly member: Member;
  readonly facts: readonly Observed[];
  /** The latest fact of each object that exists. */
  readonly current: ReadonlyMap<string, Fact>;
  readonly releases: Releases;
  /** When a dependency of its pods was away, in milliseconds since the epoch. */
  readonly outages: readonly { readonly from: number; readonly to: number }[];
}

export interface Violation {
  readonly workload: string;
  readonly message: string;
}
