import { expect, test } from "vitest";
import { digestDays, digestNote, isToSend, parseSentNotes } from "../../../functions/domain/execution/sent-notes.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { after, noon } from "../../support/workloads.ts";

test.for([undefined, "", "{", "[]", "null", "7"])("what is no object of notes is none: %s", (text) => {
  expect(parseSentNotes(text)).toEqual({});
});

test("notes that are malformed are left out", () => {
  expect(parseSentNotes('{"a": {"done": "1"}, "b": 7, "c": null, "d": []}')).toEqual({ a: { done: "1" } });
});

test.for([
  { when: "nothing was sent", note: {}, expected: true },
  { when: "it was sent", note: { done: "1" }, expected: false },
  { when: "something else was sent", note: { done: "0" }, expected: true },
  { when: "it is being sent", note: { pending: "1", at: formatRfc3339(after(-1)) }, expected: false },
  { when: "who sent it was killed", note: { pending: "1", at: formatRfc3339(after(-5)) }, expected: true },
  { when: "who sent it had another clock", note: { pending: "1", at: formatRfc3339(after(60)) }, expected: true },
  { when: "the time is no time", note: { pending: "1", at: "x" }, expected: true },
  { when: "the time is missing", note: { pending: "1" }, expected: true },
  {
    when: "something else is being sent",
    note: { done: "0", pending: "2", at: formatRfc3339(after(-1)) },
    expected: true,
  },
])("$when: $expected", ({ note, expected }) => {
  expect(isToSend(note, "1", noon)).toBe(expected);
});

test("the day of the last digest of each target is known", () => {
  const notes = {
    [digestNote("team")]: { done: "2026-11-20" },
    [digestNote("new")]: { pending: "x" },
    freezes: { done: "[]" },
  };
  expect(digestDays(notes)).toEqual({ team: "2026-11-20" });
});
