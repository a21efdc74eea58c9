import { AwsFault } from "./aws-fault.ts";
import { optionalInteger, optionalString, type Fields } from "./fields.ts";

const defaultSize = 100;
const largestSize = 1000;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken?: string;
}

/**
 * Cuts one page as `maxResults` and `nextToken` ask. A token holds the key of the last item given, not an offset, so
 * that what is added or dropped between two pages neither repeats an item nor hides one. Keys ascend or descend.
 */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
  order: "ascending" | "descending",
  fields: Fields,
): Page<T> {
  const size = optionalInteger(fields, "maxResults", 0, largestSize) || defaultSize;
  const last = keyIn(optionalString(fields, "nextToken"));
  const isLeft = (item: T) => last === null || (order === "ascending" ? keyOf(item) > last : keyOf(item) < last);
  const left = items.filter(isLeft);
  const given = left.slice(0, size);
  const end = given.at(-1);
  if (left.length <= size || end === undefined) return { items: given };
  return { items: given, nextToken: Buffer.from(`after:${keyOf(end)}`).toString("base64url") };
}

function keyIn(token: string | undefined): number | null {
  if (token === undefined) return null;
  const [, key] = /^after:(\d+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (key === undefined) throw new AwsFault("InvalidToken", `Invalid Token: '${token}'`);
  return Number(key);
}
