import { describe, expect, test } from "vitest";
import { parseFreezes } from "../../../functions/domain/gates/parse-freezes.ts";

const reason = "Christmas";
const utc = (text: string) => new Date(text);

describe("a freeze is parsed", () => {
  test.for([
    { written: { reason }, from: null, to: null },
    {
      written: { reason, from: "2026-12-20T18:00", to: "2026-12-27", timeZone: "Europe/Berlin" },
      from: utc("2026-12-20T17:00:00Z"),
      to: utc("2026-12-26T23:00:00Z"),
    },
    {
      written: { reason, from: "2026-12-20T18:00:00+02:00", to: "2026-12-27T08:00" },
      from: utc("2026-12-20T16:00:00Z"),
      to: utc("2026-12-27T08:00:00Z"),
    },
    // Berlin: skipped on 29 March, and repeated on 25 October 2026.
    {
      written: { reason, from: "2026-03-29T02:30", to: "2026-10-25T02:30", timeZone: "Europe/Berlin" },
      from: utc("2026-03-29T01:30:00Z"),
      to: utc("2026-10-25T00:30:00Z"),
    },
  ])("$written", ({ written, from, to }) => {
    expect(parseFreezes([written])).toEqual({
      kind: "valid",
      value: [{ reason, by: null, namespaces: null, rollBack: false, from, to }],
    });
  });

  test("with who ordered it, for some namespaces", () => {
    const own = { by: "anna", namespaces: ["shop", "team-b"] };
    expect(parseFreezes([{ reason, ...own }])).toMatchObject({ value: [own] });
  });
});

describe("an invalid freeze is named", () => {
  test.for([
    { written: "Christmas", problem: "is not a list" },
    { written: [{}], problem: "[0].reason" },
    { written: [{ reason: " " }], problem: "[0].reason" },
    { written: [{ reason, from: "tomorrow" }], problem: "a time such as 2026-12-20T18:00" },
    { written: [{ reason, from: "2026-02-30" }], problem: "has a time that does not exist" },
    { written: [{ reason, to: "2026-02-30T00:00:00Z" }], problem: "has a time that does not exist" },
    { written: [{ reason, from: "2026-12-27", to: "2026-12-27" }], problem: "ends before it begins" },
    { written: [{ reason, timeZone: "Mars/Phobos" }], problem: "is not a time zone" },
    { written: [{ reason, namespaces: [] }], problem: "[0].namespaces" },
    { written: [{ reason, namespaces: ["team-*"] }], problem: "the name of a namespace" },
    { written: [{ reason, until: "2026-12-27" }], problem: "until" },
    { written: Array.from({ length: 51 }, () => ({ reason })), problem: "51" },
  ])("$written: $problem", ({ written, problem }) => {
    const parsed = parseFreezes(written);
    const reasons = parsed.kind === "invalid" ? parsed.problems.map((one) => one.reason).join("; ") : "valid";
    expect(reasons).toContain(problem);
  });
});
