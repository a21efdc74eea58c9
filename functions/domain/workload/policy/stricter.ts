import { parseDays } from "../../text/duration.ts";
import type { Written } from "./raw-policy.ts";

type Stricter = (own: Written, enforced: Written) => Written;

/** What is enforced counts, because no value is stricter than another. */
export const replaced: Stricter = (_own, enforced) => enforced;

/** Returns the choice of the value that comes later. One that is unknown is a problem, and remains. */
export function laterOf(...values: readonly string[]): Stricter {
  return (own, enforced) => {
    const [ofOwn, ofEnforced] = [own, enforced].map(({ value }) => values.indexOf(String(value).trim())) as [
      number,
      number,
    ];
    return ofOwn !== -1 && ofOwn < ofEnforced ? enforced : own;
  };
}

/** The shorter duration counts. One that is invalid is a problem, and remains. */
export const shorter: Stricter = (own, enforced) => (secondsOf(own) > secondsOf(enforced) ? enforced : own);

/** The longer duration counts. One that is invalid is a problem, and remains. */
export const longer: Stricter = (own, enforced) => (secondsOf(own) < secondsOf(enforced) ? enforced : own);

/** The elements of both lists count, each once. What is no list is a problem, and remains. */
export const all: Stricter = (own, enforced) => {
  if (!Array.isArray(own.value) || !Array.isArray(enforced.value)) return own;
  const elements = new Map([...own.value, ...enforced.value].map((one) => [JSON.stringify(one), one as unknown]));
  return { ...own, value: [...elements.values()], length: Math.max(own.length, enforced.length) };
};

/** NaN if it is invalid. */
function secondsOf({ value }: Written): number {
  const parsed = parseDays(String(value).trim());
  return parsed.kind === "invalid" ? NaN : parsed.seconds;
}
