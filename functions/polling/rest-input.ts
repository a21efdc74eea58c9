import { parseRfc3339 } from "../domain/time.ts";
import { fields, type Rule, text } from "../input.ts";
import { endOfPlaces } from "./place.ts";
import { mostParts } from "./rest.ts";

const place: Rule = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= endOfPlaces
    ? null
    : `${path} must be a whole number up to ${endOfPlaces}`;

const part: Rule = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= mostParts
    ? null
    : `${path} must be a whole number from 1 to ${mostParts}`;

const time: Rule = (value, path) =>
  typeof value === "string" && parseRfc3339(value) !== null ? null : `${path} must be a time in RFC3339`;

const places: Rule = (value, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${path} must be an object`;
  const problems = Object.entries(value).map(([host, one]) => place(one, `${path}["${host}"]`));
  return problems.find((problem) => problem !== null) ?? null;
};

/** What one part of a poll hands on to the next. */
export const restInput: Rule = fields({ seed: text, from: place, behind: places, startedAt: time, part });
