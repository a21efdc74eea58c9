import { randomUUID } from "node:crypto";
import { badRequest, expired } from "../api-errors.ts";
import type { KubeObject } from "../objects.ts";

export interface Page {
  readonly items: readonly KubeObject[];
  /** The revision of the first page: all pages of one list come from the same snapshot. */
  readonly revision: string;
  readonly continueToken: string;
  readonly remaining: number;
}

export interface Pages {
  first(items: readonly KubeObject[], revision: string, limit: number): Page;
  next(token: string, limit: number): Page;
  /** Expires all tokens: later requests with them get 410. */
  expire(): void;
}

interface Snapshot {
  readonly items: readonly KubeObject[];
  readonly revision: string;
}

/** The number of unfinished lists to keep; beyond it the oldest are deleted. */
const maxSnapshots = 500;

export function createPages(): Pages {
  const snapshots = new Map<string, Snapshot>();

  const cut = (snapshot: Snapshot, id: string, start: number, limit: number): Page => {
    const end = limit > 0 ? start + limit : snapshot.items.length;
    const remaining = Math.max(0, snapshot.items.length - end);
    const continueToken = remaining > 0 ? encode(id, end) : "";
    return { items: snapshot.items.slice(start, end), revision: snapshot.revision, continueToken, remaining };
  };

  return {
    first(items, revision, limit) {
      const id = randomUUID();
      const page = cut({ items, revision }, id, 0, limit);
      if (page.continueToken === "") return page;
      snapshots.set(id, { items, revision });
      for (const oldest of [...snapshots.keys()].slice(0, snapshots.size - maxSnapshots)) snapshots.delete(oldest);
      return page;
    },
    next(token, limit) {
      const { id, start } = decode(token);
      const snapshot = snapshots.get(id);
      if (snapshot) return cut(snapshot, id, start, limit);
      throw expired(
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.",
      );
    },
    expire: () => snapshots.clear(),
  };
}

function encode(id: string, start: number): string {
  return Buffer.from(`${id} ${start}`).toString("base64url");
}

function decode(token: string): { readonly id: string; readonly start: number } {
  const [, id, start] = /^([0-9a-f-]{36}) (\d+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (id === undefined) throw badRequest("continue key is not valid: unknown token");
  return { id, start: Number(start) };
}
