import type { Action, ActionResult } from "../actions.ts";
import type { StreamMessage } from "../model.ts";

/** Answers a request of the page. Returns the document, or null if what it asks for does not exist. */
export type Query = (search: URLSearchParams) => Promise<unknown>;

/** What a page shows and does, with the rights of one user. */
export interface ClusterView {
  /** What a page that connects receives first. */
  first(): readonly StreamMessage[];
  readonly queries: Readonly<Record<string, Query>>;
  /** Performs what the page asks for; null if actions are not allowed. */
  readonly act: ((action: Action) => Promise<ActionResult>) | null;
  close(): void;
}
