import { describe, expect, test, vi } from "vitest";
import { runPawl } from "./run-pawl.ts";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

const tags = "1.0.0\n1.1.0\n1.2.0\n2.0.0\nlatest\nsha-abc\n";

describe.concurrent("pawl resolve prints the tag alone", () => {
  test.for([
    { when: "the highest that is newer", args: ["--current", "1.0.0"], tag: "1.2.0" },
    { when: "the next best after one that failed", args: ["--current", "1.0.0", "--failed", "1.2.0"], tag: "1.1.0" },
    { when: "several failed", args: ["--failed", "1.2.0, 1.1.0"], tag: "1.0.0" },
    { when: "failed is given twice", args: ["--failed", "1.2.0", "--failed", "1.1.0"], tag: "1.0.0" },
    { when: "nothing runs yet", args: ["--current", ""], tag: "1.2.0" },
    { when: "a pattern leaves few", args: ["--pattern", "^1\\.0"], tag: "1.0.0" },
    {
      when: "lines end as on Windows, with blanks",
      stdin: "\uFEFF1.0.0\r\n\r\n  v1.3.0 \r\n",
      args: [],
      tag: "v1.3.0",
    },
    { when: "the last line has no end", stdin: "1.0.0\n1.4.0", args: [], tag: "1.4.0" },
  ])("$when: $tag", async ({ args, stdin = tags, tag }) => {
    const ran = await runPawl(["resolve", "--constraint", "^1.0.0", ...args], { stdin });
    expect(ran).toEqual({ stdout: `${tag}\n`, stderr: "", status: 0 });
  });
});

describe.concurrent("pawl resolve says on stderr why there is none", () => {
  test.for([
    {
      when: "nothing is newer",
      args: ["--constraint", "^1.0.0", "--current", "1.2.0"],
      status: 1,
      says: "newer than 1.2.0",
    },
    { when: "no tags come", stdin: "", args: ["--constraint", "*"], status: 1, says: "no tags" },
    { when: "the constraint is broken", args: ["--constraint", ">=1.0, one"], status: 2, says: '--constraint: "one"' },
    { when: "the constraint is missing", args: [], status: 2, says: "--constraint" },
    {
      when: "current is no version",
      args: ["--constraint", "*", "--current", "latest"],
      status: 2,
      says: '--current: "latest"',
    },
    { when: "the pattern is broken", args: ["--constraint", "*", "--pattern", "("], status: 2, says: "--pattern" },
    { when: "an option is unknown", args: ["--constraint", "*", "--newest"], status: 2, says: "--newest" },
    {
      when: "there is an argument too many",
      args: ["--constraint", "*", "1.0.0"],
      status: 2,
      says: "too many arguments",
    },
  ])("$when: status $status", async ({ args, stdin = tags, status, says }) => {
    const ran = await runPawl(["resolve", ...args], { stdin });
    expect(ran).toMatchObject({ stdout: "", status });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(says);
  });
});

test.for([
  { constraint: "^1.0.0", document: { tag: "1.2.0", reason: null }, status: 0 },
  { constraint: "^3.0.0", document: { tag: null, reason: "none of 4 versions satisfies ^3.0.0" }, status: 1 },
])("with --json $constraint gives one document and status $status", async ({ constraint, document, status }) => {
  const ran = await runPawl(["resolve", "--constraint", constraint, "--json"], { stdin: tags });
  expect(JSON.parse(ran.stdout)).toEqual(document);
  expect(ran.status).toBe(status);
});
