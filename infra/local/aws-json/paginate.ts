import * as v from "valibot";
import { AwsError } from "./aws-error.ts";
import { integer } from "./request-fields.ts";

const defaultPageSize = 100;
const maxPageSize = 1000;

/** The input of an operation that returns pages. */
export const pageFields = { maxResults: v.optional(integer(0, maxPageSize)), nextToken: v.optional(v.string()) };

interface PageRequest {
  readonly maxResults?: number | undefined;
  readonly nextToken?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken?: string;
}

/**
 * Returns one page, according to `maxResults` and `nextToken`. A token contains the key of the last returned item
 * instead of an offset. So items that are added or deleted between two pages cause neither duplicates nor gaps.
 */
export function takePage<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
  order: "ascending" | "descending",
  { maxResults, nextToken }: PageRequest,
): Page<T> {
  const size = maxResults || defaultPageSize;
  const last = parseToken(nextToken);
  const isRemaining = (item: T) => last === null || (order === "ascending" ? keyOf(item) > last : keyOf(item) < last);
  const remaining = items.filter(isRemaining);
  const page = remaining.slice(0, size);
  const end = page.at(-1);
  if (remaining.length <= size || end === undefined) return { items: page };
  return { items: page, nextToken: Buffer.from(`after:${keyOf(end)}`).toString("base64url") };
}

function parseToken(token: string | undefined): number | null {
  if (token === undefined) return null;
  const [, key] = /^after:(\d+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (key === undefined) throw new AwsError("InvalidToken", `Invalid Token: '${token}'`);
  return Number(key);
}
