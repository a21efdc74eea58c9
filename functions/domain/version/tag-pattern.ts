import { RE2JS } from "re2js";
import type { Allowance } from "../budget/budget-exceeded.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";
import { patternSize } from "./pattern-size.ts";

/** A filter of the tags to consider. */
export interface TagPattern {
  readonly kind: "pattern";
  readonly expression: RE2JS;
  /** About how many instructions it compiled to: matching a tag takes at most this number of steps per character. */
  readonly size: number;
}

/** In instructions: `[\w.-]{1,128}` has about 260. */
const maxSize = 2000;

/** How many are compiled at a time. One that was matched a lot is compiled again, because the engine keeps what it found. */
const maxCompiled = 64;
const maxKeptSteps = 20_000;

const compiled = new Map<string, TagPattern | ParseError>();
const steps = new WeakMap<TagPattern, number>();

/**
 * Parses an RE2 regular expression, as in Go. Refuses one that compiles to a large program before it is compiled: matching takes time in
 * proportion to the tag and to the program. It matches anywhere in a tag unless it uses `^` and `$`.
 */
export function parseTagPattern(text: string): TagPattern | ParseError {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const parsed = compile(text);
  if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value as string);
  compiled.set(text, parsed);
  return parsed;
}

function compile(text: string): TagPattern | ParseError {
  const size = Math.ceil(patternSize(text));
  if (size > maxSize) {
    const [found, limit] = [size, maxSize].map((count) => count.toLocaleString("en-US"));
    return invalid(
      text,
      `compiles to about ${found} instructions, and the limit is ${limit}; use fewer or shorter repeats`,
    );
  }
  try {
    return { kind: "pattern", expression: RE2JS.compile(text), size };
  } catch (error) {
    return invalid(
      text,
      `is not an RE2 regular expression: ${(error as Error).message.replace("error parsing regexp: ", "")}`,
    );
  }
}

/** Returns a function that reports whether a tag matches, once for each tag. It throws `BudgetExceeded`. */
export function createTagFilter(
  pattern: TagPattern | null | undefined,
  allowance: Allowance,
): (tag: string) => boolean {
  if (!pattern) return () => true;
  const results = new Map<string, boolean>();
  return (tag) => {
    const known = results.get(tag);
    if (known !== undefined) return known;
    const cost = pattern.size * (tag.length + 1);
    allowance.spend(cost);
    countSteps(pattern, cost);
    const isMatch = pattern.expression.test(tag);
    results.set(tag, isMatch);
    return isMatch;
  };
}

function countSteps(pattern: TagPattern, cost: number): void {
  const total = (steps.get(pattern) ?? 0) + cost;
  steps.set(pattern, total);
  if (total <= maxKeptSteps) return;
  for (const [text, one] of compiled) if (one === pattern) compiled.delete(text);
}
